package raster

import (
	"fmt"
	"image"

	"breakwater/raster/grains"
	"breakwater/sim/particle"
	"breakwater/sim/vec"
)

// PathLook is a GasLook that also draws where the particles were.
type PathLook interface {
	GasLook
	// Trail returns for how long before a picture, in simulated seconds.
	Trail() float64
}

func init() {
	Looks.Add("paths", "the paths of the vortons or of the tracers of a gas", "Gourlay 2012", func() Look {
		return &paths{Of: "vortons", Length: 1, Every: 1, Color: vec.Vec3{X: 0.25, Y: 0.6, Z: 1}, Opacity: 0.7}
	})
}

// paths shows the paths of particles as lines that glow.
type paths struct {
	Of      string   `toml:"of" oneof:"vortons tracers" doc:"The particles whose paths are shown."`
	Length  float64  `toml:"trail" unit:"s" range:"(0, inf)" doc:"Simulated time that a path goes back. Corners of a path are where the particle was in the frames."`
	Every   int      `toml:"every" range:"[1, 1000000]" doc:"Every how many-th particle has a path, by its number."`
	Width   float64  `toml:"width" unit:"m" range:"[0, inf)" doc:"Width of a line; 0 is a twentieth of a cell. Lines are never finer than a pixel."`
	Opacity float64  `toml:"opacity" unit:"1" range:"(0, 1]" doc:"Share of the light from behind that a line stops at its new end; it fades to its old end."`
	Color   vec.Vec3 `toml:"color" color:"linear" unit:"1" range:"[0, 1]" doc:"Colour of the lines, linear red, green and blue."`
}

func (*paths) DrawsParticles() {}

func (*paths) DrawsGas() {}

func (l *paths) Trail() float64 { return l.Length }

func (l *paths) dropMaterial() dropMaterial { return dropMaterial{glow: rgb(l.Color)} }

func (l *paths) Draw(v *View) (*image.RGBA, error) {
	if err := v.Validate(); err != nil {
		return nil, err
	}
	shown := *v
	shown.Liquid, shown.Grains, shown.Shutter, shown.Streaks = nil, nil, 0, 1
	if p := v.Particles; p != nil {
		g, err := l.lines(p)
		if err != nil {
			return nil, err
		}
		if g.Len() > 0 {
			shown.Grains = g
		}
	}
	return drawGas(&shown)
}

// lines returns the paths of p.
func (l *paths) lines(p *Particles) (*grains.Parcels, error) {
	width := l.Width
	if width == 0 {
		width = p.Spacing / 20
	}
	g := &grains.Parcels{Spacing: p.Spacing, Whole: true}
	of := func(x *Particles) *particle.Set {
		if l.Of == "tracers" {
			return x.Set
		}
		return x.Vortons
	}
	now := p
	for k := range p.Before {
		before := &p.Before[k]
		a, b := of(before), of(now)
		if a == nil || b == nil {
			return nil, fmt.Errorf("raster: paths: the frame has no %s", l.Of)
		}
		old := make(map[uint32]int, a.Len())
		for i, id := range a.ID {
			old[id] = i
		}
		fresh := 1 - (p.Time-now.Time)/l.Length
		for i, id := range b.ID {
			if j, ok := old[id]; ok && id%uint32(l.Every) == 0 && a.X[j] != b.X[i] {
				line(g, a.X[j], b.X[i], width, l.Opacity*max(0.05, fresh))
			}
		}
		now = before
	}
	return g, nil
}
