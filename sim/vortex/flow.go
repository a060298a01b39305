// Package vortex simulates a gas by vortex particles, here called vortons, which carry
// vorticity. Tracers are particles that drift with the gas and show it.
//
// The solver gourlay follows the articles of Gourlay, Fluid Simulation for Video Games,
// parts 3 to 13, 2009 to 2012. A technique (direct sums, a tree, Poisson's equation, or
// particle in cell) gives the velocity at the points of a grid, or at the vortons. The
// grid is fitted to the particles before each step, and migrates with them.
//
//   - flow.go, gas.go: the state and the properties of the gas; state.go, as bytes; fill.go and
//     source.go, particles at the start and later; invariants.go, jerk.go, what is measured
//   - solver.go, solver_*.go: the solvers; particles.go, the end of a step of each
//   - of gourlay: technique.go, velocity_*.go, stretch.go, diffuse.go, drift.go
//   - of vortons: stages.go, stretch_rates.go, align.go, split.go, merge.go
//   - of mesh: mesh_*.go
//   - buoyancy.go, burn.go, body.go, body_*.go: weight, burning and bodies, for all of them
//
// Package vorticity has the fields of vorticity at the start, and package grid the grids.
//
// Units are SI, and y is up. The bytes of a result do not depend on the number of
// threads.
package vortex

import (
	"math"

	"breakwater/sim/body"
	"breakwater/sim/vec"
)

// Flow is the state of a gas.
type Flow struct {
	Vortons Vortons
	Tracers Tracers
	Bodies  []*Body
	Sources []Source
	Time    float64 // s

	next uint32      // number of the next particle
	free body.System // the bodies that move freely, in their order
	size float64     // of what contacts tell apart, m; see SetSolids
}

// Vortons are balls of even vorticity. All slices have the same length.
type Vortons struct {
	ID      []uint32 // ascending
	X       []vec.Vec3
	V       []vec.Vec3 // velocity in the last step, m/s
	W       []vec.Vec3 // vorticity ω, 1/s; the articles store the angular velocity ω/2
	Radius  []float64  // m
	Density []float64  // kg/m³
	Mix     Mixture
	Age     []float64 // s
}

// Tracers drift with the gas. All slices have the same length.
type Tracers struct {
	ID          []uint32 // ascending
	X           []vec.Vec3
	V           []vec.Vec3 // m/s
	Temperature []float64  // of the gas around it, K
	Mix         Mixture
	Age         []float64 // s
	Radius      float64   // m, with which they collide
	Mass        float64   // of one, kg
	Most        int       // number above which sources make the oldest go; 0 for no limit
}

// Mixture holds the mass fractions of what burns, of each particle.
type Mixture struct {
	Fuel, Flame, Smoke []float64
}

// Blend is the mixture of one particle.
type Blend struct{ Fuel, Flame, Smoke float64 }

// Len returns the number of vortons.
func (v *Vortons) Len() int { return len(v.X) }

// Volume returns the volume of vorton i in m³.
func (v *Vortons) Volume(i int) float64 { return ballVolume(v.Radius[i]) }

// Strength returns α, the vorticity of vorton i times its volume, in m³/s.
func (v *Vortons) Strength(i int) vec.Vec3 { return v.W[i].Mul(v.Volume(i)) }

func ballVolume(r float64) float64 { return float64(4 * math.Pi / 3 * r * r * r) }

// BallRadius returns the radius of a ball of the given volume.
func BallRadius(volume float64) float64 { return math.Cbrt(3 * volume / (4 * math.Pi)) }

// AddVorton adds a vorton at rest.
func (f *Flow) AddVorton(x, vorticity vec.Vec3, radius, density float64, mix Blend) {
	v := &f.Vortons
	v.ID = append(v.ID, f.next)
	f.next++
	v.X, v.V, v.W = append(v.X, x), append(v.V, vec.Vec3{}), append(v.W, vorticity)
	v.Radius, v.Density = append(v.Radius, radius), append(v.Density, density)
	v.Mix.add(mix)
	v.Age = append(v.Age, 0)
}

// AddTracer adds a tracer of the given temperature in K.
func (f *Flow) AddTracer(x vec.Vec3, temperature float64, mix Blend) {
	t := &f.Tracers
	t.ID = append(t.ID, f.next)
	f.next++
	t.X, t.V, t.Temperature = append(t.X, x), append(t.V, vec.Vec3{}), append(t.Temperature, temperature)
	t.Mix.add(mix)
	t.Age = append(t.Age, 0)
}

func (m *Mixture) add(b Blend) {
	m.Fuel, m.Flame, m.Smoke = append(m.Fuel, b.Fuel), append(m.Flame, b.Flame), append(m.Smoke, b.Smoke)
}

// move copies particle i to place k, and cut keeps the first n.
func (m *Mixture) move(k, i int) {
	m.Fuel[k], m.Flame[k], m.Smoke[k] = m.Fuel[i], m.Flame[i], m.Smoke[i]
}

func (m *Mixture) cut(n int) { m.Fuel, m.Flame, m.Smoke = m.Fuel[:n], m.Flame[:n], m.Smoke[:n] }

// Keep removes the vortons for which keep is false. The rest stay in order.
func (v *Vortons) Keep(keep func(i int) bool) {
	n := 0
	for i := range v.X {
		if keep(i) {
			v.ID[n], v.X[n], v.V[n], v.W[n] = v.ID[i], v.X[i], v.V[i], v.W[i]
			v.Radius[n], v.Density[n], v.Age[n] = v.Radius[i], v.Density[i], v.Age[i]
			v.Mix.move(n, i)
			n++
		}
	}
	v.ID, v.X, v.V, v.W = v.ID[:n], v.X[:n], v.V[:n], v.W[:n]
	v.Radius, v.Density, v.Age = v.Radius[:n], v.Density[:n], v.Age[:n]
	v.Mix.cut(n)
}

// Keep removes the tracers for which keep is false. The rest stay in order.
func (t *Tracers) Keep(keep func(i int) bool) {
	n := 0
	for i := range t.X {
		if keep(i) {
			t.ID[n], t.X[n], t.V[n], t.Temperature[n], t.Age[n] = t.ID[i], t.X[i], t.V[i], t.Temperature[i], t.Age[i]
			t.Mix.move(n, i)
			n++
		}
	}
	t.ID, t.X, t.V, t.Temperature, t.Age = t.ID[:n], t.X[:n], t.V[:n], t.Temperature[:n], t.Age[:n]
	t.Mix.cut(n)
}

// limit removes the oldest tracers above t.Most.
func (t *Tracers) limit() {
	if over := len(t.X) - t.Most; t.Most > 0 && over > 0 {
		t.Keep(func(i int) bool { return i >= over }) // the oldest come first
	}
}

// Bounds returns the smallest box with the balls of all vortons and tracers in it.
func (f *Flow) Bounds() vec.Box {
	b := vec.Empty()
	for i, x := range f.Vortons.X {
		b = b.Union(vec.Box{Min: x, Max: x}.Grow(f.Vortons.Radius[i]))
	}
	if len(f.Tracers.X) == 0 {
		return b
	}
	lo, hi := f.Tracers.X[0], f.Tracers.X[0]
	for _, x := range f.Tracers.X {
		widen(&lo.X, &hi.X, x.X)
		widen(&lo.Y, &hi.Y, x.Y)
		widen(&lo.Z, &hi.Z, x.Z)
	}
	return b.Union(vec.Box{Min: lo, Max: hi}.Grow(f.Tracers.Radius))
}

// widen extends the range from lo to hi to x. Places are numbers, and most are within, so that
// branches take half of the time of min and max.
func widen(lo, hi *float64, x float64) {
	if x < *lo {
		*lo = x
	}
	if x > *hi {
		*hi = x
	}
}
