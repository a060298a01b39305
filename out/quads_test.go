package out

import (
	"bytes"
	"errors"
	"testing"

	"breakwater/sim/longtest"
	"breakwater/sim/registry/registrytest"
	"breakwater/surface/mesh"
)

// TestQuads writes a mesh with quads in every format that has them. The file must be
// recognized, whole or cut short, and reading it returns the triangles that the quads
// were made of.
func TestQuads(t *testing.T) {
	longtest.Only(t)
	ball := mesh.Geodesic(3)
	quads, _ := ball.Quads()
	found := 0
	for _, entry := range Formats.Entries() {
		format := registrytest.New(t, &Formats, entry.Name)
		if _, ok := format.(Quaded); !ok {
			continue
		}
		found++
		frame := &Frame{Index: 1, Mesh: ball, Fingerprint: "0123", Quads: true}
		whole := encode(t, format, frame)
		if plain := encode(t, format, &Frame{Index: 1, Mesh: ball, Fingerprint: "0123"}); len(plain) <= len(whole) {
			t.Errorf("%s: %d bytes with %d quads, %d without", entry.Name, len(whole), len(quads), len(plain))
		}
		if got, err := format.Check(bytes.NewReader(whole), int64(len(whole))); got != "0123" || err != nil {
			t.Errorf("%s: fingerprint %q, %v", entry.Name, got, err)
		}
		back, err := format.(Decoder).Decode(bytes.NewReader(whole))
		if err != nil {
			t.Fatal(err)
		}
		if err := back.Mesh.Check(); err != nil || len(back.Mesh.Tri) != len(ball.Tri) {
			t.Errorf("%s: read back %d triangles of %d: %v", entry.Name, len(back.Mesh.Tri), len(ball.Tri), err)
		}
		known := map[[3]int32]bool{}
		for _, tri := range ball.Tri {
			known[tri], known[[3]int32{tri[1], tri[2], tri[0]}], known[[3]int32{tri[2], tri[0], tri[1]}] = true, true, true
		}
		for _, tri := range back.Mesh.Tri {
			if !known[tri] {
				t.Fatalf("%s: triangle %v was not there", entry.Name, tri)
			}
		}
		for n := range whole {
			if _, err := format.Check(bytes.NewReader(whole[:n]), int64(n)); err == nil {
				t.Fatalf("%s: %d bytes of %d pass for a whole file", entry.Name, n, len(whole))
			}
			if err := format.Encode(&failing{n}, frame); !errors.Is(err, errFull) {
				t.Fatalf("%s: a writer that fails after %d bytes: %v", entry.Name, n, err)
			}
		}
	}
	if found < 2 {
		t.Errorf("%d formats have quads", found)
	}
}
