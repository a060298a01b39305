package validate

import (
	"fmt"
	"math"

	"breakwater/raster/figure"
	"breakwater/sim"
	"breakwater/sim/num"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

func init() {
	registerSolved("standing-wave", "a standing wave: its amplitude after ten periods, and its period", "Lamb 1932; Tadjbakhsh and Keller 1960", standingWave)
}

// standingWave compares a wave of length L and amplitude a in a tank as long, H deep, with
// linear theory: its surface is a cos(kx) cos(ωt) with ω² = gk tanh kH. Viscosity takes
// exp(−2νk²t) of the amplitude (Lamb, Hydrodynamics, 1932, art. 348); the walls have no
// friction. At the start the liquid is at rest, displaced by
//
//	−a sin(kx) cosh(ky)/sinh(kH),  a cos(kx) sinh(ky)/sinh(kH).
//
// The amplitude at a time is the projection of the liquid on the mode, Σ cos(kx) d²/(L/2),
// relative to that at the start.
func standingWave(r *Run) (*Result, error) {
	periods := int(r.pick(10, 3))
	parts := [2]float64{r.pick(50, 25), r.pick(100, 50)}
	var d, left, late [2]float64
	var worlds [2]*sim.World
	var curves []figure.Curve
	var m []Measure
	theory := waveFrequency()
	exact := figure.Curve{Name: "linear theory"}
	decay := num.Exp(float64(-4 * math.Pi * waveViscosity * waveNumber * waveNumber * (float64(periods) - 0.5) / theory))
	for k, n := range parts {
		x, err := r.wave(waveLength/n, periods)
		if err != nil {
			return nil, err
		}
		want, name := 2*math.Pi/theory, fmt.Sprintf("L/d = %g", n)
		amplitude, period := x.amplitude(periods), x.swing.period()
		d[k], left[k], late[k], worlds[k] = waveLength/n, math.Abs(amplitude-decay), math.Abs(period/want-1), x.world
		curves = append(curves, figure.Curve{Name: name, X: x.cycles(), Y: x.swing.y})
		m = append(m,
			number(fmt.Sprintf("%s: amplitude in period %d", name, periods), "", amplitude, decay, 1, 0.08),
			number(name+": period", "s", period, want, want, r.pick(0.007, 0.02)))
		exact.X, exact.Y = x.cycles(), make([]float64, len(x.swing.x))
		for i, t := range x.swing.x {
			exact.Y[i] = math.Cos(theory * t)
		}
	}
	m = append(m, orderOf("amplitude", d, left), orderOf("period", d, late),
		note("period by theory of third order", "s", 2*math.Pi/(theory+float64(theory*finiteWave(waveDepth*waveNumber, waveHeight*waveNumber)))),
		lasted(2*math.Pi/theory*float64(periods), worlds[:]...))
	plot := &figure.Plot{Columns: 1, Wide: true, Panels: []figure.Panel{{
		Name: "amplitude", X: figure.Axis{Label: "time t/T"}, Y: figure.Axis{Label: "mode a/a₀"}, Curve: append(curves, exact),
	}}}
	return r.result(worlds[1], plot, m...), nil
}

// The standing wave.
const (
	waveDepth     = 1.                       // m
	waveLength    = 2.                       // m
	waveHeight    = 0.05                     // amplitude, m
	waveNumber    = 2 * math.Pi / waveLength // 1/m
	waveViscosity = 1e-6                     // m²/s
	wavePart      = 32                       // readings in a period
)

// waveFrequency returns the frequency of the wave by linear theory, 1/s.
func waveFrequency() float64 {
	sinh, cosh := num.Hyperbolic(waveNumber * waveDepth)
	return math.Sqrt(9.81 * waveNumber * sinh / cosh)
}

// finiteWave returns the relative change of the frequency of a standing wave of amplitude a
// in water of depth H from that by linear theory, up to a². See Tadjbakhsh and Keller,
// Standing surface waves of finite amplitude, J. Fluid Mech. 8, 1960: with
// ω₀² = tanh kH it is
//
//	(ka)²/64 (9 ω₀⁻⁸ − 12 ω₀⁻⁴ − 3 − 2 ω₀⁴).
func finiteWave(kH, ka float64) float64 {
	sinh, cosh := num.Hyperbolic(kH)
	w2 := sinh / cosh
	w4 := float64(w2 * w2)
	return ka * ka / 64 * (9/float64(w4*w4) - 12/w4 - 3 - float64(2*w4))
}

// waveRun is a run of the standing wave.
type waveRun struct {
	world *sim.World
	swing series // of the mode over that at the start, over s
}

// wave runs the standing wave of particles d apart.
func (r *Run) wave(d float64, periods int) (*waveRun, error) {
	const k = waveNumber
	w := tank2D(d, waveLength, 1.5*waveDepth)
	w.Viscosity = waveViscosity
	w.Fill(&shape.Box{Max: vec.New(waveLength, waveDepth, 0)}, vec.Vec3{})
	deep, _ := num.Hyperbolic(k * waveDepth)
	for i, x := range w.X {
		sinh, cosh := num.Hyperbolic(k * x.Y)
		w.X[i] = x.Add(vec.New(-math.Sin(k*x.X)*cosh, math.Cos(k*x.X)*sinh, 0).Mul(waveHeight / deep))
	}
	if err := w.Init(); err != nil {
		return nil, err
	}
	x, first := &waveRun{world: w}, 0.
	err := r.outlast(w, r.solver(), 2*math.Pi/waveFrequency()*float64(periods), wavePart*periods, func() error {
		sum := 0.
		for _, x := range w.X {
			sum += math.Cos(k * x.X)
		}
		if w.Time == 0 {
			first = sum
		}
		x.swing.add(w.Time, sum/first)
		return nil
	})
	return x, err
}

// cycles returns the times of the readings, in periods by linear theory.
func (x *waveRun) cycles() []float64 {
	c := make([]float64, len(x.swing.x))
	for i, t := range x.swing.x {
		c[i] = t * waveFrequency() / (2 * math.Pi)
	}
	return c
}

// amplitude returns the amplitude in period n, from 1, of the first harmonic, whose length is
// from linear theory. It is NaN if the run did not get there.
func (x *waveRun) amplitude(n int) float64 {
	if len(x.swing.y) < wavePart*n {
		return math.NaN()
	}
	var cos, sin float64
	for i, y := range x.swing.y[wavePart*(n-1) : wavePart*n] {
		s, c := math.Sincos(2 * math.Pi * float64(i) / wavePart)
		cos, sin = cos+float64(y*c), sin+float64(y*s)
	}
	return math.Sqrt(float64(cos*cos)+float64(sin*sin)) * 2 / wavePart
}
