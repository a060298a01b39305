package voxel_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"breakwater/sim/kernel"
	"breakwater/sim/longtest"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
	"breakwater/surface/voxel"
	"breakwater/surface/voxel/voxeltest"
)

// center returns the centre of a voxel.
func center(at [3]int32, edge float64) vec.Vec3 {
	return vec.New(float64(at[0]), float64(at[1]), float64(at[2])).Mul(edge)
}

// block returns a block of particles that moves and turns.
func block(n int, d float64) (at, v []vec.Vec3) {
	for i := range n * n * n {
		x := vec.New(float64(i%n)-3, float64(i/n%n)-1, float64(i/n/n)).Mul(d)
		at = append(at, x)
		v = append(v, vec.New(1, 2, 3).Add(vec.New(0, 0, 2).Cross(x)))
	}
	return at, v
}

// The density in the midst of a lattice is that at rest, and sums up to its
// volume; velocities that are linear are as they were.
func TestFromParticles(t *testing.T) {
	const d = 0.1
	for _, edge := range []float64{d / 2, d / 3, d} {
		x, u := block(7, d)
		rho, vel := voxel.FromParticles(x, u, d, edge)
		var sum float64
		for _, l := range rho.Leaves {
			for _, v := range l.Values {
				sum += float64(v) * edge * edge * edge
			}
		}
		want := 343 * d * d * d
		if math.Abs(sum/want-1) > 0.03 {
			t.Errorf("edge %g: a volume of %g, want %g", edge, sum, want)
		}
		n := int32(math.Round(2 * d / edge)) // the midst is at (0, 2d, 3d)
		mid := [3]int32{0, n, int32(math.Round(3 * d / edge))}
		if v, on := voxeltest.At(rho, mid); !on || math.Abs(float64(v[0])-1) > 0.02 {
			t.Errorf("edge %g: a density of %g in the midst", edge, v)
		}
		v, on := voxeltest.At(vel, mid)
		want2 := vec.New(1, 2, 3).Add(vec.New(0, 0, 2).Cross(center(mid, edge)))
		if got := vec.New(float64(v[0]), float64(v[1]), float64(v[2])); !on || got.Sub(want2).Len() > 1e-6 {
			t.Errorf("edge %g: %v in the midst, want %v", edge, got, want2)
		}
		if v, on := voxeltest.At(rho, [3]int32{1000, 0, 0}); on || v[0] != 0 {
			t.Errorf("edge %g: %g, %t far off", edge, v, on)
		}
		if len(rho.Leaves) != len(vel.Leaves) {
			t.Errorf("edge %g: %d leaves of density, %d of velocity", edge, len(rho.Leaves), len(vel.Leaves))
		}
	}
	if rho, vel := voxel.FromParticles(nil, nil, d, d); len(rho.Leaves) != 0 || vel != nil {
		t.Errorf("nothing is %+v, %+v", rho, vel)
	}
	x, _ := block(3, d)
	if _, vel := voxel.FromParticles(x, nil, d, d); vel != nil {
		t.Error("velocities of none")
	}
}

// The sum over the particles is the plain one.
func TestFromParticlesBrute(t *testing.T) {
	const d, edge = 0.1, 0.07
	rng := rand.New(rand.NewPCG(1, 2))
	var particles []vec.Vec3
	for range 40 {
		particles = append(particles, vec.New(rng.Float64()-0.5, rng.Float64()-0.5, rng.Float64()-0.5))
	}
	rho, _ := voxel.FromParticles(particles, nil, d, edge)
	w := kernel.NewCubicSpline(3, 2*d)
	for _, l := range rho.Leaves {
		for i := range voxel.Count {
			x := center([3]int32{l.At[0] + int32(i>>6), l.At[1] + int32(i>>3&7), l.At[2] + int32(i&7)}, edge)
			sum := 0.
			for _, p := range particles {
				sum += d * d * d * w.W(p.Sub(x).Len())
			}
			if got := float64(l.Values[i]); math.Abs(got-min(1, sum)) > 1e-6 || l.IsOn(i) != (sum > 0) {
				t.Fatalf("%g at %v, want %g", got, x, sum)
			}
		}
	}
}

// The distances to the mesh of a ball are correct, and their signs are too: in the band,
// beyond it and deep inside. Rays may pass through vertices and edges.
func TestFromMesh(t *testing.T) {
	longtest.NotShort(t)
	for _, edge := range []float64{0.04, 0.05} {
		if edge < 0.05 && !longtest.On() {
			continue
		}
		middle := vec.New(0.5, 0.25, -0.5)
		m := mesh.Sphere(middle, 0.45, 64)
		g := voxel.FromMesh(m, edge)
		band := 3 * edge
		for i := int32(-4); i < int32(1.1/edge); i++ {
			for j := int32(-16); j < int32(0.8/edge); j++ {
				for k := int32(-1.1 / edge); k < 4; k += 3 {
					at := [3]int32{i, j, k}
					v, on := voxeltest.At(g, at)
					want := center(at, edge).Sub(middle).Len() - 0.45
					if off := math.Abs(want) - band; math.Abs(off) > 0.002 && on != (off < 0) {
						t.Fatalf("edge %g: %v is %g off the ball, and on is %t", edge, at, want, on)
					}
					if got := float64(v[0]); math.Abs(got-max(-band, min(band, want))) > 0.002 {
						t.Fatalf("edge %g: %g at %v, want %g", edge, got, at, want)
					}
				}
			}
		}
	}
	if g := voxel.FromMesh(&mesh.Mesh{}, 0.1); len(g.Leaves) != 0 || g.Inside([3]int32{}) {
		t.Error("a surface of nothing")
	}
	// A box whose faces, edges and corners lie on rays.
	g := voxel.FromMesh(mesh.Box(vec.Box{Min: vec.New(0, 0, 0), Max: vec.New(4, 3, 2)}), 0.25)
	for i := int32(-3); i <= 19; i++ {
		for j := int32(-3); j <= 15; j++ {
			for k := int32(-3); k <= 11; k++ {
				x := center([3]int32{i, j, k}, 0.25)
				inner := min(x.X, 4-x.X, x.Y, 3-x.Y, x.Z, 2-x.Z)
				if v, _ := voxeltest.At(g, [3]int32{i, j, k}); inner != 0 && (v[0] < 0) != (inner > 0) {
					t.Fatalf("%g at %v", v[0], x)
				}
			}
		}
	}
}

// Extinction is the sum of tents and adds up to the whole cross-section. It does not
// change if the spheres drift by a whole voxel. The velocity is the velocity of the
// spheres.
func TestFromSpheres(t *testing.T) {
	const edge = 0.01
	rng := rand.New(rand.NewPCG(3, 4))
	var x, v []vec.Vec3
	var area []float64
	whole := 0.
	for i := range 3000 {
		x = append(x, vec.New(rng.Float64()-0.5, 0.2*rng.Float64(), rng.Float64()-0.5).Mul(0.3))
		if i < 20 { // at the middles, faces and corners of voxels
			x[i] = vec.New(float64(i%3)/2, float64(i%4)/2, float64(-i)/2).Mul(edge)
		}
		v = append(v, vec.New(1, -2, 3))
		area = append(area, 1e-6*rng.Float64())
		whole += area[i]
	}
	sigma, flow := voxel.FromSpheres(x, v, area, edge)
	sum := 0.
	for k, l := range sigma.Leaves {
		if flow.Leaves[k].At != l.At || flow.Leaves[k].On != l.On {
			t.Fatalf("leaf %v of velocities at %v", flow.Leaves[k].At, l.At)
		}
		for i, s := range l.Values {
			sum += float64(s) * edge * edge * edge
			u := flow.Leaves[k].Values[3*i : 3*i+3]
			if l.IsOn(i) != (s > 0) || l.IsOn(i) && math.Abs(float64(u[0]-1))+math.Abs(float64(u[1]+2))+math.Abs(float64(u[2]-3)) > 1e-5 {
				t.Fatalf("voxel %d of %v is %g with %v, on: %t", i, l.At, s, u, l.IsOn(i))
			}
		}
	}
	if math.Abs(sum/whole-1) > 1e-6 {
		t.Errorf("a cross-section of %g m², want %g", sum, whole)
	}
	tent := func(d float64) float64 { return max(0, 1-math.Abs(d)/edge) }
	for _, l := range sigma.Leaves[:5] {
		for i := range voxel.Count {
			c := center([3]int32{l.At[0] + int32(i>>6), l.At[1] + int32(i>>3&7), l.At[2] + int32(i&7)}, edge)
			want := 0.
			for j, p := range x {
				want += area[j] * tent(p.X-c.X) * tent(p.Y-c.Y) * tent(p.Z-c.Z) / (edge * edge * edge)
			}
			if math.Abs(float64(l.Values[i])-want) > 1e-6*(want+1e-3) {
				t.Fatalf("%g at %v, want %g", l.Values[i], c, want)
			}
		}
	}
	one, none := voxel.FromSpheres([]vec.Vec3{vec.New(0.02, -0.05, 0.07)}, nil, []float64{3e-6}, edge)
	if got, on := voxeltest.At(one, [3]int32{2, -5, 7}); !on || math.Abs(float64(got[0])-3) > 1e-5 || none != nil {
		t.Errorf("a sphere in the middle of a voxel is %g there, want 3", got)
	}
	if g, u := voxel.FromSpheres(nil, nil, nil, edge); len(g.Leaves) != 0 || u != nil {
		t.Errorf("nothing is %+v, %+v", g, u)
	}
}

// Grids are the same on any number of threads.
func TestSameForAnyThreads(t *testing.T) {
	x, u := block(9, 0.1)
	m := mesh.Sphere(vec.New(0.1, 0.2, 0.3), 0.4, 40)
	var first []*voxel.Grid
	for n := range longtest.OnThreads(1, 3, 8) {
		rho, vel := voxel.FromParticles(x, u, 0.1, 0.03)
		sigma, flow := voxel.FromSpheres(x, u, slices.Repeat([]float64{1e-4, 2e-5, 3e-6}, len(x)/3), 0.03)
		all := []*voxel.Grid{rho, vel, voxel.FromMesh(m, 0.03), sigma, flow}
		if first == nil {
			first = all
			continue
		}
		for k, g := range all {
			if !slices.EqualFunc(g.Leaves, first[k].Leaves, func(a, b voxel.Leaf) bool {
				return a.At == b.At && a.On == b.On && slices.Equal(a.Values, b.Values)
			}) {
				t.Errorf("%s is another with %d threads", g.Name, n)
			}
		}
	}
}
