package validate

import (
	"fmt"
	"math"

	"breakwater/raster/figure"
	"breakwater/sim"
	"breakwater/sim/boundary"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

func init() {
	registerSolved("vessels", "water at rest in tanks that no lattice fits: a round floor, two slopes, and around a disc on the floor", "", vessels)
}

// vessel is a two-dimensional tank with water up to y = depth.
type vessel struct {
	name   string
	walls  func(depth float64) []boundary.Boundary
	liquid func(depth float64) shape.Shape
	volume func(depth float64) float64 // m², of the water
}

var allVessels = []vessel{
	{
		name: "round floor", // half a circle of radius depth
		walls: func(depth float64) []boundary.Boundary {
			return []boundary.Boundary{&boundary.Sphere{Center: vec.New(0, depth, 0), Radius: depth, Inside: true}}
		},
		liquid: func(depth float64) shape.Shape {
			return &shape.Box{Min: vec.New(-depth, 0, 0), Max: vec.New(depth, depth, 0)}
		},
		volume: func(depth float64) float64 { return math.Pi / 2 * depth * depth },
	},
	{
		name: "slopes", // of 1:1 and 1:2, which meet at the origin
		walls: func(float64) []boundary.Boundary {
			return []boundary.Boundary{&boundary.Plane{Normal: vec.New(1, 1, 0)}, &boundary.Plane{Normal: vec.New(-1, 2, 0)}}
		},
		liquid: func(depth float64) shape.Shape {
			return &shape.Box{Min: vec.New(-depth, 0, 0), Max: vec.New(2*depth, depth, 0)}
		},
		volume: func(depth float64) float64 { return 1.5 * depth * depth },
	},
	{
		name: "disc", // of radius depth/3, cut by the floor at a quarter of its height
		walls: func(depth float64) []boundary.Boundary {
			return []boundary.Boundary{
				&boundary.Box{Max: vec.New(2*depth, 2*depth, 0), Inside: true},
				&boundary.Sphere{Center: vec.New(depth, depth/6, 0), Radius: depth / 3},
			}
		},
		liquid: func(depth float64) shape.Shape { return &shape.Box{Max: vec.New(2*depth, depth, 0)} },
		volume: func(depth float64) float64 {
			// The part of the disc above a chord at half its radius below the centre.
			r := depth / 3
			return float64(2*depth*depth) - float64(r*r*(math.Pi-math.Acos(0.5)+math.Sqrt(3)/4))
		},
	},
}

// vessels measures how much water at rest moves after 2 s beside round and sloping walls, and
// whether it has its volume. The exact solution does not move.
func vessels(r *Run) (*Result, error) {
	const depth, end = 0.3, 2.
	layers := [2]float64{r.pick(50, 25), r.pick(100, 50)}
	var worlds []*sim.World
	var curves []figure.Curve
	var m []Measure
	for _, v := range allVessels {
		var d, rms [2]float64
		for k, n := range layers {
			d[k] = depth / n
			w := sim.New2D(d[k], 1000)
			w.Gravity, w.Viscosity, w.Walls = vec.New(0, -9.81, 0), 1e-6, v.walls(depth)
			x, err := r.rest(w, v.liquid(depth), depth, end)
			if err != nil {
				return nil, err
			}
			rms[k], worlds = x.rms.last(), append(worlds, w)
			name := fmt.Sprintf("%s, H/d = %g", v.name, n)
			curves = append(curves, figure.Curve{Name: name, X: x.rms.x, Y: x.rms.y})
			m = append(m,
				number(name+": v_rms/√(gH)", "", rms[k], 0, 1, r.pick(0.002, 0.02)),
				number(name+": v_max/√(gH)", "", x.most.last(), 0, 1, r.pick(0.01, 0.06)),
				number(name+": volume", "m²", float64(w.Len())*w.ParticleVolume(), v.volume(depth), v.volume(depth), 0.01))
		}
		m = append(m, orderOf(v.name+": v_rms", d, rms))
	}
	m = append(m, lasted(end, worlds...))
	plot := &figure.Plot{Columns: 1, Panels: []figure.Panel{{
		Name: "speeds", X: figure.Axis{Label: "time (s)"}, Y: figure.Axis{Label: "speed v_rms/√(gH)", Log: true}, Curve: curves,
	}}}
	return r.result(worlds[len(worlds)-1], plot, m...), nil
}
