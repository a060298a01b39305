package parcels

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"breakwater/scenes/stage"
	"breakwater/sim/longtest"
)

// What does not fit is refused before the first frame, or where parcels become too many. The
// frames until then are kept, and a run with more memory continues with the same bytes.
func TestMemoryLimit(t *testing.T) {
	longtest.Only(t)
	opt := options(t, scenePattern(t))
	opt.Memory = 50e6
	_, _, err := do(t, opt)
	var short *MemoryError
	if !errors.As(err, &short) || short.Parcels != 0 || !strings.Contains(err.Error(), "of memory are needed, but 50 MB are allowed") {
		t.Fatalf("50 MB: %v", err)
	}
	opt.Memory = int64(short.Need) + 100e3
	e, said, err := do(t, opt)
	if !errors.As(err, &short) || short.Parcels == 0 || !strings.Contains(err.Error(), "--set detail") || !strings.Contains(said, "which leaves room for") {
		t.Fatalf("%v, after %+v\n%s", err, e, said)
	}
	opt.Memory = 200e6
	if e, _ := mustDo(t, opt); e.Kept == 0 || e.Kept+e.Made != frames {
		t.Errorf("with more memory, kept %d and made %d", e.Kept, e.Made)
	}
	_, states := sceneRun(t)
	for i, want := range states {
		if got := stateOf(t, opt.Out, fmt.Sprintf("breaking_whitewater_%04d.parcels", i+1)); !bytes.Equal(got, want) {
			t.Fatalf("frame %d has other parcels", i+1)
		}
	}
	// Few files are in memory at a time.
	r, err := newRunner(opt, func(stage.Event) {})
	if err != nil {
		t.Fatal(err)
	}
	defer r.dir.Close()
	r.keys = make([]string, frames)
	for i := range frames {
		if err := r.advance(i); err != nil {
			t.Fatal(err)
		}
		if len(r.read) > 2 {
			t.Errorf("%d files are in memory at frame %d", len(r.read), i+1)
		}
	}
}
