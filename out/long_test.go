package out

import (
	"image"
	"runtime"
	"sync"
	"testing"

	"breakwater/sim/longtest"
)

// longFrames is the length of a long run.
const longFrames = 2000

// longGrowth is how much the memory in use may grow over all but the first of
// them: an index of some hundred bytes a frame, and pictures under way, but far
// less than the frames themselves.
const longGrowth = 2 << 20

// watched measures the memory in use when frames 200 and 1990 are asked for.
type watched struct {
	mu    sync.Mutex
	early uint64
	grown int64
}

func (w *watched) at(i int) {
	if i != 200 && i != longFrames-10 {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	if i == 200 {
		w.early = m.HeapAlloc
	} else {
		w.grown = int64(m.HeapAlloc) - int64(w.early)
	}
}

// Archives take no more memory for more frames.
func TestLongArchives(t *testing.T) {
	longtest.Only(t)
	eachArchive(t, func(t *testing.T, a Archive, part Part) {
		var w watched
		all := 0
		err := writeArchive(t.Context(), newDir(t), "a", a, archiveInfo(part, longFrames), func(i int) (*Frame, error) {
			w.at(i)
			f := archiveFrame(i, part)
			more := make([]byte, 16<<10) // that a frame which is held would hold
			f.Image = &image.Gray{Pix: more}
			all += len(more)
			return f, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, list := a.(Lister); !list && (w.early == 0 || all < longFrames*16<<10) {
			t.Errorf("frames make %d bytes", all)
		}
		if w.grown > longGrowth {
			t.Errorf("over %d frames the memory in use grows by %d bytes", longFrames, w.grown)
		}
	})
}

// Nor do films that this program makes by itself.
func TestLongFilms(t *testing.T) {
	longtest.Only(t)
	for name, m := range movies(t) {
		switch name {
		case "mov", "mkv", "prores", "mp4-ffmpeg":
			continue // which ffmpeg makes
		}
		t.Run(name, func(t *testing.T) {
			var w watched
			info := MovieInfo{Width: 64, Height: 36, FPS: 30, Frames: longFrames, Fingerprint: "beef", Encoder: "own", CRF: 30}
			err := newDir(t).WriteFile("film", func(f *File) error {
				return m.Encode(t.Context(), f, info, func(i int) (image.Image, error) {
					w.at(i)
					return testPicture(i, info.Width, info.Height), nil
				})
			})
			if err != nil {
				t.Fatal(err)
			}
			if w.early == 0 {
				t.Error("no frame was asked for")
			}
			if w.grown > longGrowth {
				t.Errorf("over %d frames the memory in use grows by %d bytes", longFrames, w.grown)
			}
		})
	}
}
