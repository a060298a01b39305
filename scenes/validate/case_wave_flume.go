package validate

import (
	"fmt"
	"math"

	"breakwater/raster/figure"
	"breakwater/scenes/validate/theory"
	"breakwater/sim"
	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/num"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

func init() {
	registerSolved("wave-flume", "a piston makes waves: their amplitude and phase along a flume", "Kennard 1949; Dean and Dalrymple 1991", waveFlume)
}

// waveFlume makes waves of length 2 m in water 0.5 m deep, with a piston that starts from rest.
// Gauges measure amplitude and phase, one wavelength and four from the piston. Linear theory gives
// both for the same time (see wavemaker). Viscosity takes less than 1e-4 of the amplitude. With A
// the amplitude of the piston, a steady train of waves has the amplitude
//
//	a = A 2 (cosh 2kH − 1)/(sinh 2kH + 2kH);
//
// see Dean and Dalrymple, Water Wave Mechanics for Engineers and Scientists, 1991, eq. 6.25.
// The first waves that the end of the flume reflects arrive at the farther gauge as it is read.
func waveFlume(r *Run) (*Result, error) {
	first, last := 1., r.pick(4, 2) // gauges, wavelengths from the piston
	periods := int(r.pick(11, 6))
	parts := [2]float64{r.pick(70, 36), r.pick(140, 60)}
	theory, exact := flumeTheory(last+1.5, periods, first, last)
	wantNear, _, wantRatio, wantPhase := theory.gauged()
	var d, less, late [2]float64
	var worlds [2]*sim.World
	var curves []figure.Curve
	var m []Measure
	for k, n := range parts {
		x, err := r.flume(flumeLength/n, last+1.5, periods, first, last)
		if err != nil {
			return nil, err
		}
		near, _, ratio, phase := x.gauged()
		d[k], less[k], late[k], worlds[k] = flumeLength/n, math.Abs(ratio-wantRatio), math.Abs(phase-wantPhase), x.world
		name := fmt.Sprintf("L/d = %g", n)
		curves = append(curves, figure.Curve{Name: name, X: x.surface.x, Y: x.surface.y})
		m = append(m,
			number(name+": amplitude after "+flumeWay(last-first), "", ratio, wantRatio, wantRatio, r.pick(0.05, 0.2)),
			number(name+": phase after "+flumeWay(last-first), "°", phase, wantPhase, 360, r.pick(5./360, 0.05)),
			number(name+": amplitude, of a steady train's", "", near/flumeHeight, wantNear/flumeHeight, 1, r.pick(0.1, 0.15)))
	}
	end := 2 * math.Pi / flumeFrequency() * float64(periods)
	m = append(m, orderOf("amplitude", d, less), orderOf("phase", d, late), lasted(end, worlds[:]...))
	plot := &figure.Plot{Columns: 1, Wide: true, Panels: []figure.Panel{{
		Name: "surface", X: figure.Axis{Label: "x (m)"}, Y: figure.Axis{Label: "height of the surface at the end (m)"},
		Curve: append(curves, figure.Curve{Name: "linear theory", X: exact.x, Y: exact.y}),
	}}}
	return r.result(worlds[1], plot, m...), nil
}

// gauged returns the amplitudes at the gauges, m, the far one's over the near one's, and the phase
// between them in degrees. The gauges are whole wavelengths apart.
func (x *flumeRun) gauged() (near, far, ratio, phase float64) {
	near, nearPhase := x.near.harmonic()
	far, farPhase := x.far.harmonic()
	return near, far, far / near, float64(180 / math.Pi * math.Remainder(farPhase-nearPhase, 2*math.Pi))
}

// flumeTheory returns what linear theory gives of the flume at the gauges, and the height of the
// surface at the end, m, over m. Lengths and the places of the gauges are in wavelengths.
func flumeTheory(length float64, periods int, near, far float64) (*flumeRun, series) {
	const sub = 16 // steps between readings
	period := 2 * math.Pi / flumeFrequency()
	piston := flumePiston()
	x, surface := &flumeRun{}, series{}
	length *= flumeLength
	dt := period / (wavePart * sub)
	w := theory.NewWavemaker(flumeDepth, dt)
	for i := range periods * wavePart * sub {
		_, rate := piston.Oscillation(float64((float64(i) + 0.5) * dt))
		w.Step(float64(rate * piston.Amplitude.X))
		if (i+1)%sub == 0 {
			x.near, x.far = append(x.near, w.HeightIn(length, near*flumeLength)), append(x.far, w.HeightIn(length, far*flumeLength))
		}
	}
	for at := 0.; at <= length; at += 0.02 {
		surface.add(at, w.HeightIn(length, at))
	}
	return x, surface
}

// flumePiston returns the motion of the piston.
func flumePiston() body.Motion {
	period := 2 * math.Pi / flumeFrequency()
	return body.Motion{
		Amplitude: vec.New(flumeHeight/pistonGain(2*math.Pi/flumeLength*flumeDepth), 0, 0),
		Frequency: 1 / period,
		Ramp:      2 * period,
	}
}

// flumeWay names a number of wavelengths.
func flumeWay(n float64) string {
	if n == 1 {
		return "a wavelength"
	}
	return fmt.Sprintf("%g wavelengths", n)
}

// The waves in the flume.
const (
	flumeDepth  = 0.5  // m
	flumeLength = 2.   // of a wave, m
	flumeHeight = 0.02 // amplitude by linear theory, m
)

// flumeFrequency returns the frequency of the waves by linear theory, 1/s.
func flumeFrequency() float64 {
	const k = 2 * math.Pi / flumeLength
	sinh, cosh := num.Hyperbolic(k * flumeDepth)
	return math.Sqrt(9.81 * k * sinh / cosh)
}

// pistonGain returns the amplitude of the waves over the amplitude of the piston, by linear
// theory, where q is kH.
func pistonGain(q float64) float64 {
	sinh, cosh := num.Hyperbolic(2 * q)
	return 2 * (cosh - 1) / (sinh + float64(2*q))
}

// oscillation is a quantity at the end of each of wavePart equal parts of a period.
type oscillation []float64

// harmonic returns the amplitude A and the phase φ of A cos(ωt − φ) in the last two periods,
// NaN if there are fewer.
func (o oscillation) harmonic() (amplitude, phase float64) {
	const n = 2 * wavePart
	if len(o) < n {
		return math.NaN(), math.NaN()
	}
	var cos, sin float64
	for i := len(o) - n; i < len(o); i++ {
		s, c := math.Sincos(2 * math.Pi * float64(i+1) / wavePart)
		cos, sin = cos+float64(o[i]*c), sin+float64(o[i]*s)
	}
	return math.Sqrt(float64(cos*cos)+float64(sin*sin)) * 2 / n, math.Atan2(sin, cos)
}

// flumeRun is a run of the flume.
type flumeRun struct {
	world     *sim.World
	near, far oscillation // depths at the gauges, m
	surface   series      // height at the end, m, over m
}

// flume runs the flume of particles d apart. Lengths and the places of the gauges are in
// wavelengths.
func (r *Run) flume(d, length float64, periods int, near, far float64) (*flumeRun, error) {
	const between = flumeLength / 20 // points of the surface, m
	period := 2 * math.Pi / flumeFrequency()
	length *= flumeLength
	w := sim.New2D(d, 1000)
	w.Gravity = vec.New(0, -9.81, 0)
	w.Viscosity = 1e-6
	piston := body.New(&boundary.Plane{Normal: vec.New(1, 0, 0)}, flumePiston(), 0)
	w.Walls = []boundary.Boundary{&boundary.Box{Min: vec.New(-1, 0, 0), Max: vec.New(length, 2*flumeDepth, 0), Inside: true}, piston}
	w.Fill(&shape.Box{Max: vec.New(length, flumeDepth, 0)}, vec.Vec3{})
	if err := w.Init(); err != nil {
		return nil, err
	}
	x := &flumeRun{world: w}
	err := r.outlast(w, r.solver(), period*float64(periods), wavePart*periods, func() error {
		s := depths(w, length, between)
		x.surface = s
		for i := range s.y {
			x.surface.y[i] -= flumeDepth
		}
		if w.Time > 0 {
			x.near = append(x.near, x.surface.at(near*flumeLength))
			x.far = append(x.far, x.surface.at(far*flumeLength))
		}
		return nil
	})
	return x, err
}
