package main

import (
	"fmt"
	"runtime"

	"breakwater/scenes/run"
)

type versionCommand struct{}

func (versionCommand) Run(con *console) error {
	_, err := fmt.Fprintln(con.stdout, version())
	return err
}

// version names the program and its build.
func version() string {
	return fmt.Sprintf("breakwater %s (%s, %s/%s)", run.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
