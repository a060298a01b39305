package raster

import (
	"image"
	"math"

	"breakwater/raster/bvh"
	"breakwater/raster/color"
	"breakwater/raster/grains"
	"breakwater/raster/optics"
	"breakwater/sim/particle"
	"breakwater/sim/vec"
)

// GasLook is a ParticleLook that draws a gas.
type GasLook interface {
	ParticleLook
	DrawsGas()
}

func init() {
	Looks.Add("tracers", "the tracers of a gas as fine smoke, with flames that glow", "", func() Look {
		return &tracers{Color: vec.Vec3{X: 0.92, Y: 0.92, Z: 0.92}, Opacity: 0.5, Glow: 1, Flame: vec.Vec3{X: 1, Y: 0.36, Z: 0.07}}
	})
}

// tracers shows each tracer as a puff of smoke.
type tracers struct {
	Color   vec.Vec3 `toml:"color" color:"linear" unit:"1" range:"[0, 1]" doc:"Share of the light that smoke scatters and does not absorb, linear red, green and blue."`
	Radius  float64  `toml:"radius" unit:"m" range:"[0, inf)" doc:"Radius of the puff of smoke that a tracer shows; 0 is half the distance of the tracers at the start."`
	Opacity float64  `toml:"opacity" unit:"1" range:"(0, 100]" doc:"Extinction of a tracer that is all smoke: its area in the light, over the area of its puff. A flame counts as smoke, and fuel is clear."`
	Glow    float64  `toml:"glow" unit:"1" range:"[0, inf)" doc:"Radiance of a tracer that is all flame; 1 is as bright as white paper in the sun."`
	Flame   vec.Vec3 `toml:"flame" color:"linear" unit:"1" range:"[0, 1]" doc:"Colour of flames, linear red, green and blue."`
}

func (*tracers) DrawsParticles() {}

func (*tracers) DrawsGas() {}

func (l *tracers) dropMaterial() dropMaterial {
	return dropMaterial{color: rgb(l.Color), flame: rgb(l.Flame).Scale(l.Glow)}
}

func (l *tracers) Draw(v *View) (*image.RGBA, error) {
	if err := v.Validate(); err != nil {
		return nil, err
	}
	shown := *v
	shown.Liquid, shown.Grains = nil, nil
	if p := v.Particles; p != nil && p.Len() > 0 {
		shown.Grains = l.smoke(p)
	}
	return drawGas(&shown)
}

// finest is the radius of the grains that a puff is made of, over the radius of the puff:
// so fine that none is seen as a ball.
const finestPuff = 1e-3

// smoke returns the tracers as grains.
func (l *tracers) smoke(p *Particles) *grains.Parcels {
	radius := l.Radius
	if radius == 0 {
		radius = p.Apart / 2
	}
	n := p.Len()
	g := &grains.Parcels{
		X: p.X, V: p.V, Radius: make([]float32, n), Count: make([]float32, n), ID: make([]uint64, n), Kind: make([]grains.Kind, n),
		Glow: make([]float32, n), Spacing: radius / 0.3, // grains lie within 0.3 of it
	}
	smoke, flame := attribute(p.Set, "smoke"), attribute(p.Set, "flame")
	for i := range p.X {
		g.ID[i] = uint64(p.ID[i])
		g.Radius[i] = float32(finestPuff * radius)
		g.Count[i] = float32(l.Opacity * (smoke[i] + flame[i]) / (finestPuff * finestPuff))
		if share := smoke[i] + flame[i]; share > 0 {
			g.Glow[i] = float32(flame[i] / share)
		}
	}
	return g
}

// attribute returns an attribute of particles, all zero for one that they lack.
func attribute(s *particle.Set, name string) []float64 {
	for _, a := range s.Attr {
		if a.Name == name {
			return a.Data
		}
	}
	return make([]float64, s.Len())
}

// drawGas draws v, whose grains are a gas.
func drawGas(v *View) (*image.RGBA, error) {
	return drawLiquid(v, optics.Medium{Index: 1}, true, func(*scene, *buffers, int, ray) color.RGB { return color.RGB{} }, func(t *tracer) {
		t.shadeOpaque(func(ray, bvh.Hit) color.RGB { return color.RGB{} })
	})
}

// line returns grains that look like a line from a to b, which is seen as a streak.
func line(g *grains.Parcels, a, b vec.Vec3, width, opacity float64) {
	r := finestPuff * width
	g.X, g.V = append(g.X, a.Lerp(b, 0.5)), append(g.V, b.Sub(a))
	g.Radius, g.ID, g.Kind = append(g.Radius, float32(r)), append(g.ID, uint64(len(g.ID))), append(g.Kind, grains.Spray)
	// A streak of n grains of the area πr² is as wide as its length times the width.
	g.Count = append(g.Count, float32(opacity*width*b.Sub(a).Len()/(math.Pi*r*r)))
}
