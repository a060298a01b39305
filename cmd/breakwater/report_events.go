package main

import (
	"encoding/json"
	"io"
	"sync"
	"time"

	"breakwater/scenes/stage"
)

// silence is the longest time without an event, for programs that take a silent run for a
// dead one.
const silence = 15 * time.Second

// events writes one JSON object per line, for programs that watch a run. While a frame
// takes long, the last event is repeated.
type events struct {
	mu    sync.Mutex
	enc   *json.Encoder
	last  stage.Event
	every time.Duration
	tick  *time.Ticker // since the last event
	over  chan struct{}
}

// newEvents returns events that are repeated after a time without any.
func newEvents(w io.Writer, every time.Duration) *events {
	v := &events{enc: encoder(w), every: every, tick: time.NewTicker(every), over: make(chan struct{})}
	go func() {
		for {
			select {
			case <-v.over:
				return
			case <-v.tick.C:
				v.repeat()
			}
		}
	}()
	return v
}

func encoder(w io.Writer) *json.Encoder {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc
}

// report writes e. What cannot be written does not stop the run, since what
// counts are the files; it is an error at the end.
func (v *events) report(e stage.Event) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.last = e
	_ = v.enc.Encode(e)
	v.tick.Reset(v.every)
}

// repeat writes the last event again, as one that says nothing new.
func (v *events) repeat() {
	v.mu.Lock()
	defer v.mu.Unlock()
	select {
	case <-v.over:
		return
	default:
	}
	e := v.last
	e.UnderWay, e.Done, e.Message = true, false, ""
	_ = v.enc.Encode(e)
}

func (v *events) stop() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.tick.Stop()
	close(v.over)
}

// writeFailure writes what ended a run, the last line.
func writeFailure(w io.Writer, code int, err error) {
	_ = encoder(w).Encode(struct {
		Error string `json:"error"`
		Exit  int    `json:"exit"`
	}{err.Error(), code})
}
