package main

import (
	"encoding/json"
	"io"

	"breakwater/scenes"
)

// events writes one JSON object a line, for programs that watch a run.
type events struct{ enc *json.Encoder }

func newEvents(w io.Writer) events {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return events{enc}
}

// report writes e. A reader that has gone away does not stop the run: what
// counts are the files.
func (v events) report(e scenes.Event) { _ = v.enc.Encode(e) }

func (events) stop() {}
