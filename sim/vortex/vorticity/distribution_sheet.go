package vorticity

import (
	"math"

	"breakwater/sim/num"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

func init() {
	Distributions.Register(registry.Entry[Distribution]{
		Name: "sheet", Doc: "a layer between gas that moves one way and gas that moves the other way", Cite: "Gourlay 2012",
		New: func(d registry.Decode) (Distribution, error) {
			s := &Sheet{Normal: vec.New(0, 1, 0), Along: vec.New(1, 0, 0), Length: 2, Width: 1, Thickness: 0.1, Jump: 1}
			return s, d(s)
		},
	})
}

// Sheet is the curl of the velocity ½ jump tanh(z/D) along a direction, z the distance
// from the middle plane. The thickness varies across the direction, once over the width:
//
//	D(y) = thickness (1 + variation (1 − cos(2πy/width))/2).
type Sheet struct {
	Center    vec.Vec3 `toml:"center" unit:"m" doc:"Centre."`
	Normal    vec.Vec3 `toml:"normal" unit:"1" doc:"Direction across the sheet."`
	Along     vec.Vec3 `toml:"along" unit:"1" doc:"Direction in which the gas on the side of the normal moves."`
	Length    float64  `toml:"length" unit:"m" range:"(0, inf)" doc:"Length in the direction of the flow."`
	Width     float64  `toml:"width" unit:"m" range:"(0, inf)" doc:"Width across the flow."`
	Thickness float64  `toml:"thickness" unit:"m" range:"(0, inf)" doc:"Least half thickness."`
	Variation float64  `toml:"variation" unit:"1" range:"[0, 10]" doc:"Share by which the thickness varies across the flow."`
	Jump      float64  `toml:"jump" unit:"m/s" doc:"Difference of the velocities on both sides."`
}

// axes returns unit vectors along the flow, across it in the sheet, and across the sheet.
func (s *Sheet) axes() (along, span, normal vec.Vec3) {
	normal = s.Normal.Unit()
	along = s.Along.Sub(normal.Mul(s.Along.Dot(normal))).Unit()
	return along, normal.Cross(along), normal
}

// Vorticity implements Distribution.
func (s *Sheet) Vorticity(x vec.Vec3) vec.Vec3 {
	along, span, normal := s.axes()
	d := x.Sub(s.Center)
	y, z := d.Dot(span), d.Dot(normal)
	if math.Abs(d.Dot(along)) > s.Length/2 || math.Abs(y) > s.Width/2 {
		return vec.Vec3{}
	}
	k := 2 * math.Pi / s.Width
	thick := float64(s.Thickness * (1 + float64(s.Variation*(1-math.Cos(float64(k*y)))/2)))
	slope := float64(s.Thickness * s.Variation * k * math.Sin(float64(k*y)) / 2)
	e := num.Exp(-math.Abs(z / thick))
	sech := 2 * e / (1 + float64(e*e))
	w := s.Jump / 2 * sech * sech / thick
	return span.Mul(w).Add(normal.Mul(w * z * slope / thick))
}

// Bounds implements Distribution.
func (s *Sheet) Bounds() vec.Box {
	along, span, normal := s.axes()
	b := vec.Empty()
	for c := range 8 {
		x := s.Center
		for a, side := range [3]vec.Vec3{along.Mul(s.Length / 2), span.Mul(s.Width / 2), normal.Mul(4 * s.Thickness * (1 + s.Variation))} {
			if c>>a&1 == 0 {
				side = side.Neg()
			}
			x = x.Add(side)
		}
		b = b.Include(x)
	}
	return b
}
