package classic

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"breakwater/sim"
	"breakwater/sim/boundary"
	"breakwater/sim/longtest"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// amdWorld is a part of the original's box, as deep along z, with its block at the left
// end. The particles are at random places with random velocities, 32 times as dense as
// the liquid.
func amdWorld(t testing.TB, n int, depth float64) *sim.World {
	w := sim.New(0.01, 1000)
	w.Gravity = vec.New(0, -9.8, 0)
	w.Walls = []boundary.Boundary{&boundary.Box{Max: vec.New(100*unit, 40*unit, depth*unit), Inside: true}}
	rng := rand.New(rand.NewPCG(1, 1))
	scatter(w, n, vec.New(10*unit, 40*unit, depth*unit), 1, rng)
	if err := w.Init(); err != nil {
		t.Fatal(err)
	}
	return w
}

func scatter(w *sim.World, n int, size vec.Vec3, speed float64, rng *rand.Rand) {
	for i := range n {
		x := vec.New(rng.Float64()*size.X, rng.Float64()*size.Y, rng.Float64()*size.Z)
		v := vec.New(rng.Float64(), rng.Float64(), rng.Float64()).Mul(2).Sub(vec.New(1, 1, 1)).Mul(speed)
		w.Add(x, v, w.Rho0, uint32(i))
	}
}

// liquid is a piece of liquid at about its rest density, in some disorder.
func liquid(t testing.TB) *sim.World {
	w := sim.New(0.01, 1000)
	w.Fill(&shape.Box{Max: vec.New(0.12, 0.12, 0.12)}, vec.Vec3{})
	rng := rand.New(rand.NewPCG(2, 2))
	for i := range w.X {
		w.X[i] = w.X[i].Add(vec.New(rng.Float64()-0.5, rng.Float64()-0.5, rng.Float64()-0.5).Mul(0.004))
		w.V[i] = vec.New(rng.Float64()-0.5, rng.Float64()-0.5, rng.Float64()-0.5)
	}
	if err := w.Init(); err != nil {
		t.Fatal(err)
	}
	return w
}

// TestAMDStages runs the pipeline stage by stage with the criteria of the
// original's own test.
func TestAMDStages(t *testing.T) {
	for _, name := range []string{"amd-asis", "amd-consistent"} {
		w := liquid(t)
		if name == "amd-asis" {
			w = amdWorld(t, 8192, 10)
		}
		s := registrytest.New(t, &sim.Solvers, name).(*AMD)
		c := s.constants(w)
		v := &s.voxels
		v.h, v.most = c.h/unit, s.Most
		v.clearBuffers(w.Len())
		if slices.IndexFunc(v.near, func(j int32) bool { return j != -1 }) >= 0 {
			t.Errorf("%s: clearBuffers leaves neighbours", name)
		}
		v.hashParticles(w.X)
		for i, id := range v.id {
			x := v.pos[i].Sub(v.min)
			for a, r := range [3]float64{x.X, x.Y, x.Z} {
				cell := int(id)
				for b := range a {
					cell /= v.n[b]
				}
				if cell %= v.n[a]; r < float64(cell)*v.edge-1e-9 || r > float64(cell+1)*v.edge+1e-9 {
					t.Fatalf("%s: hashParticles has %v in voxel %d", name, x, id)
				}
			}
		}
		v.sort()
		for k := 1; k < len(v.serial); k++ {
			a, b := v.serial[k-1], v.serial[k]
			if v.id[a] > v.id[b] || v.id[a] == v.id[b] && a > b {
				t.Fatalf("%s: sort leaves particle %d of voxel %d before %d of %d", name, a, v.id[a], b, v.id[b])
			}
		}
		before, ids := w.Set, slices.Clone(v.id)
		before.X, before.V = slices.Clone(w.X), slices.Clone(w.V)
		v.sortPostPass(&w.Set, &s.scratch)
		for k, i := range v.serial {
			if w.X[k] != before.X[i] || w.V[k] != before.V[i] || v.id[k] != ids[i] || v.pos[k] != w.X[k].Mul(1/unit) {
				t.Fatalf("%s: sortPostPass mixes up particle %d", name, i)
			}
		}
		v.index()
		for c, first := range v.first[:len(v.first)-1] {
			if has := slices.Contains(v.id, uint32(c)); has != (first >= 0) {
				t.Fatalf("%s: index has %d for voxel %d", name, first, c)
			}
		}
		v.indexPostPass()
		if !slices.IsSorted(v.first) || int(v.first[len(v.first)-1]) != w.Len() || v.first[0] != 0 {
			t.Fatalf("%s: indexPostPass leaves %v", name, v.first)
		}
		v.findNeighbors(walk{s.Random, s.Alternate, s.Short})
		found := 0
		for i := range w.X {
			near, dist := v.of(i)
			found += len(near)
			for k, j := range near {
				if r := w.X[i].Sub(w.X[j]).Len(); int(j) == i || math.Abs(r-dist[k]) > 1e-12 || r > c.h*(1+1e-12) {
					t.Fatalf("%s: particle %d has %d at %g m, is at %g m", name, i, j, dist[k], r)
				}
				if slices.Index(near, j) != k {
					t.Fatalf("%s: particle %d has %d twice", name, i, j)
				}
			}
		}
		if mean := float64(found) / float64(w.Len()); mean < 0.7*32 {
			t.Errorf("%s: %.1f neighbours in the mean", name, mean)
		}
		s.computeDensityPressure(w, c)
		s.computeAcceleration(w, c)
		for i := 0; i < w.Len(); i += 7 {
			rho, a := naive(w, s, c, i)
			if math.Abs(w.Rho[i]-rho) > 1e-9*rho || s.a[i].Sub(a).Len() > 1e-9*(1+a.Len()) {
				t.Fatalf("%s: density %g and acceleration %v, want %g and %v", name, w.Rho[i], s.a[i], rho, a)
			}
		}
	}
}

// naive evaluates particle i's density and acceleration from the map, by the
// kernels' gradients as vectors.
func naive(w *sim.World, s *AMD, c constants, i int) (rho float64, a vec.Vec3) {
	near, _ := s.voxels.of(i)
	h := c.h
	poly6 := func(r float64) float64 { return 315 / (64 * math.Pi * math.Pow(h, 9)) * math.Pow(h*h-r*r, 3) }
	if s.Self {
		rho = c.m * poly6(0)
	}
	var grad, lap vec.Vec3
	for _, j := range near {
		x := w.X[i].Sub(w.X[j])
		rho += c.m * poly6(x.Len())
		dw := x.Unit().Mul(-45 / (math.Pi * math.Pow(h, 6)) * math.Pow(h-x.Len(), 2))
		if s.Pressure == "slides" {
			grad = grad.Add(dw.Mul(c.m * (s.press[i]/math.Pow(w.Rho[i], 2) + s.press[j]/math.Pow(w.Rho[j], 2)) * w.Rho[i]))
		} else {
			grad = grad.Add(dw.Mul(c.m * (s.press[i] + s.press[j]) / 2 / w.Rho[j]))
		}
		lap = lap.Add(w.V[j].Sub(w.V[i]).Mul(c.m / w.Rho[j] * 45 / (math.Pi * math.Pow(h, 6)) * (h - x.Len())))
	}
	a = lap.Mul(c.mu).Sub(grad).Mul(1 / w.Rho[i])
	if s.Limit > 0 && a.Len() > s.Limit {
		a = a.Unit().Mul(s.Limit)
	}
	return rho, a
}

// TestAMDComplete checks that the search finds all neighbours if the lists have room,
// and that the forces of the slides then conserve momentum.
func TestAMDComplete(t *testing.T) {
	w := liquid(t)
	s := registrytest.New(t, &sim.Solvers, "amd-consistent").(*AMD)
	s.Most = 200
	p := func() vec.Vec3 { return total(w, func(i int) vec.Vec3 { return w.V[i] }) }
	before := p()
	if _, err := s.Step(w, 1e-4); err != nil {
		t.Fatal(err)
	}
	scale := 0.
	for _, a := range s.a {
		scale += 1e-4 * a.Len()
	}
	if drift := p().Sub(before).Len(); drift > 1e-12*scale || scale == 0 {
		t.Errorf("momentum drifts by %g of %g exchanged", drift, scale)
	}
	w = liquid(t)
	s.Seen(w)
	for i, x := range w.X {
		var want []int32
		for j, y := range w.X {
			if i != j && x.Mul(1/unit).Sub(y.Mul(1/unit)).Len() <= s.voxels.h {
				want = append(want, int32(j))
			}
		}
		near, _ := s.voxels.of(i)
		if slices.Sort(near); !slices.Equal(near, want) {
			t.Fatalf("particle %d has %v, want %v", i, near, want)
		}
	}
}

// TestAMDBias shows what going through the voxels at random is for: without it all
// particles of a voxel see the same first 32, and nearly half are seen by nobody.
func TestAMDBias(t *testing.T) {
	unseen := map[bool]float64{}
	spread := map[bool]float64{}
	for _, random := range []bool{false, true} {
		w := amdWorld(t, 8192, 10)
		s := registrytest.New(t, &sim.Solvers, "amd-asis").(*AMD)
		s.Random, s.Alternate = random, random
		unseen[random], spread[random] = Bias(s.Seen(w))
	}
	t.Logf("unseen: %.2f in order, %.2f at random; spread %.2f and %.2f", unseen[false], unseen[true], spread[false], spread[true])
	if unseen[false] < 0.4 || unseen[true] > 0.05 || spread[true] > spread[false]/3 {
		t.Errorf("unseen: %.2f in order, %.2f at random; spread %.2f and %.2f", unseen[false], unseen[true], spread[false], spread[true])
	}
}

// TestAMDAsIs runs an eighth of the original's box and compares density, neighbours and
// depth with a run of the whole box. For lists of 32 the sums give 3.5 times the rest
// density, whatever the real density is.
func TestAMDAsIs(t *testing.T) {
	longtest.Only(t)
	w := amdWorld(t, 4096, 5)
	s := registrytest.New(t, &sim.Solvers, "amd-asis").(*AMD)
	for range 160 {
		if _, err := s.Step(w, 0.0042); err != nil {
			t.Fatal(err)
		}
		w.Time += 0.0042
	}
	rho, near, fast := 0., 0., 0.
	for i := range w.X {
		list, _ := s.voxels.of(i)
		rho += w.Rho[i] / float64(w.Len())
		near += float64(len(list)) / float64(w.Len())
		fast = max(fast, w.V[i].Len())
		if x := w.X[i]; x.X < 0 || x.X > 0.4 || x.Y < 0 || x.Y > 0.16 || x.Z < 0 || x.Z > 0.02 {
			t.Fatalf("a particle at %v", x)
		}
	}
	com := depth(w) / 2 / unit
	t.Logf("density %.0f kg/m³, %.1f neighbours, mean height %.1f units, up to %.2f m/s", rho, near, com, fast)
	if rho < 3200 || rho > 3800 || near < 29 || near > 31.5 || com < 5.5 || com > 9 {
		t.Errorf("density %.0f kg/m³, %.1f neighbours, mean height %.1f units; a run of all of it had 3500, 30.8, 7.4", rho, near, com)
	}
}

// TestAMDColumn checks that the column keeps most of its volume, and is compressed as
// published. Walls have no particles, so particles near them are packed more closely
// until their sum gives the rest density.
func TestAMDColumn(t *testing.T) {
	longtest.Only(t)
	for _, c := range []struct {
		name   string
		lo, hi float64 // depth in spacings; 8 at rest density
	}{{"amd-consistent", 6, 8.5}, {"amd-asis", 0, 4}} {
		w, s := columnOf(t, 0.01), registrytest.New(t, &sim.Solvers, c.name)
		advance(t, w, s, 0.8)
		t.Logf("%s: depth %.2f of 8 spacings", c.name, depth(w)/0.01)
		if d := depth(w) / 0.01; d < c.lo || d > c.hi {
			t.Errorf("%s: depth of %.2f spacings, want %g to %g", c.name, d, c.lo, c.hi)
		}
	}
}
