// Breakwater simulates a liquid and films it: particles, meshes, frames and a
// film from a scene file, on the processor alone.
//
// Exit status: 0 if all is done, 1 if something failed or was interrupted, 2
// if the command line is wrong.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/alecthomas/kong"

	"breakwater/scenes"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() {
		stop() // a second signal ends the program at once
		fmt.Fprintln(os.Stderr, "\nbreakwater: stopping at the next step or frame; press Ctrl-C again to stop at once")
	})
	keepWithin(scenes.Memory())
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// keepWithin makes the collector work harder rather than let the program grow
// beyond the memory there is.
func keepWithin(bytes int64, _ string) {
	if bytes > 0 && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(bytes / 10 * 9)
	}
}

// Exit codes.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

// usageError is a fault of the command line that only a command can see.
type usageError struct{ error }

// console is what a command talks to.
type console struct {
	ctx    context.Context
	stdout io.Writer
	stderr io.Writer
}

// run is the program without its process: it parses args, runs the command
// and returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var cli commands
	exited := false // --help and --version print, and end the program
	parser, err := kong.New(&cli,
		kong.Name("breakwater"),
		kong.Description(about),
		kong.Writers(stdout, stderr),
		kong.Exit(func(int) { exited = true }),
		kong.Vars{"version": version()},
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.ExplicitGroups(groups),
		kong.NamedMapper("count", kong.MapperFunc(readCount)),
	)
	if err != nil {
		panic(err) // the grammar in this package is wrong
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	if err := emptyValue(parser.Model.Node, args); err != nil {
		return usage(stderr, err)
	}
	parsed, err := parser.Parse(args)
	switch {
	case exited:
		return exitDone
	case err != nil:
		return usage(stderr, err)
	}
	err = parsed.Run(&console{ctx, stdout, stderr})
	var wrong usageError
	switch {
	case errors.As(err, &wrong):
		return usage(stderr, err)
	case err != nil:
		fmt.Fprintf(stderr, "breakwater: %v\n", err)
		return exitFailed
	}
	return exitDone
}

func usage(stderr io.Writer, err error) int {
	fmt.Fprintf(stderr, "breakwater: %v\nRun \"breakwater --help\" or \"breakwater COMMAND --help\" for what it takes.\n", err)
	return exitUsage
}
