package voxel

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"breakwater/sim/kernel"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// at returns the value of a grid in a voxel.
func gridAt(g *Grid, at [3]int32) (values []float32, on bool) {
	leaf, i := [3]int32{}, 0
	for a, v := range at {
		leaf[a] = v &^ (Side - 1)
		i = i*Side + int(v&(Side-1))
	}
	for k := range g.Leaves {
		if l := &g.Leaves[k]; l.At == leaf {
			return l.Values[g.Width*i : g.Width*(i+1)], l.IsOn(i)
		}
	}
	v := g.Background
	if g.Inside != nil && g.Inside(leaf) {
		v = -v
	}
	return slices.Repeat([]float32{v}, g.Width), false
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
		rho, vel := FromParticles(x, u, d, edge)
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
		if v, on := gridAt(rho, mid); !on || math.Abs(float64(v[0])-1) > 0.02 {
			t.Errorf("edge %g: a density of %g in the midst", edge, v)
		}
		v, on := gridAt(vel, mid)
		want2 := vec.New(1, 2, 3).Add(vec.New(0, 0, 2).Cross(voxelAt(mid, edge)))
		if got := vec.New(float64(v[0]), float64(v[1]), float64(v[2])); !on || got.Sub(want2).Len() > 1e-6 {
			t.Errorf("edge %g: %v in the midst, want %v", edge, got, want2)
		}
		if v, on := gridAt(rho, [3]int32{1000, 0, 0}); on || v[0] != 0 {
			t.Errorf("edge %g: %g, %t far off", edge, v, on)
		}
		if len(rho.Leaves) != len(vel.Leaves) {
			t.Errorf("edge %g: %d leaves of density, %d of velocity", edge, len(rho.Leaves), len(vel.Leaves))
		}
	}
	if rho, vel := FromParticles(nil, nil, d, d); len(rho.Leaves) != 0 || vel != nil {
		t.Errorf("nothing is %+v, %+v", rho, vel)
	}
	x, _ := block(3, d)
	if _, vel := FromParticles(x, nil, d, d); vel != nil {
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
	rho, _ := FromParticles(particles, nil, d, edge)
	w := kernel.NewCubicSpline(3, 2*d)
	for _, l := range rho.Leaves {
		for i := range Count {
			x := voxelAt([3]int32{l.At[0] + int32(i>>6), l.At[1] + int32(i>>3&7), l.At[2] + int32(i&7)}, edge)
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

// The distances to a ball are those to a ball, and have the sign of where they
// are, in the band, beyond it and deep inside; rays through its vertices and
// edges do no harm.
func TestFromMesh(t *testing.T) {
	for _, edge := range []float64{0.04, 0.05} {
		center := vec.New(0.5, 0.25, -0.5)
		m := mesh.Sphere(center, 0.45, 64)
		g := FromMesh(m, edge)
		band := bandVoxels * edge
		for i := int32(-4); i < int32(1.1/edge); i++ {
			for j := int32(-16); j < int32(0.8/edge); j++ {
				for k := int32(-1.1 / edge); k < 4; k += 3 {
					at := [3]int32{i, j, k}
					v, on := gridAt(g, at)
					want := voxelAt(at, edge).Sub(center).Len() - 0.45
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
	if g := FromMesh(&mesh.Mesh{}, 0.1); len(g.Leaves) != 0 || g.Inside([3]int32{}) {
		t.Error("a surface of nothing")
	}
	// A box whose faces, edges and corners lie on rays.
	g := FromMesh(mesh.Box(vec.Box{Min: vec.New(0, 0, 0), Max: vec.New(4, 3, 2)}), 0.25)
	for i := int32(-3); i <= 19; i++ {
		for j := int32(-3); j <= 15; j++ {
			for k := int32(-3); k <= 11; k++ {
				x := voxelAt([3]int32{i, j, k}, 0.25)
				inner := min(x.X, 4-x.X, x.Y, 3-x.Y, x.Z, 2-x.Z)
				if v, _ := gridAt(g, [3]int32{i, j, k}); inner != 0 && (v[0] < 0) != (inner > 0) {
					t.Fatalf("%g at %v", v[0], x)
				}
			}
		}
	}
}

// Grids are the same on any number of threads.
func TestSameForAnyThreads(t *testing.T) {
	x, u := block(9, 0.1)
	m := mesh.Sphere(vec.New(0.1, 0.2, 0.3), 0.4, 40)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var first []*Grid
	for _, n := range []int{1, 3, 8} {
		runtime.GOMAXPROCS(n)
		rho, vel := FromParticles(x, u, 0.1, 0.03)
		all := []*Grid{rho, vel, FromMesh(m, 0.03)}
		if first == nil {
			first = all
			continue
		}
		for k, g := range all {
			if !slices.EqualFunc(g.Leaves, first[k].Leaves, func(a, b Leaf) bool {
				return a.At == b.At && a.On == b.On && slices.Equal(a.Values, b.Values)
			}) {
				t.Errorf("%s is another with %d threads", g.Name, n)
			}
		}
	}
}
