package film

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"breakwater/out/outtest"
	"breakwater/out/programs"
	"breakwater/out/store"
)

// A film longer than a RIFF chunk continues in the next, and readers of the indices find
// every frame.
func TestAVIChunks(t *testing.T) {
	d := outtest.Dir(t, store.OpenDir)
	m := &avi{Quality: 92, riff: 16 << 10}
	if err := writeFilm(t.Context(), d, "film.avi", m, testFilm); err != nil {
		t.Fatal(err)
	}
	whole := outtest.Contents(t, d, "film.avi")
	if n := strings.Count(whole, "AVIX"); n < 3 {
		t.Fatalf("%d chunks after the first", n)
	}
	if got, err := m.Check(strings.NewReader(whole), int64(len(whole))); got != testFilm.Fingerprint || err != nil {
		t.Errorf("fingerprint %q, %v", got, err)
	}
	said, err := exec.Command(programs.Find(t, "ffprobe"), "-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames", filepath.Join(d.Path(), "film.avi")).CombinedOutput()
	if err != nil || !strings.Contains(string(said), "nb_read_frames=31") {
		t.Errorf("%v: %s", err, said)
	}
}
