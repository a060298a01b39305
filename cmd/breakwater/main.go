// Breakwater simulates a liquid or a gas and films it: particles, meshes, frames and a film
// from a scene file, on the CPU.
//
// Exit status: 0 if all is done, and otherwise what exitCode returns.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"breakwater/scenes/farm"
	"breakwater/scenes/host"
	"breakwater/scenes/toml"

	"github.com/alecthomas/kong"
)

func main() {
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		ends = append(ends, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), ends...)
	context.AfterFunc(ctx, func() {
		stop() // a second signal ends the program at once
		fmt.Fprintln(os.Stderr, "\nbreakwater: stopping at the next step or frame; press Ctrl-C again to stop at once")
	})
	if eventsAsked(os.Args[1:]) {
		signal.Ignore(syscall.SIGPIPE) // a reader that has gone away does not stop a run
	}
	keepWithin(host.Memory())
	os.Exit(execute(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// keepWithin makes the collector work harder rather than let the program grow
// beyond the memory there is.
func keepWithin(bytes int64, _ string) {
	if bytes > 0 && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(bytes / 10 * 9)
	}
}

// usageError is a fault of the command line that only a command can see.
type usageError struct{ error }

// isUsage reports whether err is a fault of the command line alone: of its form, or of
// values that its flags give a scene.
func isUsage(err error) bool {
	var wrong usageError
	if errors.As(err, &wrong) {
		return true
	}
	var faults toml.Faults
	return errors.As(err, &faults) && !slices.ContainsFunc(faults, func(f toml.Fault) bool { return f.File != "" })
}

// console is the input and output of a command.
type console struct {
	ctx    context.Context
	stdout io.Writer
	stderr io.Writer
}

// negativeValues joins flags with values that begin with a minus and a digit, such as
// --frames -20, which a parser takes for flags.
func negativeValues(args []string) (joined []string) {
	for i, arg := range args {
		if last := len(joined) - 1; i > 0 && negative.MatchString(arg) && strings.HasPrefix(args[i-1], "--") && !strings.Contains(args[i-1], "=") && args[i-1] != "--" {
			joined[last] += "=" + arg
			continue
		}
		joined = append(joined, arg)
	}
	return joined
}

var negative = regexp.MustCompile(`^-\.?[0-9]`)

// execute is the program without its process: it parses args, runs the command
// and returns the exit code.
func execute(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	written := &checkedWriter{w: stdout}
	stdout = written
	failed := func(code int, err error) int {
		if eventsAsked(args) {
			writeFailure(stdout, code, err)
		}
		fmt.Fprintf(stderr, "breakwater: %v\n", err)
		if code == exitUsage {
			fmt.Fprintln(stderr, `Run "breakwater --help" or "breakwater COMMAND --help" for usage.`)
		}
		return code
	}
	if eventsAsked(args) && closed(written.w) {
		return failed(exitFailed, errors.New("standard output is closed, where --json writes its events"))
	}
	var cli commands
	exited := false // --help and --version print, and end the program
	parser, err := kong.New(&cli,
		kong.Name("breakwater"),
		kong.Description(about),
		kong.Writers(stdout, stderr),
		kong.Exit(func(int) { exited = true }),
		kong.Vars{"version": version(), "engines": strings.Join(farm.Engines.Names(), ",")},
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.ExplicitGroups(groups),
		kong.NamedMapper("count", kong.MapperFunc(readCount)),
	)
	if err != nil {
		panic(err) // the grammar in this package is wrong
	}
	switch {
	case len(args) == 0:
		args = []string{"--help"}
	case args[0] == "help": // as in go help build
		args = append(slices.Clone(args[1:]), "--help")
	}
	args = negativeValues(args)
	if err := emptyValue(parser.Model.Node, args); err != nil {
		return failed(exitUsage, err)
	}
	parsed, err := parser.Parse(args)
	switch {
	case exited || written.err != nil:
		err = nil
	case err != nil:
		return failed(exitUsage, err)
	default:
		err = parsed.Run(&console{ctx, stdout, stderr})
	}
	switch lost := written.err; {
	case err != nil:
		return failed(exitCode(err), err)
	case lost != nil && !errors.Is(lost, syscall.EPIPE): // a reader that has read enough
		lost = fmt.Errorf("standard output: %w", lost)
		return failed(exitCode(lost), lost)
	}
	return exitDone
}

// checkedWriter remembers the first error of writing to w.
type checkedWriter struct {
	w   io.Writer
	err error
}

func (c *checkedWriter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	if c.err == nil {
		c.err = err
	}
	return n, err
}

// eventsAsked reports whether args are of a command that writes events, with
// the flag for them.
func eventsAsked(args []string) bool {
	if len(args) > 1 && args[0] == "farm" && args[1] == "task" {
		args = append([]string{"render"}, args[2:]...)
	}
	if len(args) == 0 || !slices.Contains([]string{"render", "sim", "whitewater", "mesh", "draw", "video", "verify"}, args[0]) {
		return false
	}
	if end := slices.Index(args, "--"); end >= 0 {
		args = args[:end]
	}
	return slices.Contains(args, "--json")
}
