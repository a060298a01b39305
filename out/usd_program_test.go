package out

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"breakwater/out/outtest"
	"breakwater/out/programs"
	"breakwater/out/store"
)

// tinyUSDZ names the folder of the npm package tinyusdz, a reader of USD. Without it
// the files are only read by readUSD.
const tinyUSDZ = "BREAKWATER_TINYUSDZ"

// TinyUSDZ loads archives of a liquid with bodies, of particles, and of parcels, some frames
// of which are empty.
func TestTinyUSDZ(t *testing.T) {
	folder := os.Getenv(tinyUSDZ)
	if folder == "" {
		t.Skip(tinyUSDZ + " names no folder: reading of USD is not tested in another program")
	}
	type mesh struct {
		Name   string
		Points int
	}
	type file struct {
		File, Fault string
		Loads       bool
		Meshes      []mesh
	}
	d := outtest.Dir(t, store.OpenDir)
	cases := []struct {
		name   string
		part   Part
		frame  func(i int) *Frame
		meshes []mesh
	}{
		{"mesh.usda", NeedsMesh, func(i int) *Frame { return archiveFrame(i, NeedsMesh) }, []mesh{{"surface", 0}}},
		{"bodies.usda", NeedsMesh, withBodies, []mesh{{"surface", 0}, {"surface", len(wedge().Pos)}, {"surface", 0}}},
		{"particles.usda", NeedsParticles, func(i int) *Frame { return archiveFrame(i, NeedsParticles) }, nil},
		{"parcels.usda", NeedsParticles, parcelFrame, nil},
	}
	var paths []string
	for _, c := range cases {
		err := writeArchive(t.Context(), d, c.name, &usda{}, archiveInfo(c.part, 3), func(i int) (*Frame, error) { return c.frame(i), nil })
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), c.name)
		if err := os.WriteFile(path, []byte(outtest.Contents(t, d, c.name)), 0o666); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	seen := programs.Seen[file](t, programs.Run(t, nil, "node", append([]string{filepath.Join("testdata", "usd.mjs"), folder}, paths...)...))
	if len(seen) != len(cases) {
		t.Fatalf("it saw %d files", len(seen))
	}
	for i, c := range cases {
		got := seen[i]
		same := slices.EqualFunc(got.Meshes, c.meshes, func(a, b mesh) bool {
			return a.Name == b.Name && a.Points > 0 && (b.Points == 0 || a.Points == b.Points)
		})
		if !got.Loads || got.Fault != "" || !same {
			t.Errorf("%s: %+v, want the meshes %v", c.name, got, c.meshes)
		}
	}
}
