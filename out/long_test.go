package out

import (
	"image"
	"testing"

	"breakwater/out/outtest"
	"breakwater/out/store"
	"breakwater/sim/longtest"
)

// Archives take no more memory for more frames.
func TestLongArchives(t *testing.T) {
	longtest.Only(t)
	eachArchive(t, func(t *testing.T, a Archive, part Part) {
		var w outtest.Memory
		all := 0
		err := writeArchive(t.Context(), outtest.Dir(t, store.OpenDir), "a", a, archiveInfo(part, outtest.LongRun), func(i int) (*Frame, error) {
			w.At(i)
			f := archiveFrame(i, part)
			more := make([]byte, 16<<10) // that a frame which is held would hold
			f.Image = &image.Gray{Pix: more}
			all += len(more)
			return f, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, list := a.(Lister); !list && (!w.Measured() || all < outtest.LongRun*16<<10) {
			t.Errorf("frames make %d bytes", all)
		}
		w.Check(t)
	})
}
