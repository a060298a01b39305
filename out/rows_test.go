package out

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"breakwater/sim/registry/registrytest"
)

// TestRows keeps rows of tables in particle files.
func TestRows(t *testing.T) {
	f := registrytest.New(t, &Formats, "ply")
	frame := &Frame{Index: 2, Particles: testParticles(3), Rows: []Row{{"stats.csv", "2,0.5,ab"}, {"gauges/a.csv", "0.1,,2,ab"}}}
	var b strings.Builder
	if err := f.Encode(&b, frame); err != nil {
		t.Fatal(err)
	}
	back, err := f.(Decoder).Decode(strings.NewReader(b.String()))
	if err != nil || fmt.Sprint(back.Rows) != fmt.Sprint(frame.Rows) {
		t.Errorf("%v, %v", back.Rows, err)
	}
	for _, bad := range []Row{{"a b", "1"}, {"a", "1\n2"}} {
		if err := f.Encode(io.Discard, &Frame{Particles: testParticles(3), Rows: []Row{bad}}); err == nil {
			t.Errorf("wrote %q", bad)
		}
	}
}
