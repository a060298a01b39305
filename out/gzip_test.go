package out

import (
	"bytes"
	"compress/gzip"
	"io"
	"reflect"
	"testing"

	"breakwater/sim/registry/registrytest"
)

// A compressed file is the format's own to whom unpacks it, read back the same,
// and never taken for whole when it is cut short.
func TestGzipped(t *testing.T) {
	for _, name := range []string{"obj", "plymesh", "vtp"} {
		plain := registrytest.New(t, &Formats, name)
		g := Gzipped{plain}
		f := testFrame(2, 12)
		file := encode(t, g, f)
		if again := encode(t, g, f); !bytes.Equal(again, file) {
			t.Errorf("%s: other bytes the second time", name)
		}
		want := encode(t, plain, f)
		z, err := gzip.NewReader(bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(z)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: unpacked it is %d bytes, %v, want %d", name, len(got), err, len(want))
		}
		if len(file) > len(want)*4/5 {
			t.Errorf("%s: %d bytes of %d", name, len(file), len(want))
		}
		if mark, err := g.Check(bytes.NewReader(file), int64(len(file))); mark != f.Fingerprint || err != nil {
			t.Errorf("%s: fingerprint %q, %v", name, mark, err)
		}
		for n := range len(file) {
			if _, err := g.Check(bytes.NewReader(file[:n]), int64(n)); err == nil {
				t.Fatalf("%s: %d bytes of %d pass for a whole file", name, n, len(file))
			}
		}
		if d, ok := plain.(Decoder); ok {
			a, err := g.Decode(bytes.NewReader(file))
			if err != nil {
				t.Fatal(err)
			}
			b, err := d.Decode(bytes.NewReader(want))
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(a.Mesh, b.Mesh) {
				t.Errorf("%s: another mesh is read back", name)
			}
			if _, err := g.Decode(bytes.NewReader(file[:len(file)/2])); err == nil {
				t.Errorf("%s: half a file is read", name)
			}
		}
	}
}
