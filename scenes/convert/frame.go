// Package convert turns whitewater into particles with fields, which formats of points and
// archives write, and into grains, which are drawn.
package convert

import (
	"breakwater/out"
	"breakwater/out/particles"
	"breakwater/raster/grains"
	"breakwater/sim/boundary"
	"breakwater/sim/particle"
	"breakwater/sim/vec"
	"breakwater/sim/whitewater"
)

// Frame returns whitewater as particles with fields, which formats of points and
// archives write. density is the density of the liquid, kg/m³.
func Frame(n int, state *whitewater.State, density float64) *out.Frame {
	p := &state.Parcels
	size := p.Len()
	s := &particle.Set{X: make([]vec.Vec3, size), V: make([]vec.Vec3, size), Rho: make([]float64, size), ID: make([]uint32, size)}
	for i := range size {
		s.X[i], s.V[i], s.Rho[i], s.ID[i] = p.At(i), p.Velocity(i), density, uint32(p.ID[i])
	}
	field := func(name string, of func(i int) float64) particles.Field {
		f := particles.Field{Name: name, Scalar: make([]float64, size)}
		for i := range f.Scalar {
			f.Scalar[i] = of(i)
		}
		return f
	}
	width := field(out.ParcelWidth, func(i int) float64 { return 2 * p.Shown(i) })
	kind := field(out.ParcelKind, func(i int) float64 { return float64(p.Kind[i].Kind()) })
	width.Length, kind.Whole = true, true
	return &out.Frame{
		Index: n, Time: state.Time, Particles: s,
		Fields: []particles.Field{
			width, kind,
			field(out.ParcelCount, func(i int) float64 { return float64(p.N[i]) }),
			field(out.ParcelAge, func(i int) float64 { return float64(p.Age[i]) }),
		},
	}
}

// Grains returns whitewater as it is drawn, of a liquid of particles d apart whose threads
// break within the time breakup, s, among the walls where they are now. Drops on walls above
// the height rim are not seen, nor are the walls. It keeps slices of p.
func Grains(p whitewater.Parcels, d, breakup float64, walls []boundary.Boundary, rim float64) *grains.Parcels {
	size := p.Len()
	g := &grains.Parcels{
		X: make([]vec.Vec3, size), V: make([]vec.Vec3, size), Radius: make([]float32, size), Count: p.N, ID: p.ID, Kind: make([]grains.Kind, size),
		Age: p.Age, Sticks: make([]bool, size), Spacing: d, Breakup: breakup,
	}
	for i := range size {
		g.X[i], g.V[i], g.Radius[i], g.Kind[i] = p.At(i), p.Velocity(i), float32(p.Shown(i)), grainKinds[p.Kind[i].Kind()]
		if g.Sticks[i] = p.Kind[i].Clings(); g.Sticks[i] && g.X[i].Y > rim {
			g.Radius[i] = 0
		}
	}
	if len(walls) > 0 {
		g.Free = func(x vec.Vec3, far float64) (d float64, n vec.Vec3) { return whitewater.Free(walls, x, far) }
	}
	return g
}

// grainKinds are the kinds of whitewater as pictures name them.
var grainKinds = [whitewater.Kinds]grains.Kind{
	whitewater.Spray: grains.Spray, whitewater.Foam: grains.Foam, whitewater.Bubble: grains.Bubble, whitewater.Mist: grains.Mist,
}
