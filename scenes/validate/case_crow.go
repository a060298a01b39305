package validate

import (
	"fmt"
	"math"

	"breakwater/raster/figure"
	"breakwater/sim/num"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
)

func init() {
	register("crow", "waves on a pair of trailing vortices: how fast they grow", "Crow 1970", crow)
}

// crow compares the growth of waves on two opposite vortices, b apart, with the theory of
// Crow, Stability theory for a pair of trailing vortices, AIAA J. 8, 1970. The symmetric
// wave of wavenumber k = β/b grows at
//
//	Γ/(2πb²) √((1 − ψ + ω)(1 + χ − ω)),  ψ = β²K₀(β) + βK₁(β),  χ = βK₁(β),
//
// with the self-induction ω of the kernel, from its integral along a wavy filament:
//
//	ω = b²/2 ∫ (kx sin kx + cos kx − 1) g(|x|) dx.
//
// The pair is nine waves long. The middle one is measured. Only the classical form of the
// stretching turns the vortons of a thin vortex as it turns.
func crow(r *Run) (*Result, error) {
	const b, sigma, amplitude = 1., 0.15, 0.002
	waves, per := int(r.pick(9, 5)), int(r.pick(120, 64))
	runs := []struct {
		beta float64
		form string
		goal float64
	}{{0.8, "classical", 0.1}, {0.6, "classical", 0.1}, {1, "classical", 0.1}, {0.8, "transpose", noGoal}, {0.8, "reformulated", noGoal}}
	if r.Quick {
		runs = runs[:1]
	}
	panel := figure.Panel{Name: "growth", X: figure.Axis{Label: "time t Γ/(2πb²)"}, Y: figure.Axis{Label: "amplitude/b", Log: true}}
	var m []Measure
	var f *vortex.Flow
	for _, run := range runs {
		beta := run.beta
		want := crowRate(beta, sigma/b) / (2 * math.Pi * b * b)
		k := float64(beta / b)
		length := 2 * math.Pi / k
		n := waves * per * int(math.Ceil(length/10))
		step := float64(waves) * length / float64(n)
		angle := crowAngle(beta, sigma/b)
		f = &vortex.Flow{}
		for side := range 2 {
			sign := 1 - float64(2*float64(side))
			for i := range n {
				z := float64((float64(i) + 0.5 - float64(float64(n)/2)) * step)
				cos, sin := math.Cos(float64(k*z)), math.Sin(float64(k*z))
				x := vec.New(float64(sign*(b/2+float64(amplitude*math.Cos(angle)*cos))), float64(amplitude*math.Sin(angle)*cos), z)
				slope := vec.New(float64(-sign*amplitude*math.Cos(angle)*k*sin), float64(-amplitude*math.Sin(angle)*k*sin), 1)
				f.AddVorton(x, slope.Mul(sign*step/(4*math.Pi/3*sigma*sigma*sigma)), sigma, 1, vortex.Blend{})
			}
		}
		s := vortons(run.form, 1)
		s.Conserve = false
		s.LongestStep, s.Turn = 0.2, 1
		var size series
		end := 1.2 / want // the amplitude grows 3.3 times
		err := r.flow(f, s, idealGas(), end, 12, func() {
			// The first harmonic of the middle wave of one vortex, without its mean.
			one := n / waves
			wave := f.Vortons.X[(waves/2)*one:][:one]
			var mean vec.Vec3
			for _, p := range wave {
				mean = mean.Add(p.Mul(1 / float64(one)))
			}
			var cx, cy float64
			for i, p := range wave {
				c := math.Cos(2*math.Pi*(float64(i)+0.5)/float64(one)) * 2 / float64(one)
				cx, cy = cx+float64(c*(p.X-mean.X)), cy+float64(c*(p.Y-mean.Y))
			}
			size.add(f.Time/(2*math.Pi*b*b), math.Hypot(cx, cy))
		})
		if err != nil {
			return nil, err
		}
		late := len(size.x) / 3
		got := math.Log(size.last()/size.y[late]) / (size.x[len(size.x)-1] - size.x[late])
		m = append(m, number(fmt.Sprintf("kb = %g, %s: growth rate, of Γ/(2πb²)", beta, run.form), "", got, float64(want*2*math.Pi), float64(want*2*math.Pi), run.goal))
		if run.form != "classical" {
			continue
		}
		panel.Curve = append(panel.Curve, figure.Curve{Name: fmt.Sprintf("kb = %g", beta), X: size.x, Y: size.y})
		theory := figure.Curve{Name: fmt.Sprintf("theory, kb = %g", beta), X: size.x, Dots: true}
		for _, t := range size.x {
			theory.Y = append(theory.Y, float64(amplitude*num.Exp(float64(want*2*math.Pi*t))))
		}
		panel.Curve = append(panel.Curve, theory)
	}
	return r.gasResult(f, float64(waves)*2*math.Pi/runs[len(runs)-1].beta/float64(f.Vortons.Len()/2), &figure.Plot{Columns: 1, Panels: []figure.Panel{panel}}, m...), nil
}

// crowTerms returns the factors 1 − ψ + ω and 1 + χ − ω for a core of the algebraic kernel
// of the radius sigma, in distances of the vortices.
func crowTerms(beta, sigma float64) (p, q float64) {
	k0, k1 := besselK(beta)
	psi, chi := float64(beta*beta*k0)+float64(beta*k1), float64(beta*k1)
	omega := 0.
	const dx = 0.002
	s2 := float64(sigma * sigma)
	for x := dx / 2; x < 2000; x += dx {
		step := dx
		if x > 20 {
			step = 0.05
		}
		d2 := float64(x * x)
		g := (d2 + float64(2.5*s2)) / num.Pow(d2+s2, 2.5)
		sin, cos := math.Sincos(float64(beta * x))
		omega += float64((float64(beta*x*sin) + cos - 1) * g * step)
		x += step - dx
	}
	return 1 - psi + omega, 1 + chi - omega
}

// crowRate returns the growth rate in Γ/(2πb²).
func crowRate(beta, sigma float64) float64 {
	p, q := crowTerms(beta, sigma)
	return math.Sqrt(p * q)
}

// crowAngle returns the angle to the plane of the vortices in which the wave grows, in
// radians.
func crowAngle(beta, sigma float64) float64 {
	p, q := crowTerms(beta, sigma)
	return math.Atan(math.Sqrt(q / p))
}

// besselK returns K₀(x) and K₁(x) by ∫ e^(−x cosh t) cosh(nt) dt.
func besselK(x float64) (k0, k1 float64) {
	const dt = 0.01
	for t := dt / 2; ; t += dt {
		c := float64((num.Exp(t) + num.Exp(-t)) / 2)
		e := float64(num.Exp(float64(-x*c)) * dt)
		k0, k1 = k0+e, k1+float64(e*c)
		if x*c > 50 {
			return k0, k1
		}
	}
}
