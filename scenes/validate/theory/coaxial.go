// Package theory holds the flows of theories that cases are compared with.
package theory

import (
	"math"

	"breakwater/sim/num"
)

// Coaxial are circular filaments about the axis x, which move each other without viscosity.
// They stand for a ring whose vorticity varies over its core.
type Coaxial struct {
	X, Rho []float64 // place and radius, m
	Gamma  []float64 // circulation, m²/s
	core   []float64 // core radius at the radius 1 m; the volume of a filament stays
	Ball   float64   // radius of a ball at the origin, m; 0 for none
}

// GaussRing returns a ring with the vorticity exp(−s²/a²), a = core, R = Γ = 1, at x, by filaments
// on a square lattice of n points across 6a.
func GaussRing(core, x float64, n int) *Coaxial {
	c := &Coaxial{}
	h := 6 * core / float64(n)
	for i := range n {
		for j := range n {
			dx, dy := float64(h*(float64(i)+0.5))-float64(3*core), float64(h*(float64(j)+0.5))-float64(3*core)
			if s2 := float64(dx*dx) + float64(dy*dy); s2 < 9*core*core {
				c.X, c.Rho = append(c.X, x+dx), append(c.Rho, 1+dy)
				c.Gamma = append(c.Gamma, h*h/(math.Pi*core*core)*num.Exp(-s2/(core*core)))
				// A square of even vorticity moves itself as a round core with the same mean
				// logarithm of distances: ln a − ¼ for a circle, and ln h − 0.8051 for a square.
				c.core = append(c.core, h*num.Exp(-0.8051+0.25)*math.Sqrt(1+dy))
			}
		}
	}
	return c
}

// Rates sets dx and dr to the velocities of the filaments along the axis and away from it.
func (c *Coaxial) Rates(dx, dr []float64) {
	for i, x := range c.X {
		rho := c.Rho[i]
		a := c.core[i] / math.Sqrt(rho)
		dx[i], dr[i] = c.Gamma[i]/(4*math.Pi*rho)*(math.Log(8*rho/a)-0.25), 0
		for j, y := range c.X {
			if j != i {
				ux, ur := filamentVelocity(x-y, rho, c.Rho[j])
				dx[i], dr[i] = dx[i]+float64(c.Gamma[j]*ux), dr[i]+float64(c.Gamma[j]*ur)
			}
			if c.Ball > 0 {
				ux, ur := c.image(j, x, rho)
				dx[i], dr[i] = dx[i]+ux, dr[i]+ur
			}
		}
	}
}

// Move moves the filaments by a step of the Runge-Kutta scheme of the fourth order.
func (c *Coaxial) Move(dt float64) {
	n := len(c.X)
	at := *c
	at.X, at.Rho = make([]float64, n), make([]float64, n)
	sumX, sumR := make([]float64, n), make([]float64, n)
	dx, dr := make([]float64, n), make([]float64, n)
	for k, stage := range [4]struct{ from, weight float64 }{{0, 1. / 6}, {0.5, 1. / 3}, {0.5, 1. / 3}, {1, 1. / 6}} {
		for i := range n {
			at.X[i], at.Rho[i] = c.X[i], c.Rho[i]
			if k > 0 {
				at.X[i], at.Rho[i] = at.X[i]+float64(stage.from*dt*dx[i]), at.Rho[i]+float64(stage.from*dt*dr[i])
			}
		}
		at.Rates(dx, dr)
		for i := range n {
			sumX[i], sumR[i] = sumX[i]+float64(stage.weight*dt*dx[i]), sumR[i]+float64(stage.weight*dt*dr[i])
		}
	}
	for i := range n {
		c.X[i], c.Rho[i] = c.X[i]+sumX[i], c.Rho[i]+sumR[i]
	}
}

// Place returns the place of the impulse along the axis, Σ Γρ²x / Σ Γρ², and the radius
// √(Σ Γρ² / Σ Γ).
func (c *Coaxial) Place() (x, radius float64) {
	var gamma, all float64
	for i, g := range c.Gamma {
		w := float64(g * c.Rho[i] * c.Rho[i])
		gamma, all, x = gamma+g, all+w, x+float64(w*c.X[i])
	}
	return x / all, math.Sqrt(all / gamma)
}

// Velocity returns the velocity of the gas along the axis and away from it, at x along the axis and rho from it.
func (c *Coaxial) Velocity(x, rho float64) (ux, ur float64) {
	for j, y := range c.X {
		vx, vr := filamentVelocity(x-y, rho, c.Rho[j])
		ux, ur = ux+float64(c.Gamma[j]*vx), ur+float64(c.Gamma[j]*vr)
		if c.Ball > 0 {
			vx, vr := c.image(j, x, rho)
			ux, ur = ux+vx, ur+vr
		}
	}
	return ux, ur
}

// image returns the velocity that the image of filament j makes.
//
// A ball of radius b makes the flow that an image of each filament would make: the
// filament at the distance r from the center of the ball has an image in the inverse
// point, b²/r² times as far, of the circulation −Γ r/b (Butler, Proc. Camb. Phil. Soc. 49,
// 1953; Lamb, Hydrodynamics, 1932).
func (c *Coaxial) image(j int, x, rho float64) (ux, ur float64) {
	y := c.X[j]
	r2 := float64(y*y) + float64(c.Rho[j]*c.Rho[j])
	in := c.Ball * c.Ball / r2
	ux, ur = filamentVelocity(x-float64(in*y), rho, in*c.Rho[j])
	g := -c.Gamma[j] * math.Sqrt(r2) / c.Ball
	return g * ux, g * ur
}

// filamentVelocity returns the velocity along the axis and away from it that a circular
// filament of radius b and circulation 1 induces at the distance xi along the axis and rho
// from it.
func filamentVelocity(xi, rho, b float64) (ux, ur float64) {
	far2 := float64((rho+b)*(rho+b)) + float64(xi*xi)
	near2 := float64((rho-b)*(rho-b)) + float64(xi*xi)
	k, e := elliptic(4 * rho * b / far2)
	l := 1 / (2 * math.Pi * math.Sqrt(far2))
	ux = l * (k + float64((float64(b*b)-float64(rho*rho)-float64(xi*xi))/near2*e))
	ur = l * xi / rho * (-k + float64((float64(b*b)+float64(rho*rho)+float64(xi*xi))/near2*e))
	return ux, ur
}

// elliptic returns the complete elliptic integrals K and E of the parameter m = k² by the
// arithmetic-geometric mean.
func elliptic(m float64) (k, e float64) {
	a, b, c, sum, power := 1., math.Sqrt(1-m), math.Sqrt(m), 0., 0.5
	for range 40 {
		sum += float64(power * c * c)
		if math.Abs(c) < 1e-16 {
			break
		}
		a, b, c = (a+b)/2, math.Sqrt(a*b), (a-b)/2
		power *= 2
	}
	k = math.Pi / (2 * a)
	return k, k * (1 - sum)
}
