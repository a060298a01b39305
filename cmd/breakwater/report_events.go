package main

import (
	"encoding/json"
	"io"

	"breakwater/scenes/stage"
)

// events writes one JSON object per line, for programs that watch a run.
type events struct{ enc *json.Encoder }

func newEvents(w io.Writer) events {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return events{enc}
}

// report writes e. What cannot be written does not stop the run, since what
// counts are the files; it is an error at the end.
func (v events) report(e stage.Event) { _ = v.enc.Encode(e) }

// fail writes what ended the run, the last line.
func (v events) fail(code int, err error) {
	_ = v.enc.Encode(struct {
		Error string `json:"error"`
		Exit  int    `json:"exit"`
	}{err.Error(), code})
}

func (events) stop() {}
