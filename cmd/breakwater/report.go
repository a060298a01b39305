package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"breakwater/scenes/stage"
)

// A reporter shows how a run gets on.
type reporter interface {
	report(stage.Event)
	// stop ends the display, so that later output starts a new line.
	stop()
}

// newReporter chooses how to show progress: nothing, events for a program, a bar for a
// person, or lines if w is not a terminal. Events go to stdout, text for people to
// stderr.
func newReporter(quiet, json bool, stdout, stderr io.Writer) reporter {
	switch {
	case json:
		return newEvents(stdout, silence)
	case quiet:
		return silent{}
	case isTerminal(stderr):
		return &bars{w: stderr, columns: func() int { return columns(stderr) }}
	}
	return &lines{w: stderr, now: time.Now}
}

// columns returns the width of the terminal w, 80 if it does not say.
func columns(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil && n > 0 {
			return n
		}
	}
	return 80
}

// isTerminal reports whether w is a terminal that can write over a line.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

type silent struct{}

func (silent) report(stage.Event) {}
func (silent) stop()              {}

// status says in a few words where a stage is.
func status(e stage.Event) string {
	var b strings.Builder
	b.WriteString(where(e))
	if e.Particles > 0 {
		fmt.Fprintf(&b, ", %d particles", e.Particles)
	}
	if e.Parcels > 0 {
		fmt.Fprintf(&b, ", %d parcels", e.Parcels)
	}
	if e.Substeps > 0 {
		fmt.Fprintf(&b, ", %d substeps", e.Substeps)
	}
	if e.Triangles > 0 {
		fmt.Fprintf(&b, ", %d triangles", e.Triangles)
	}
	for _, found := range []struct {
		n    int
		one  string
		many string
	}{{e.Strays, "stray", "strays"}, {e.Cavities, "cavity kept", "cavities kept"}, {e.Filled, "cavity filled", "cavities filled"}} {
		switch {
		case found.n == 1:
			fmt.Fprintf(&b, ", 1 %s", found.one)
		case found.n > 1:
			fmt.Fprintf(&b, ", %d %s", found.n, found.many)
		}
	}
	if e.ETA > 0 {
		fmt.Fprintf(&b, ", %s left", duration(e.ETA))
	}
	return b.String()
}

// where says which frame or file is under way.
func where(e stage.Event) string {
	if e.File != "" {
		return fmt.Sprintf("%-5s file %d/%d, %s", e.Stage, e.Frame, e.Frames, e.File)
	}
	return fmt.Sprintf("%-5s frame %d/%d, t = %.3f s", e.Stage, e.Frame, e.Frames, e.Time)
}

// summary says what a stage did, once it is done.
func summary(e stage.Event) string {
	s := fmt.Sprintf("%-5s ", e.Stage)
	switch {
	case e.Made == 0 && e.Kept == 0:
		return s + "made nothing"
	case e.Made == 0:
		return s + "kept " + things(e, e.Kept, "all ") + of(e)
	case e.Kept == 0:
		s += "made " + things(e, e.Made, "")
	default:
		s += fmt.Sprintf("kept %s, made %d", things(e, e.Kept, ""), e.Made)
	}
	return s + of(e) + " in " + duration(e.Seconds)
}

// of says what the frames are of, where a stage makes several things in turn.
func of(e stage.Event) string {
	if e.What == "" {
		return ""
	}
	return " of " + e.What
}

// things counts frames, or the meshes of files; all goes before more than one.
func things(e stage.Event, n int, all string) string {
	one, many := "frame", "frames"
	if e.Files {
		one, many = "mesh", "meshes"
	}
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%s%d %s", all, n, many)
}

// duration writes seconds as people say them.
func duration(s float64) string {
	if s < 10 {
		return fmt.Sprintf("%.1f s", s)
	}
	return time.Duration(s * float64(time.Second)).Round(time.Second).String()
}
