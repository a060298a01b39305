package biot

import (
	"math"

	"breakwater/sim/num"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// planeVelocity is Velocity for lines along z.
func planeVelocity(dst, points []vec.Vec3, s *Sources, k Kernel) {
	planeGradient(dst, nil, points, s, k)
}

// planeGradient is VelocityGradient for lines along z; it leaves out the gradients if grad
// is nil.
func planeGradient(u []vec.Vec3, grad []Gradient, points []vec.Vec3, s *Sources, k Kernel) {
	const scale = 1 / (2 * math.Pi)
	par.For(len(points), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			var v vec.Vec3
			var g Gradient
			for j, x := range s.X {
				dx, dy, a := points[i].X-x.X, points[i].Y-x.Y, s.Alpha[j].Z
				f, h := k.planeFactors(float64(dx*dx)+float64(dy*dy), float64(s.Radius[j]*s.Radius[j]))
				f, h = float64(a*f), float64(a*h)
				v.X -= float64(f * dy)
				v.Y += float64(f * dx)
				g.X.X -= float64(h * dx * dy)
				g.X.Y -= f + float64(h*dy*dy)
				g.Y.X += f + float64(h*dx*dx)
			}
			g.Y.Y = -g.X.X
			u[i] = v.Mul(scale)
			if grad != nil {
				grad[i] = (&Gradient{}).add(g, scale)
			}
		}
	})
}

// planeFactors returns g and g'/|d| of a line at the distance √d2.
func (k Kernel) planeFactors(d2, s2 float64) (g, h float64) {
	switch k {
	case Core:
		g = 1 / max(d2, s2)
		if d2 > s2 {
			h = float64(-2 * g * g)
		}
	case Algebraic:
		i := 1 / (d2 + s2)
		g = i + float64(s2*i*i)
		h = float64(-2 * i * i * (1 + float64(2*s2*i)))
	case Gauss:
		if q := d2 / s2; q < 1e-4 { // (1 − e^(−q/2)) / q by its series
			g = (0.5 - float64(q/8)) / s2
			h = (-0.25 + q/12) / (s2 * s2)
		} else {
			e := math.Expm1(float64(-q / 2))
			g = -e / d2
			h = ((e+1)/s2 - float64(2*g)) / d2
		}
	}
	return g, h
}

// planePotential returns ψ of a line at the distance √d2.
func (k Kernel) planePotential(d2, radius float64) float64 {
	s2 := float64(radius * radius)
	switch k {
	case Core:
		if d2 < s2 {
			return 0.5 - 0.5*d2/s2 - math.Log(radius)
		}
	case Algebraic:
		s := d2 + s2
		return float64(0.5 * (s2/s - math.Log(s)))
	case Gauss:
		if q := d2 / (2 * s2); q < 2 {
			return float64(-0.5 * (math.Log(float64(2*s2)) + ein(q) - euler))
		} else if q < gaussFar {
			return float64(-0.5 * (math.Log(d2) + e1(q)))
		}
	}
	return float64(-0.5 * math.Log(d2))
}

const euler = 0.57721566490153286060651209008240243

// ein returns E1(x) + ln x + γ, which has no singularity, by its power series, for x ≤ 2.
func ein(x float64) float64 {
	sum, term := 0.0, -1.0
	for n := 1.0; n < 30; n++ {
		term *= -x / n
		sum += term / n
	}
	return sum
}

// e1 returns the exponential integral ∫ e^(−t)/t dt from x on, by its continued fraction,
// for x ≥ 2. Abramowitz and Stegun, Handbook of Mathematical Functions, 1964, 5.1.22.
func e1(x float64) float64 {
	f := x
	for n := 60.0; n >= 1; n-- {
		f = x + n/(1+n/f)
	}
	return num.Exp(-x) / f
}
