package main

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// machine names the processor, as far as the system says.
func machine() string {
	if name, err := unix.Sysctl("machdep.cpu.brand_string"); err == nil {
		return name
	}
	return runtime.GOARCH
}
