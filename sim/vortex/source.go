package vortex

import (
	"math"

	"breakwater/sim/dice"
	"breakwater/sim/vec"
	"breakwater/sim/vortex/vorticity"
)

// Region is a part of space.
type Region interface {
	// Bounds returns a box with the whole region in it.
	Bounds() vec.Box
	Contains(x vec.Vec3) bool
}

// Source adds particles at random places of a region, at steady rates. The places depend
// on the numbers of the source and of the particle, and how many there are on time alone.
// With the solver mesh, the region also keeps the temperature and the mixture of the source,
// unless it is a burner.
type Source struct {
	Region      Region
	Vortons     float64 // per second; they bring heat and fuel, but no vorticity
	Tracers     float64 // per second
	Radius      float64 // of a vorton, m
	Temperature float64 // K
	Flow        float64 // volume of gas per time that expands out of it, m³/s
	Burner      bool    // whether only the gas of Flow has its temperature and mixture
	Mix         Blend
	Eddies      Eddies  // that stir its gas, with the solver mesh
	Start, Stop float64 // s
}

// due returns how many particles a source with a rate per second has added at time t.
func (s *Source) due(rate, t float64) uint64 {
	return uint64(math.Floor(rate * max(0, min(t, s.Stop)-s.Start)))
}

// emit adds what the sources give off from the present time to the time next: tracers, and
// vortons unless the solver does without. If there are too many tracers then, the oldest go.
func (f *Flow) emit(gas *Gas, next float64, vortons bool) {
	for k := range f.Sources {
		s := &f.Sources[k]
		for n := s.due(s.Vortons, f.Time); vortons && n < s.due(s.Vortons, next); n++ {
			f.AddVorton(somewhere(s.Region, dice.New(uint64(k), 0, n)), vec.Vec3{}, s.Radius, gas.DensityOf(s.Temperature), s.Mix)
		}
		for n := s.due(s.Tracers, f.Time); n < s.due(s.Tracers, next); n++ {
			f.AddTracer(somewhere(s.Region, dice.New(uint64(k), 1, n)), s.Temperature, s.Mix)
		}
	}
	f.Tracers.limit()
}

// tries is how many points of a box are tried for one in the region. A region that fills
// a hundredth of its box is missed once in 20,000 particles.
const tries = 1000

// somewhere returns a random point of a region, or the middle of its bounds.
func somewhere(r Region, d dice.Dice) vec.Vec3 {
	b := r.Bounds()
	size := b.Size()
	for k := range uint64(tries) {
		x := b.Min.Add(vec.New(size.X*d.Float(3*k), size.Y*d.Float(3*k+1), size.Z*d.Float(3*k+2)))
		if r.Contains(x) {
			return x
		}
	}
	return b.Center()
}

// FillTracers adds tracers in a region, one at a random place in each cube of a lattice
// with the given edge in m.
func (f *Flow) FillTracers(r Region, edge, temperature float64, mix Blend) {
	b := r.Bounds()
	size := b.Size()
	var n [3]int
	for a, l := range size.Array() {
		n[a] = max(1, int(math.Ceil(l/edge-1e-9)))
	}
	first := b.Center().Sub(vec.New(float64(n[0]), float64(n[1]), float64(n[2])).Mul(edge / 2))
	for k := range n[2] {
		for j := range n[1] {
			for i := range n[0] {
				d := dice.New(uint64(i), uint64(j), uint64(k))
				x := first.Add(vec.New(float64(i)+d.Float(0), float64(j)+d.Float(1), float64(k)+d.Float(2)).Mul(edge))
				if r.Contains(x) {
					f.AddTracer(x, temperature, mix)
				}
			}
		}
	}
}

// Core is the region where the vorticity of a distribution exceeds a tenth of the highest
// on a lattice of the given edge in m.
type Core struct {
	vorticity.Distribution
	least float64
}

// NewCore returns the core of a distribution.
func NewCore(d vorticity.Distribution, edge float64) Core {
	most := 0.
	places(d.Bounds(), edge, func(x vec.Vec3) { most = max(most, d.Vorticity(x).Len()) })
	return Core{d, most / 10}
}

// Contains implements Region.
func (c Core) Contains(x vec.Vec3) bool { return c.Vorticity(x).Len() > c.least }
