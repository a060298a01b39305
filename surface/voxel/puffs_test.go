package voxel_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"breakwater/sim/longtest"
	"breakwater/sim/vec"
	"breakwater/surface/voxel"
	"breakwater/surface/voxel/voxeltest"
)

// puffs returns a cloud of puffs with random quantities.
func puffs(n int, width, edge float64) *voxel.Puffs {
	rng := rand.New(rand.NewPCG(3, 4))
	p := &voxel.Puffs{Width: width, Edge: edge, V: []vec.Vec3{}}
	smoke, heat := make([]float64, n), make([]float64, n)
	for i := range n {
		p.X = append(p.X, vec.New(rng.Float64()-0.5, rng.Float64()-0.7, 2*rng.Float64()))
		p.V = append(p.V, vec.New(rng.NormFloat64(), 1, -2))
		smoke[i], heat[i] = rng.Float64()*1e-3, 300+100*rng.Float64()
	}
	p.Amounts = []voxel.Amount{{Name: "density", Of: smoke}, {Name: "flame", Of: make([]float64, n)}}
	p.Means = []voxel.Mean{{Name: "temperature", Of: heat, Outside: 293}}
	return p
}

// The grids of puffs hold what these hold, for voxels that are finer and coarser than
// the puffs. Means stay between the values of the puffs.
func TestPuffsHold(t *testing.T) {
	for _, edge := range []float64{0.02, 0.05, 0.3} {
		p := puffs(500, 0.07, edge)
		grids := p.Grids()
		if len(grids) != 4 || len(grids[1].Leaves) != 0 {
			t.Fatalf("edge %g: %d grids, and a flame of %d leaves", edge, len(grids), len(grids[1].Leaves))
		}
		sum, want := 0., 0.
		for _, l := range grids[0].Leaves {
			for i, v := range l.Values {
				if l.IsOn(i) != (v > 0) {
					t.Fatalf("edge %g: a voxel of %g is on: %v", edge, v, l.IsOn(i))
				}
				sum += float64(v) * edge * edge * edge
			}
		}
		for _, a := range p.Amounts[0].Of {
			want += a
		}
		if math.Abs(sum/want-1) > 1e-7 {
			t.Errorf("edge %g: %.9g m³, want %.9g", edge, sum, want)
		}
		for _, l := range grids[2].Leaves {
			for i, v := range l.Values {
				if l.IsOn(i) && !(v >= 300 && v <= 400) || !l.IsOn(i) && v != 293 {
					t.Fatalf("edge %g: a temperature of %g K", edge, v)
				}
			}
		}
		for _, l := range grids[3].Leaves {
			for i := range voxel.Count {
				if l.IsOn(i) && (math.Abs(float64(l.Values[3*i+1])-1) > 1e-6 || math.Abs(float64(l.Values[3*i+2])+2) > 1e-6) {
					t.Fatalf("edge %g: a velocity of %v", edge, l.Values[3*i:3*i+3])
				}
			}
		}
	}
}

// One puff has the cubic B-spline's values, the first moment of its place, and is not
// there if it is too far away for a file.
func TestPuff(t *testing.T) {
	x := vec.New(0.13, -2.07, 7.7)
	p := &voxel.Puffs{X: []vec.Vec3{x, {X: 1e12}}, Width: 0.1, Edge: 0.1, Amounts: []voxel.Amount{{Name: "density", Of: []float64{1, 1}}}}
	g := p.Grids()[0]
	var middle vec.Vec3
	count := 0
	for _, l := range g.Leaves {
		count += l.Len()
		for i, v := range l.Values {
			at := center([3]int32{l.At[0] + int32(i>>6), l.At[1] + int32(i>>3&7), l.At[2] + int32(i&7)}, p.Edge)
			middle = middle.Add(at.Mul(float64(v) * 1e-3))
		}
	}
	if middle.Sub(x).Len() > 1e-6 {
		t.Errorf("the middle is %v, want %v", middle, x)
	}
	if count != 4*4*3 { // 7.7 is a middle of voxels, from which M₄ reaches one voxel to either side
		t.Errorf("%d voxels", count)
	}
	// M₄ is 2/3 − d² + d³/2 for d ≤ 1.
	of := func(d float64) float64 { return 2./3 - d*d + d*d*d/2 }
	v, _ := voxeltest.At(g, [3]int32{1, -21, 77})
	if want := of(0.3) * of(0.3) * of(0) / 1e-3; math.Abs(float64(v[0])/want-1) > 1e-6 {
		t.Errorf("a density of %g, want %g", v[0], want)
	}
	none := &voxel.Puffs{V: []vec.Vec3{}, Width: 1, Edge: 1, Means: []voxel.Mean{{Name: "temperature"}}}
	for _, g := range none.Grids() {
		if len(g.Leaves) != 0 {
			t.Errorf("no puffs, and %d leaves of %s", len(g.Leaves), g.Name)
		}
	}
}

// The grids are the same on any number of threads.
func TestPuffsSame(t *testing.T) {
	var want []*voxel.Grid
	for threads := range longtest.OnThreads(1, 2, 3, 7) {
		got := puffs(20000, 0.03, 0.02).Grids()
		for i, g := range got {
			if want != nil && !slices.EqualFunc(g.Leaves, want[i].Leaves, func(a, b voxel.Leaf) bool {
				return a.At == b.At && a.On == b.On && slices.Equal(a.Values, b.Values)
			}) {
				t.Errorf("another %s on %d threads", g.Name, threads)
			}
		}
		want = got
	}
}
