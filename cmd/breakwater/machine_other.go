//go:build !linux && !darwin

package main

import (
	"os"
	"runtime"
)

// machine names the processor, as far as the system says, which Windows does
// in the environment.
func machine() string {
	if name := os.Getenv("PROCESSOR_IDENTIFIER"); name != "" {
		return name
	}
	return runtime.GOARCH
}
