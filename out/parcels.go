package out

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"breakwater/out/particles"
	"breakwater/sim/vec"
	"breakwater/surface/voxel"
)

// The fields of parcels of whitewater, the particles of a Frame that stand for some equal
// drops or bubbles each. Formats write them as any others, but Alembic and USD have the
// widths as their own, see widthField.
const (
	ParcelWidth = widthField // of a drop or bubble, m
	ParcelKind  = "kind"     // its number in ParcelKinds
	ParcelCount = "count"    // how many drops or bubbles the parcel stands for
	ParcelAge   = "age"      // s
)

// ParcelKinds are the kinds of parcels in the order of their numbers, as volumes name
// their grids.
var ParcelKinds = []string{"spray", "foam", "bubbles", "mist"}

// ParcelGrids are the grids that ParcelVolume makes.
var ParcelGrids = append(slices.Clone(ParcelKinds), "velocity")

// ParcelVolume returns grids of the parcels that f has, in voxels of the given edge, in
// the unit of the frame's axes. Each kind has a grid of the extinction of light; see
// voxel.FromSpheres. All kinds together have a grid of their velocity. The widths,
// kinds and counts are fields of the frame; without kinds all are spray, and without
// counts each stands for one.
func (f *Frame) ParcelVolume(edge float64, grids []string) (*voxel.Volume, error) {
	if err := checkParticles(f.Particles); err != nil {
		return nil, err
	}
	n := f.Particles.Len()
	field := func(name string) ([]float64, error) {
		k := slices.IndexFunc(f.Fields, func(g particles.Field) bool { return g.Name == name })
		if k < 0 {
			return nil, nil
		}
		if v := f.Fields[k].Scalar; len(v) == n {
			return v, nil
		}
		return nil, fmt.Errorf("field %q has %d numbers for %d particles", name, len(f.Fields[k].Scalar), n)
	}
	width, err := field(ParcelWidth)
	if err == nil && width == nil && n > 0 {
		err = errors.New("the particles have no widths")
	}
	if err != nil {
		return nil, err
	}
	count, err := field(ParcelCount)
	if err != nil {
		return nil, err
	}
	kind, err := field(ParcelKind)
	if err != nil {
		return nil, err
	}
	area := make([]float64, n)
	for i, w := range width {
		area[i] = float64(math.Pi / 4 * w * w)
		if count != nil {
			area[i] *= count[i]
		}
		if !(area[i] >= 0) || math.IsInf(area[i], 1) || !f.Particles.X[i].Finite() {
			return nil, fmt.Errorf("particle %d at %v has a cross-section of %g", i, f.Particles.X[i], area[i])
		}
	}
	volume := &voxel.Volume{Edge: edge}
	for _, name := range grids {
		var g *voxel.Grid
		switch k := slices.Index(ParcelKinds, name); {
		case name == "velocity":
			if _, g = voxel.FromSpheres(f.Particles.X, f.Particles.V, area, edge); g == nil { // of no particles
				g = &voxel.Grid{Class: voxel.Field, Width: 3, Half: true}
			}
		case k < 0:
			return nil, fmt.Errorf("a grid %q of whitewater", name)
		default:
			var x []vec.Vec3
			var of []float64
			for i, p := range f.Particles.X {
				if kind == nil && k == 0 || kind != nil && kind[i] == float64(k) {
					x, of = append(x, p), append(of, area[i])
				}
			}
			g, _ = voxel.FromSpheres(x, nil, of, edge)
		}
		g.Name = name
		volume.Grids = append(volume.Grids, g)
	}
	return volume, nil
}
