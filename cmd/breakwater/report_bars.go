package main

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/schollz/progressbar/v3"

	"breakwater/scenes/stage"
)

// bars draws one progress bar a stage on a terminal, and leaves one line
// when the stage is done.
type bars struct {
	w       io.Writer
	columns func() int // of the terminal
	bar     *progressbar.ProgressBar
	stage   stage.Name
	narrow  bool // a line without a bar is shown
}

// wide is how many columns the bar needs with all that stands behind it.
const wide = 80

func (b *bars) report(e stage.Event) {
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
	columns := b.columns()
	if columns >= wide && (b.bar == nil || b.stage != e.Stage) {
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
	text := fmt.Sprintf("%s %d/%d%s%s", e.Stage, e.Frame, e.Frames, at, left)
	if columns < wide {
		b.stop()
		b.narrow = true
		line := []rune(fmt.Sprintf("%d%% %s", 100*done/e.Frames, text))
		fmt.Fprintf(b.w, "\r\x1b[2K%s", string(line[:min(len(line), max(0, columns-1))]))
		return
	}
	b.bar.Describe(text)
	// The last frame would complete the bar and break the line; the event
	// that says the stage is done comes right after it.
	b.bar.Set(min(done, e.Frames-1))
}

func (b *bars) stop() {
	if b.bar != nil {
		b.bar.Clear()
		b.bar = nil
	}
	if b.narrow {
		fmt.Fprint(b.w, "\r\x1b[2K")
		b.narrow = false
	}
}

// ended returns the end of a name, which has the file's number, with at most the given
// number of characters.
func ended(name string, most int) string {
	r := []rune(name)
	if len(r) <= most {
		return name
	}
	return "…" + string(r[len(r)-most+1:])
}
