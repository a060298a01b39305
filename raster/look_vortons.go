package raster

import (
	"fmt"
	"image"
	"math"

	"breakwater/raster/color"
	"breakwater/raster/overlay"
	"breakwater/sim/particle"
	"breakwater/sim/vec"
)

func init() {
	Looks.Add("vortons", "the vortons of a gas as balls, coloured by a quantity, with a scale", "Gourlay 2012", func() Look {
		return &vortons{By: "vorticity"}
	})
}

// vortons shows each vorton as a ball.
type vortons struct {
	By     string  `toml:"by" oneof:"vorticity speed temperature" doc:"Quantity shown as colour: vorticity in 1/s, speed in m/s, or temperature in K."`
	Min    float64 `toml:"min" unit:"1" doc:"Value of the darkest colour, in the unit of the scale."`
	Max    float64 `toml:"max" unit:"1" doc:"Value of the brightest colour. If neither min nor max is given, the range is 0 to the highest value in the frame, or of temperatures the range in the frame."`
	Radius float64 `toml:"radius" unit:"m" range:"[0, inf)" doc:"Radius of the balls; 0 uses a quarter of a cell."`
}

func (*vortons) DrawsParticles() {}

func (*vortons) DrawsGas() {}

func (*vortons) sharp() {}

func (l *vortons) Draw(v *View) (*image.RGBA, error) {
	if err := v.Validate(); err != nil {
		return nil, err
	}
	p := v.Particles
	if p == nil || p.Vortons == nil {
		p = &Particles{Set: &particle.Set{}, Vortons: &particle.Set{}, Spacing: 1}
	}
	set := p.Vortons
	values, s, err := l.values(set, p.Ambient*p.Density)
	if err != nil {
		return nil, err
	}
	radius := l.Radius
	if radius == 0 {
		radius = p.Spacing / 4
	}
	return drawBalls(v, set.X, radius, func(i int) float64 { return values[i] }, s)
}

// values returns the coloured quantity of each vorton, and its scale. The temperature
// is heat, in K kg/m³, over the density.
func (l *vortons) values(set *particle.Set, heat float64) (values []float64, s overlay.Scale, err error) {
	var of func(i int) float64
	switch l.By {
	case "vorticity":
		wx, wy, wz := attribute(set, "wx"), attribute(set, "wy"), attribute(set, "wz")
		of = func(i int) float64 { return vec.New(wx[i], wy[i], wz[i]).Len() }
		s = overlay.Scale{Title: "vorticity", Unit: "1/s"}
	case "speed":
		of = func(i int) float64 { return set.V[i].Len() }
		s = overlay.Scale{Title: "speed", Unit: "m/s"}
	case "temperature":
		of = func(i int) float64 { return heat / set.Rho[i] }
		s = overlay.Scale{Title: "temperature", Unit: "K", Min: math.Inf(1)}
	default:
		return nil, s, fmt.Errorf("raster: vortons cannot be coloured by %q", l.By)
	}
	values = make([]float64, set.Len())
	for i := range values {
		values[i] = of(i)
		s.Min, s.Max = min(s.Min, values[i]), max(s.Max, values[i])
	}
	if l.Min != 0 || l.Max != 0 {
		s.Min, s.Max = l.Min, l.Max
	}
	if !(s.Max > s.Min) || math.IsInf(s.Min, 1) {
		s.Min = min(s.Max, s.Min)
		s.Max = s.Min + 1
	}
	s.Color = color.Viridis
	return values, s, nil
}
