package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"breakwater/scenes/stage"
)

// openJD writes the lines that programs of Open Job Description read from a task: how much
// of a stage is done, in percent, and a few words. After How Jobs Are Run 2023-09.
type openJD struct {
	w     io.Writer
	first int // frame of the task
	now   func() time.Time
	last  time.Time
}

func (o *openJD) report(e stage.Event) {
	if e.Message != "" {
		fmt.Fprintln(o.w, "openjd_status:", e.Message)
	}
	switch all := e.Frames - o.first + 1; {
	case e.Stage == "" || all <= 0:
	case e.Done:
		fmt.Fprintf(o.w, "openjd_progress: 100\nopenjd_status: %s\n", summary(e))
		o.last = time.Time{}
	case e.Frame >= o.first && o.now().Sub(o.last) >= every:
		fmt.Fprintf(o.w, "openjd_progress: %d\nopenjd_status: %s\n", min(100, 100*(e.Frame-o.first+1)/all), status(e))
		o.last = o.now()
	}
}

func (o *openJD) stop() {}

// failed writes why the task failed.
func (o *openJD) failed(err error) {
	fmt.Fprintln(o.w, "openjd_fail:", strings.ReplaceAll(err.Error(), "\n", "; "))
}
