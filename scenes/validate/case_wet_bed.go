package validate

import (
	"fmt"
	"math"

	"breakwater/raster/figure"
	"breakwater/sim"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

func init() {
	registerSolved("wet-bed", "a dam breaks over a wet bed: energy balance, and the speed of the bore", "Stoker 1957; Jánosi et al. 2004", wetBed)
}

// wetBed runs a column of water that breaks over shallow water in the tank of Jánosi et al.,
// Turbulent drag reduction in dam-break flows, Exp. Fluids 37, 2004. The bore is compared
// with the shallow-water equations, for information: they leave out vertical accelerations.
// By these equations the wave that comes back from the end of the reservoir does not reach
// the bore before the end of the tank does, so the bore's speed is constant.
func wetBed(r *Run) (*Result, error) {
	const high, low, dam, length, g = 0.15, 0.038, 0.38, 2.5, 9.81
	end := r.pick(1, 0.9)
	spacings := [2]float64{r.pick(0.004, 0.008), r.pick(0.002, 0.006)}
	s := newStoker(high, low, g)
	var lost, late [2]float64
	var worlds [2]*sim.World
	var energies, shapes []figure.Curve
	var m []Measure
	for k, d := range spacings {
		w := tank2D(d, length, 4*high)
		w.Fill(&shape.Box{Max: vec.New(dam, high, 0)}, vec.Vec3{})
		w.Fill(&shape.Box{Min: vec.New(dam, 0, 0), Max: vec.New(length, low, 0)}, vec.Vec3{})
		if err := w.Init(); err != nil {
			return nil, err
		}
		solver := r.solver()
		b := newBudget(w, solver)
		var front, depth series // over s, and over m
		err := r.outlast(w, solver, end, 100, func() error {
			b.add(w)
			depth = depths(w, length, 0.02)
			front.add(w.Time, farthestAbove(&depth, float64((s.middle+low)/2)))
			return nil
		})
		if err != nil {
			return nil, err
		}
		name := fmt.Sprintf("d = %g mm", 1000*d)
		// Over the second half of the run, when the bore has formed.
		half := front.between(end/2, end)
		speed := math.NaN()
		if n := len(half.x); n > 1 {
			speed = (half.last() - half.y[0]) / (half.x[n-1] - half.x[0])
		}
		lost[k], late[k], worlds[k] = b.lost(), math.Abs(speed/s.bore-1), w
		energies = append(energies, figure.Curve{Name: name, X: b.total.x, Y: percent(b.total.y)})
		shapes = append(shapes, figure.Curve{Name: name, X: depth.x, Y: depth.y})
		m = append(m,
			number(name+": largest gain of energy", "", max(0, highest(b.total.y)), 0, 1, 0.002),
			b.surplusOf(name, 0.002),
			note(name+": energy at the end", "", 1+b.total.last()),
			note(name+": lost to numerics", "", lost[k]),
			note(name+": lost to impacts", "", b.known(0-b.impacts)),
			number(name+": speed of the bore", "m/s", speed, s.bore, s.bore, 0.1))
	}
	m = append(m, orderOf("lost to numerics", spacings, lost), orderOf("speed of the bore", spacings, late), lasted(end, worlds[:]...))
	exact := figure.Curve{Name: "shallow water, long reservoir"}
	for x := 0.; x <= length; x += 0.01 {
		exact.X, exact.Y = append(exact.X, x), append(exact.Y, s.depth((x-dam)/end))
	}
	plot := &figure.Plot{Columns: 1, Wide: true, Panels: []figure.Panel{
		{Name: "energy", Title: "(a)", X: figure.Axis{Label: "time (s)"}, Y: figure.Axis{Label: "change of energy (%)"}, Curve: energies},
		{Name: "depth", Title: "(b)", X: figure.Axis{Label: "x (m)"}, Y: figure.Axis{Label: "depth at the end (m)"}, Curve: append(shapes, exact)},
	}}
	return r.result(worlds[1], plot, m...), nil
}

// stoker is the solution of the shallow-water equations for a dam that breaks over a wet bed,
// with water of depth high behind it and low before it. See Stoker, Water Waves, 1957,
// sec. 10.8: a fan of waves goes into the reservoir, and a bore ahead. Between them the depth
// and the speed u are constant, and with c = √(gh)
//
//	u = 2 (c_high − c),  u = (h − low) √(g (h + low)/(2 h low)).
type stoker struct {
	high, low, g float64 // depths, m; m/s²
	middle       float64 // depth behind the bore, m
	speed        float64 // of the water behind the bore, m/s
	bore         float64 // speed of the bore, m/s
}

func newStoker(high, low, g float64) *stoker {
	s := &stoker{high: high, low: low, g: g}
	lo, hi := low, high
	for range 100 { // to the last bit
		h := float64((lo + hi) / 2)
		fan := float64(2 * (math.Sqrt(g*high) - math.Sqrt(g*h)))
		if (h-low)*math.Sqrt(g*(h+low)/(2*h*low)) < fan {
			lo = h
		} else {
			hi = h
		}
	}
	s.middle = float64((lo + hi) / 2)
	s.speed = 2 * (math.Sqrt(g*high) - math.Sqrt(g*s.middle))
	s.bore = math.Sqrt(g * s.middle * (s.middle + low) / (2 * low))
	return s
}

// depth returns the depth at the distance x from the dam after the time t, where v = x/t, in m.
func (s *stoker) depth(v float64) float64 {
	c := math.Sqrt(s.g * s.high)
	switch {
	case v <= -c:
		return s.high
	case v <= s.speed-math.Sqrt(s.g*s.middle):
		return (2*c - v) * (2*c - v) / (9 * s.g)
	case v <= s.bore:
		return s.middle
	}
	return s.low
}

// depths returns the depth of the liquid over x from 0 to length, at points b apart: of the
// volume of each particle, each of the two points next to it gets a share by its distance.
func depths(w *sim.World, length, b float64) (s series) {
	n := int(math.Round(length / b))
	sum := make([]float64, n+1)
	each := w.Mass() / w.Rho0 / b
	for _, x := range w.X {
		at := min(max(0, x.X/b), float64(n)-1e-9)
		k := int(at)
		sum[k] += float64(each * (float64(k+1) - at))
		sum[k+1] += float64(each * (at - float64(k)))
	}
	sum[0], sum[n] = 2*sum[0], 2*sum[n] // whose other halves are beyond the ends
	for k, h := range sum {
		s.add(float64(k)*b, h)
	}
	return s
}

// farthestAbove returns the highest x at which s is y or more, between its points. It is 0 if
// there is none.
func farthestAbove(s *series, y float64) float64 {
	for i := len(s.x) - 1; i >= 0; i-- {
		if s.y[i] < y {
			continue
		}
		if i == len(s.x)-1 {
			return s.x[i]
		}
		return s.x[i] + float64((s.x[i+1]-s.x[i])*(s.y[i]-y)/(s.y[i]-s.y[i+1]))
	}
	return 0
}
