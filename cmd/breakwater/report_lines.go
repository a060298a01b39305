package main

import (
	"fmt"
	"io"
	"time"

	"breakwater/scenes/stage"
)

// every is how often a line is written where no terminal reads along.
const every = 5 * time.Second

// lines writes plain lines: for logs and pipes.
type lines struct {
	w    io.Writer
	now  func() time.Time
	last time.Time
}

func (l *lines) report(e stage.Event) {
	if e.Message != "" {
		fmt.Fprintln(l.w, e.Message)
	}
	switch {
	case e.Done:
		fmt.Fprintln(l.w, summary(e))
		l.last = time.Time{}
	case e.Frame > 0 && l.now().Sub(l.last) >= every:
		fmt.Fprintln(l.w, status(e))
		l.last = l.now()
	}
}

func (l *lines) stop() {}
