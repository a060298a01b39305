package main

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/schollz/progressbar/v3"

	"breakwater/scenes"
)

// bars draws one progress bar a stage on a terminal, and leaves one line
// when the stage is done.
type bars struct {
	w     io.Writer
	bar   *progressbar.ProgressBar
	stage scenes.Stage
}

func (b *bars) report(e scenes.Event) {
	if e.Message != "" {
		b.stop()
		fmt.Fprintln(b.w, e.Message)
	}
	if e.Done {
		b.stop()
		fmt.Fprintln(b.w, summary(e))
		return
	}
	if e.Frames == 0 {
		return
	}
	if b.bar == nil || b.stage != e.Stage {
		b.stop()
		b.stage = e.Stage
		b.bar = progressbar.NewOptions(e.Frames,
			progressbar.OptionSetWriter(b.w),
			progressbar.OptionSetWidth(24), // with the description less than 80 columns
			progressbar.OptionShowDescriptionAtLineEnd(),
			progressbar.OptionSetElapsedTime(false), // the description has the time left, of frames really made
			progressbar.OptionSetPredictTime(false),
			progressbar.OptionUseANSICodes(true),
		)
	}
	done := e.Frame
	if e.UnderWay {
		done--
	}
	left := ""
	if e.ETA > 0 {
		left = ", " + duration(e.ETA) + " left"
	}
	at := ""
	switch {
	case e.File != "":
		at = ", " + ended(filepath.Base(e.File), 12)
	case e.Frame > 0:
		at = fmt.Sprintf(", t = %.3f s", e.Time)
	}
	b.bar.Describe(fmt.Sprintf("%s %d/%d%s%s", e.Stage, e.Frame, e.Frames, at, left))
	// The last frame would complete the bar and break the line; the event
	// that says the stage is done comes right after it.
	b.bar.Set(min(done, e.Frames-1))
}

func (b *bars) stop() {
	if b.bar != nil {
		b.bar.Clear()
		b.bar = nil
	}
}

// ended returns the end of a name, of so many characters at most: there the
// numbers of files are.
func ended(name string, most int) string {
	r := []rune(name)
	if len(r) <= most {
		return name
	}
	return "…" + string(r[len(r)-most+1:])
}
