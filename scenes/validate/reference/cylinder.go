package main

import (
	"fmt"
	"math"

	"breakwater/sim/fft"
	"breakwater/sim/num"
	"breakwater/sim/par"
)

// cylinder prints the drag and the length of the wake of a cylinder that starts at once at Re = 550, by its diameter.
//
// Vorticity and stream function are series of sin nθ on nodes of ξ = log r, where the radius and the speed are 1
// (Collins and Dennis, Flow past an impulsively started circular cylinder, J. Fluid Mech. 60, 1973):
//
//	e^{2ξ} ∂ω/∂t = ψ_ξ ω_θ − ψ_θ ω_ξ + ν(ω_ξξ + ω_θθ),  ψ_ξξ + ψ_θθ = −e^{2ξ} ω.
//
// No slip asks for ∫ e^{(2−n)ξ} ω_n dξ = −2 for n = 1 and 0 for others (Dennis and Quartapelle, Some uses of Green's
// theorem in solving the Navier-Stokes equations, Int. J. Numer. Methods Fluids 9, 1989), which sets the vorticity of the
// wall. Differences along ξ are of the second order. Time steps are by the two-step backward difference formula with
// the advection extrapolated, and begin short, since the vorticity of the wall is infinite at first.
func cylinder(n int) {
	if n == 0 {
		n = 400
	}
	const end, every = 5., 0.1
	c := newPolar(n, 512, 2./550)
	fmt.Println("# Cylinder that starts at once, Re = U D/nu = 550: own solution for vorticity and stream function in polar coordinates")
	fmt.Printf("# by scenes/validate/reference, %d nodes of log r up to r = %.3g R and waves up to %d, dt = %.3g\n", n, num.Exp(c.end), c.waves-1, c.longest)
	fmt.Println("# units: T = t U/R; drag coefficients over rho U^2 R; wake in diameters, from the rear to the point at rest on the axis")
	fmt.Println("T,drag,friction,wake")
	for k := 1; float64(k)*every <= end*(1+1e-9); k++ {
		for c.time < float64(float64(k)*every)-1e-9 {
			c.step(float64(k) * every)
		}
		drag, friction := c.drag()
		fmt.Printf("%.1f,%.6f,%.6f,%.6f\n", float64(k)*every, drag, friction, c.wake())
	}
}

// polar is the flow past a cylinder. Lists of waves begin with n = 0, which stays 0.
type polar struct {
	nodes, waves    int
	end, h, nu      float64 // largest ξ, distance of nodes, viscosity
	longest         float64 // time step
	time            float64
	plan            *fft.Plan[float64]
	circle          int         // points on it
	square          []float64   // e^{2ξ}
	omega, psi      [][]float64 // of each wave, over ξ
	before          [][]float64 // vorticity a step before
	advect, advect0 [][]float64 // now and a step before
	last            float64     // length of the last step
}

func newPolar(nodes, circle int, nu float64) *polar {
	c := &polar{nodes: nodes + 1, waves: circle/3 + 1, end: 1.6, nu: nu, plan: fft.New[float64](circle), circle: circle}
	c.h = c.end / float64(nodes)
	c.longest = min(0.5*c.h, 0.2/float64(c.waves))
	for j := range c.nodes {
		c.square = append(c.square, num.Exp(2*c.h*float64(j)))
	}
	for _, list := range []*[][]float64{&c.omega, &c.psi, &c.before, &c.advect, &c.advect0} {
		for range c.waves {
			*list = append(*list, make([]float64, c.nodes))
		}
	}
	c.stream()
	return c
}

// stream sets the stream function: r sin θ far away, and 0 on the cylinder.
func (c *polar) stream() {
	par.Each(c.waves-1, func(i int) {
		n := float64(i + 1)
		m := c.nodes - 1
		a, b, d := make([]float64, c.nodes), make([]float64, c.nodes), make([]float64, c.nodes)
		h2 := c.h * c.h
		for j := 1; j < m; j++ {
			a[j], b[j], d[j] = 1, -2-float64(n*n*h2), -c.square[j]*c.omega[i+1][j]*h2
		}
		b[0] = 1
		// Beyond the end, ψ' + nψ is 2 e^ξ for n = 1 and 0 for others, and there is no vorticity:
		// the node beyond the last is eliminated.
		far := 0.
		if i == 0 {
			far = 2 * math.Sqrt(c.square[m])
		}
		a[m], b[m], d[m] = 2, -2-float64(n*n*h2)-float64(2*c.h*n), -2*c.h*far
		tridiagonal(c.psi[i+1], a, b, d, m, m)
	})
}

// tridiagonal solves a x_{j−1} + b x_j + a' x_{j+1} = d, where a' is 1 from 1 to ones, and 0 for others.
func tridiagonal(x, a, b, d []float64, last, ones int) {
	up := make([]float64, last+1)
	for j := 0; j <= last; j++ {
		den, rest := b[j], d[j]
		if j > 0 {
			den -= float64(a[j] * up[j-1])
			rest -= float64(a[j] * x[j-1])
		}
		if j > 0 && j < ones {
			up[j] = 1 / den
		}
		x[j] = rest / den
	}
	for j := last - 1; j >= 0; j-- {
		x[j] -= float64(up[j] * x[j+1])
	}
}

// slope returns the derivative of a list along ξ at node j.
func (c *polar) slope(f []float64, j int) float64 {
	m := c.nodes - 1
	switch j {
	case 0:
		return (float64(4*f[1]) - float64(3*f[0]) - f[2]) / (2 * c.h)
	case m:
		return (float64(3*f[m]) - float64(4*f[m-1]) + f[m-2]) / (2 * c.h)
	}
	return (f[j+1] - f[j-1]) / (2 * c.h)
}

// advection sets ψ_θ ω_ξ − ψ_ξ ω_θ. Of two real fields, one is the real and the other the imaginary part of a
// transform. Those of a series of cosines with a_n and of sines with b_n are (a_n ± b_n)/2 at ±n.
func (c *polar) advection() {
	const lanes = fft.Lanes
	par.Each((c.nodes+lanes-1)/lanes, func(batch int) {
		one, two := c.plan.NewLines(), c.plan.NewLines()
		for lane := range lanes {
			j := batch*lanes + lane
			if j >= c.nodes {
				break
			}
			for n := 1; n < c.waves; n++ {
				q := float64(n)
				up, down := n*lanes+lane, (c.circle-n)*lanes+lane
				a, b := float64(q*c.psi[n][j]), c.slope(c.omega[n], j)
				one.Re[up], one.Re[down] = (a+b)/2, (a-b)/2
				a, b = float64(q*c.omega[n][j]), c.slope(c.psi[n], j)
				two.Re[up], two.Re[down] = (a+b)/2, (a-b)/2
			}
		}
		c.plan.Backward(one)
		c.plan.Backward(two)
		for i := range one.Re {
			one.Re[i], one.Im[i] = float64(one.Re[i]*one.Im[i])-float64(two.Re[i]*two.Im[i]), 0
		}
		c.plan.Forward(one)
		for lane := range lanes {
			j := batch*lanes + lane
			if j >= c.nodes {
				break
			}
			for n := 1; n < c.waves; n++ {
				c.advect[n][j] = -2 * one.Im[n*lanes+lane] / float64(c.circle)
			}
		}
	})
}

// step moves the flow on, at most to a time.
func (c *polar) step(to float64) {
	dt := min(c.longest, max(1e-6, c.time*0.02))
	if left := to - c.time; dt > left-1e-12 {
		dt = left
	} else if dt > left/2 {
		dt = left / 2
	}
	c.advect, c.advect0 = c.advect0, c.advect
	c.advection()
	// a₀ω + a₁ω⁰ + a₂ω⁰⁰ is dt times the rate, and e₀, e₁ extrapolate the advection.
	a0, a1, a2, e0, e1 := 1., -1., 0., 1., 0.
	if c.last > 0 {
		r := dt / c.last
		a0, a1, a2 = (1+2*r)/(1+r), -(1 + r), r*r/(1+r)
		e0, e1 = 1+r, -r
	}
	m := c.nodes - 1
	h2 := c.h * c.h
	par.Each(c.waves-1, func(i int) {
		n := float64(i + 1)
		w := c.omega[i+1]
		a, b, d, zero := make([]float64, c.nodes), make([]float64, c.nodes), make([]float64, c.nodes), make([]float64, c.nodes)
		scale := h2 / (c.nu * dt)
		for j := 1; j < m; j++ {
			a[j], b[j] = 1, -2-float64(n*n*h2)-float64(scale*a0*c.square[j])
			past := float64(a1*w[j]) + float64(a2*c.before[i+1][j])
			ahead := float64(e0*c.advect[i+1][j]) + float64(e1*c.advect0[i+1][j])
			d[j] = scale * (float64(c.square[j]*past) + float64(dt*ahead))
		}
		b[0], b[m] = 1, 1
		given, wall := make([]float64, c.nodes), make([]float64, c.nodes)
		tridiagonal(given, a, b, d, m, m)
		zero[0] = 1
		tridiagonal(wall, a, b, zero, m, m)
		want := 0.
		if i == 0 {
			want = -2
		}
		by := (want - c.moment(given, n)) / c.moment(wall, n)
		c.before[i+1] = w
		next := make([]float64, c.nodes)
		for j := range next {
			next[j] = given[j] + float64(by*wall[j])
		}
		c.omega[i+1] = next
	})
	c.stream()
	c.last = dt
	c.time += dt
}

// moment returns ∫ e^{(2−n)ξ} f dξ, where the decay e^{−nξ} from node to node is exact and the rest even between them.
func (c *polar) moment(f []float64, n float64) float64 {
	// Weights of linear functions between nodes times e^{−nξ}.
	x := n * c.h
	first := (1 - (1-num.Exp(-x))/x) / x            // ∫ e^{−xs}(1 − s) ds
	second := ((1-num.Exp(-x))/x - num.Exp(-x)) / x // ∫ e^{−xs} s ds
	sum := 0.
	for j := 0; j+1 < c.nodes; j++ {
		decay := num.Exp(-n * c.h * float64(j))
		if decay < 1e-30 {
			break
		}
		sum += float64(decay * (float64(first*c.square[j]*f[j]) + float64(second*c.square[j+1]*f[j+1])))
	}
	return sum * c.h
}

// drag returns the drag coefficient and its part by friction: pressure follows from ∂p/∂θ = ν ∂ω/∂ξ.
func (c *polar) drag() (all, friction float64) {
	friction = float64(-c.nu * math.Pi * c.omega[1][0])
	// A slope of the fourth order, since the vorticity of the wall is steep.
	w := c.omega[1]
	slope := (-float64(25*w[0]) + float64(48*w[1]) - float64(36*w[2]) + float64(16*w[3]) - float64(3*w[4])) / (12 * c.h)
	return friction + float64(c.nu*math.Pi*slope), friction
}

// wake returns the distance from the rear of the cylinder to the point on the axis where the gas is at rest, over the diameter.
func (c *polar) wake() float64 {
	speed := func(j int) (sum float64) { // times r
		for n := 1; n < c.waves; n++ {
			sum += float64(float64(n) * c.psi[n][j])
		}
		return sum
	}
	last := 0.
	for j := c.nodes - 1; j > 0; j-- {
		v := speed(j)
		if v < 0 {
			xi := c.h * (float64(j) + v/(v-last))
			return (num.Exp(xi) - 1) / 2
		}
		last = v
	}
	return 0
}
