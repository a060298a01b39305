package surface

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"breakwater/sim/longtest"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

// spray is a block of liquid, and groups of one to four particles above it.
func spray(lone int) (c Cloud, groups, particles int) {
	const d = 0.02
	c.Spacing = d
	c.X = lattice(vec.Box{Max: vec.New(24*d, 10*d, 24*d)}, d, 0.1, 3)
	rng := rand.New(rand.NewPCG(4, 4))
	for k := range lone {
		at := vec.New(float64(k%12)*5*d, 20*d, float64(k/12)*5*d)
		n := 1 + k%4
		for i := range n {
			c.X = append(c.X, at.Add(vec.New(float64(i)*0.8*d, 0.3*d*rng.Float64(), 0)))
		}
		particles += n
	}
	return c, lone, particles
}

// TestStrays has tiny groups kept, dropped and made droplets: they must be
// counted, be gone, or be round, of many sizes, and of their volume together.
func TestStrays(t *testing.T) {
	longtest.Only(t)
	c, groups, particles := spray(60)
	cube := math.Pow(c.Spacing, 3)
	for _, e := range Methods.Entries() {
		for _, what := range []string{"keep", "drop", "drops"} {
			t.Run(e.Name+" "+what, func(t *testing.T) {
				m, err := e.New(func(s any) error { return settings(s, func(s *meshing) { s.Strays = what }) })
				if err != nil {
					t.Fatal(err)
				}
				got := surfaceOf(t, m, c)
				if counts := m.Counts(); counts.StrayParticles != particles || counts.Strays < groups {
					t.Errorf("%d strays of %d particles, want %d of %d", counts.Strays, counts.StrayParticles, groups, particles)
				}
				_, pieces := got.Components()
				want := len(c.X)
				if what == "drop" {
					want -= particles
					if len(pieces) != 1 {
						t.Errorf("%d pieces are left", len(pieces))
					}
				}
				if v := got.Volume() / (cube * float64(want)); math.Abs(v-1) > 0.003 {
					t.Errorf("volume: %.5g of the particles'", v)
				}
				if what != "drops" {
					return
				}
				var sizes []float64
				for _, p := range pieces {
					if p.Volume < 20*cube {
						sizes = append(sizes, p.Volume/cube)
						if round := p.Sphericity(); round < 0.95 {
							t.Errorf("a droplet of %.2g particles has a sphericity of %.3f", p.Volume/cube, round)
						}
					}
				}
				slices.Sort(sizes)
				if n := len(sizes); n < groups || sizes[n/10] > 0.7*sizes[n/2] || sizes[9*n/10] < 1.5*sizes[n/2] {
					t.Errorf("sizes of droplets: %.2g", sizes)
				}
			})
		}
	}
}

// TestStraysKeepTheirSize: a droplet is as large in the next frame, wherever its
// particle stands in the list by then.
func TestStraysKeepTheirSize(t *testing.T) {
	const d = 0.02
	m, err := Methods.New("sph", func(s any) error { return settings(s, func(s *meshing) { s.Strays = "drops" }) })
	if err != nil {
		t.Fatal(err)
	}
	c := Cloud{Spacing: d, X: lattice(vec.Box{Max: vec.New(20*d, 20*d, 20*d)}, d, 0.1, 3)}
	for i := range c.X {
		c.ID = append(c.ID, uint32(i))
	}
	size := func(at vec.Vec3) float64 {
		got := surfaceOf(t, m, c)
		of, pieces := got.Components()
		for v, p := range got.Pos {
			if p.Sub(at).Len() < 2*d {
				return pieces[of[v]].Volume
			}
		}
		t.Fatalf("no droplet at %v", at)
		return 0
	}
	a, b := vec.New(-1, 0, 0), vec.New(-1, 0.003, 0.005)
	c.X, c.ID = append(c.X, a), append(c.ID, 99999)
	before := size(a)
	c.X, c.ID = append([]vec.Vec3{b}, c.X[:len(c.X)-1]...), append([]uint32{99999}, c.ID[:len(c.ID)-1]...)
	if after := size(b); math.Abs(after-before) > 0.005*before {
		t.Errorf("a droplet of %.4g m³ is one of %.4g m³ in the next frame", before, after)
	}
}

func TestDropletVolume(t *testing.T) {
	const n = 100000
	var sum, least, most float64 = 0, math.Inf(1), 0
	for id := range uint32(n) {
		v := dropletVolume(id)
		sum, least, most = sum+v, min(least, v), max(most, v)
	}
	if mean := sum / n; math.Abs(mean-1) > 0.01 || least > 0.1 || most < 2.9 || most > 3.1 {
		t.Errorf("droplets of %.3g to %.3g volumes of a particle, %.4g in the mean", least, most, mean)
	}
}

// settings changes the settings that all methods share in one method's settings.
func settings(s any, change func(*meshing)) error {
	switch s := s.(type) {
	case *sph:
		change(&s.meshing)
	case *zhuBridson:
		change(&s.meshing)
	case *onderik:
		change(&s.meshing)
	case *solenthaler:
		change(&s.meshing)
	case *yuTurk:
		change(&s.meshing)
	case *levelSet:
		change(&s.meshing)
	}
	return nil
}

// TestCavities encloses air in a ball of liquid, and a drop in the air. Filled, one piece
// remains, with the same outer size, and the counts report it.
func TestCavities(t *testing.T) {
	longtest.NotShort(t)
	const d, inner, outer = 0.02, 4.5, 8.5
	c := Cloud{Spacing: d}
	for _, p := range lattice(vec.Box{Min: vec.New(-10*d, -10*d, -10*d), Max: vec.New(10*d, 10*d, 10*d)}, d, 0.05, 1) {
		if r := p.Len() / d; r > inner && r < outer || r < 1.5 {
			c.X = append(c.X, p)
		}
	}
	for _, e := range Methods.Entries() {
		t.Run(e.Name, func(t *testing.T) {
			m, err := e.New(registry.None)
			if err != nil {
				t.Fatal(err)
			}
			got := surfaceOf(t, m, c)
			counts := m.Counts()
			if r := got.Report(); r.Components != 1 || r.Cavities != 0 || counts.Filled != 1 || counts.Cavities != 0 {
				t.Errorf("filled: %d pieces, %d of them cavities; reported %+v", r.Components, r.Cavities, counts)
			}
			ball := 4 * math.Pi / 3 * math.Pow(outer*d, 3)
			if v := got.Volume(); math.Abs(v-ball) > 0.06*ball {
				t.Errorf("filled, it has %.4g of the volume of the ball", v/ball)
			}
			m, err = e.New(func(s any) error { return settings(s, func(s *meshing) { s.Cavities = "keep" }) })
			if err != nil {
				t.Fatal(err)
			}
			got = surfaceOf(t, m, c)
			counts = m.Counts()
			if r := got.Report(); r.Components != 3 || r.Cavities != 1 || counts.Filled != 0 || counts.Cavities != 1 {
				t.Errorf("kept: %d pieces, %d of them cavities; reported %+v", r.Components, r.Cavities, counts)
			}
			if v, want := got.Volume(), d*d*d*float64(len(c.X)); math.Abs(v-want) > 0.01*want {
				t.Errorf("kept, it has %.4g of the particles' volume", v/want)
			}
		})
	}
}

// TestNoCavities meshes random froth: by default it has no inner wall.
func TestNoCavities(t *testing.T) {
	longtest.Only(t)
	const d = 0.02
	family(t, func(t *testing.T, m Method) {
		for seed := range uint64(4) {
			rng := rand.New(rand.NewPCG(seed, 2))
			c := Cloud{Spacing: d}
			edge := []float64{10, 14, 18, 24}[seed] * d
			for range 2500 {
				c.X = append(c.X, vec.New(rng.Float64(), rng.Float64(), rng.Float64()).Mul(edge))
			}
			if r := surfaceOf(t, m, c).Report(); r.Cavities > 0 {
				t.Errorf("seed %d: %d cavities in %d pieces", seed, r.Cavities, r.Components)
			}
		}
	})
}
