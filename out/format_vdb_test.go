package out

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breakwater/out/numbers"
	"breakwater/out/programs"
	vdbfile "breakwater/out/vdb"
	"breakwater/surface/voxel"
	"breakwater/surface/voxel/voxeltest"
)

// testVolume is the density of a small ball.
func testVolume(i int) *voxel.Volume {
	v := ballVolume([3]int32{20, 20, 20 + int32(i)}, 3)
	v.Grids = v.Grids[:1]
	return v
}

// ballVolume is a ball of r voxels about a voxel: its density, a velocity, and
// its level set.
func ballVolume(center [3]int32, r float64) *voxel.Volume {
	fog := &voxel.Grid{Name: "density", Class: voxel.Fog, Width: 1}
	flow := &voxel.Grid{Name: "velocity", Class: voxel.Field, Width: 3}
	set := &voxel.Grid{Name: "surface", Class: voxel.LevelSet, Width: 1, Background: 0.15}
	const edge = 0.05
	from := func(at [3]int32) float64 {
		x, y, z := float64(at[0]-center[0]), float64(at[1]-center[1]), float64(at[2]-center[2])
		return math.Sqrt(x*x+y*y+z*z) - r
	}
	set.Inside = func(at [3]int32) bool { return from(at) < 0 }
	n := int32(r) + 4
	for x := (center[0] - n) &^ 7; x <= center[0]+n; x += 8 {
		for y := (center[1] - n) &^ 7; y <= center[1]+n; y += 8 {
			for z := (center[2] - n) &^ 7; z <= center[2]+n; z += 8 {
				at := [3]int32{x, y, z}
				if math.Abs(from([3]int32{x + 4, y + 4, z + 4})) > 12 {
					continue // nothing of the shell, which is all that is tested of a large ball
				}
				a := voxel.Leaf{At: at, Values: make([]float32, voxel.Count)}
				b := voxel.Leaf{At: at, Values: make([]float32, 3*voxel.Count)}
				c := voxel.Leaf{At: at, Values: make([]float32, voxel.Count)}
				for i := range voxel.Count {
					p := [3]int32{x + int32(i>>6), y + int32(i>>3&7), z + int32(i&7)}
					d := from(p)
					if d < 0 {
						a.Set(i)
						b.Set(i)
						a.Values[i] = float32(min(1, -d))
						b.Values[3*i], b.Values[3*i+1], b.Values[3*i+2] = float32(p[0]), 2, -3
					}
					if c.Values[i] = float32(max(-3, min(3, d)) * edge); math.Abs(d) < 3 {
						c.Set(i)
					}
				}
				if a.Len() > 0 {
					fog.Leaves, flow.Leaves = append(fog.Leaves, a), append(flow.Leaves, b)
				}
				if c.Len() > 0 {
					set.Leaves = append(set.Leaves, c)
				}
			}
		}
	}
	return &voxel.Volume{Edge: edge, Grids: []*voxel.Grid{fog, flow, set}}
}

// vdbSees is what testdata/volume.py prints of a grid.
type vdbSees struct {
	Name, Class, Type string
	Count             int
	Edge              float64
	Lo, Hi            [3]int32
	Values            []any // at the places that were asked for
}

// vdbPlaces are voxels that are looked at: in the ball, deep in it, on its
// surface, and outside.
func vdbPlaces(center [3]int32, r int32) (all [][3]int32) {
	for _, d := range []int32{0, 1, r - 4, r - 2, r - 1, r, r + 2, r + 5, 400, 5000} {
		all = append(all, [3]int32{center[0] + d, center[1], center[2]}, [3]int32{center[0], center[1] - d, center[2]}, [3]int32{center[0], center[1], center[2] + d})
	}
	return all
}

// OpenVDB's own library reads grids as they are: metadata, which voxels are on, and the
// values of voxels that are on and off, inside and outside. The grids are of small
// balls, of large ones and of none.
func TestVDBInOpenVDB(t *testing.T) {
	folder := t.TempDir()
	type ball struct {
		center [3]int32
		r      float64
	}
	for name, b := range map[string]ball{"small": {[3]int32{0, 0, 0}, 5}, "large": {[3]int32{-100, 60, 4090}, 150.5}} {
		f := &Frame{Index: 4, Time: 0.5, Fingerprint: "c0ffee", Volume: ballVolume(b.center, b.r)}
		path := filepath.Join(folder, name+".vdb")
		if err := os.WriteFile(path, encode(t, &vdb{}, f), 0o666); err != nil {
			t.Fatal(err)
		}
		places := vdbPlaces(b.center, int32(b.r))
		asked, err := json.Marshal(places)
		if err != nil {
			t.Fatal(err)
		}
		output := programs.OpenVDB(t, filepath.Join("testdata", "volume.py"), path, string(asked))
		grids := programs.Seen[vdbSees](t, output)
		if len(grids) != 3 {
			t.Fatalf("%s: %d grids: %s", name, len(grids), output)
		}
		for _, got := range grids { // in any order
			k := slices.IndexFunc(f.Volume.Grids, func(g *voxel.Grid) bool { return g.Name == got.Name })
			if k < 0 {
				t.Fatalf("%s: a grid %s", name, got.Name)
			}
			g := f.Volume.Grids[k]
			want := 0
			for i := range g.Leaves {
				want += g.Leaves[i].Len()
			}
			class := map[voxel.Class]string{voxel.Fog: "fog volume", voxel.LevelSet: "level set", voxel.Field: "unknown"}[g.Class]
			vectors := map[int]string{1: "", 3: "contravariant relative"}[g.Width]
			if got.Name != g.Name || got.Class != class || got.Type != vectors || got.Count != want || got.Edge != f.Volume.Edge {
				t.Errorf("%s: saw %+v, want %s of %d voxels", name, got, g.Name, want)
			}
			reach := int32(math.Ceil(b.r)) - 1
			if g.Class == voxel.LevelSet {
				reach += 3
			}
			for a := range 3 {
				if got.Lo[a] != b.center[a]-reach || got.Hi[a] != b.center[a]+reach {
					t.Errorf("%s: %s reaches from %v to %v", name, g.Name, got.Lo, got.Hi)
				}
			}
			for i, at := range places {
				value, _ := voxeltest.At(g, at)
				saw, isList := got.Values[i].([]any)
				if !isList {
					saw = []any{got.Values[i]}
				}
				for c := range value {
					if float32(saw[c].(float64)) != value[c] {
						t.Errorf("%s: %s is %v at %v, want %v", name, g.Name, saw, at, value)
					}
				}
			}
		}
		if says := programs.Run(t, nil, "vdb_print", "-m", path); !strings.Contains(says, "level set") || !strings.Contains(says, "c0ffee") && !strings.Contains(says, "breakwater") {
			t.Errorf("%s: vdb_print says %s", name, says)
		}
	}
}

func TestVDBFails(t *testing.T) {
	for what, change := range map[string]func(v *voxel.Volume){
		"a value of no number": func(v *voxel.Volume) {
			l := &v.Grids[1].Leaves[0]
			for i := range voxel.Count {
				if l.IsOn(i) {
					l.Values[3*i+1] = float32(math.NaN())
				}
			}
		},
		"two grids of a name": func(v *voxel.Volume) { v.Grids[1].Name = "density" },
		"no grid":             func(v *voxel.Volume) { v.Grids = nil },
		"no edge":             func(v *voxel.Volume) { v.Edge = 0 },
		"pairs of numbers":    func(v *voxel.Volume) { v.Grids[1].Width = 2 },
		"a leaf cut short":    func(v *voxel.Volume) { v.Grids[0].Leaves[0].Values = make([]float32, 7) },
	} {
		f := &Frame{Volume: ballVolume([3]int32{1, 2, 3}, 3)}
		change(f.Volume)
		if err := (&vdb{}).Encode(io.Discard, f); err == nil {
			t.Errorf("wrote %s", what)
		}
	}
}

// TestVDBRead reads our own files back: the same voxels, with the same values.
func TestVDBRead(t *testing.T) {
	for _, half := range []bool{false, true} {
		volume := ballVolume([3]int32{-100, 60, 4090}, 20)
		for _, g := range volume.Grids {
			g.Half = half
		}
		data := encode(t, &vdb{}, &Frame{Index: 1, Volume: volume})
		f, err := vdbfile.Open(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		if f.Creator != vdbGenerator || len(f.Grids) != len(volume.Grids) {
			t.Fatalf("%d grids of %q", len(f.Grids), f.Creator)
		}
		for k, got := range f.Grids {
			want := volume.Grids[k]
			if err := f.Load(got); err != nil {
				t.Fatal(err)
			}
			if got.Name != want.Name || got.Width != want.Width || got.Background[0] != want.Background || len(got.Leaves) != len(want.Leaves) {
				t.Fatalf("%s of %d numbers with %d leaves, want %s of %d with %d", got.Name, got.Width, len(got.Leaves), want.Name, want.Width, len(want.Leaves))
			}
			if x := got.Map.At([3]float64{2, 4, -6}); x != [3]float64{2 * volume.Edge, 4 * volume.Edge, -6 * volume.Edge} {
				t.Errorf("%s: the voxel 2, 4, -6 is at %v", got.Name, x)
			}
			for i := range got.Leaves {
				l := &got.Leaves[i]
				j := slices.IndexFunc(want.Leaves, func(w voxel.Leaf) bool { return w.At == l.At })
				if j < 0 || want.Leaves[j].On != l.Active {
					t.Fatalf("%s: a leaf at %v", got.Name, l.At)
				}
				for n, v := range want.Leaves[j].Values {
					if half {
						v = float32(numbers.Half(numbers.ToHalf(v)))
					}
					if want.Leaves[j].IsOn(n/want.Width) && l.Values[n] != v {
						t.Fatalf("%s: %g in voxel %d at %v, want %g", got.Name, l.Values[n], n, l.At, v)
					}
				}
			}
		}
	}
}

// Files of other programs are reported, and do no harm.
func TestVDBForeign(t *testing.T) {
	whole := encode(t, &vdb{}, testFrame(1, 2))
	for i := 0; i < 300; i++ {
		other := bytes.Clone(whole)
		other[i] ^= 0xff
		(&vdb{}).Check(bytes.NewReader(other), int64(len(other)))
	}
	if _, err := (&vdb{}).Check(strings.NewReader(strings.Repeat("x", 5000)), 5000); err == nil {
		t.Error("a file of letters passes")
	}
}
