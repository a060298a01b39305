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
	registerSolved("square-patch", "a square patch of water turns without weight: its core and its angular momentum", "Colagrossi 2005; Le Touzé et al. 2013", squarePatch)
}

// squarePatch turns a square of water, 1 m wide, at the rate ω, without weight, walls or air. See
// Le Touzé et al., A critical investigation of smoothed particle hydrodynamics applied to
// problems with free-surfaces, Int. J. Numer. Meth. Fluids 73, 2013. The corners become arms,
// and the pressure in the middle is negative. It holds the core together: to tω = 4 its density
// stays. The whole keeps its angular momentum and its energy.
func squarePatch(r *Run) (*Result, error) {
	const omega, end = 1., 4.
	parts := [2]float64{r.pick(50, 25), r.pick(100, 50)}
	var d, off, lost [2]float64
	var worlds [2]*sim.World
	var curves []figure.Curve
	var m []Measure
	for k, n := range parts {
		w := sim.New2D(1/n, 1000)
		w.Viscosity = 1e-6
		w.Fill(&shape.Box{Min: vec.New(-0.5, -0.5, 0), Max: vec.New(0.5, 0.5, 0)}, vec.Vec3{})
		for i, x := range w.X {
			w.V[i] = vec.New(omega*x.Y, -omega*x.X, 0)
		}
		if err := w.Init(); err != nil {
			return nil, err
		}
		var core series // over tω
		start := momentsOf(w)
		last := start
		err := r.outlast(w, tense(r.solver()), end/omega, 40, func() error {
			last = momentsOf(w)
			core.add(w.Time*omega, coreDensity(w, 0.15))
			return nil
		})
		if err != nil {
			return nil, err
		}
		name := fmt.Sprintf("L/d = %g", n)
		d[k], off[k], lost[k], worlds[k] = 1/n, math.Abs(core.last()-1), math.Abs(1-last.energy/start.energy), w
		curves = append(curves, figure.Curve{Name: name, X: core.x, Y: core.y})
		m = append(m,
			number(name+": density of the core", "", core.last(), 1, 1, 0.02),
			number(name+": angular momentum", "", last.spin/start.spin, 1, 1, 1e-3),
			number(name+": kinetic energy", "", last.energy/start.energy, 1, 1, 0.05))
	}
	m = append(m, orderOf("density of the core", d, off), orderOf("kinetic energy", d, lost), lasted(end/omega, worlds[:]...))
	plot := &figure.Plot{Columns: 1, Panels: []figure.Panel{{
		Name: "core", X: figure.Axis{Label: "time tω"}, Y: figure.Axis{Label: "density of the core ρ/ρ₀"}, Curve: curves,
	}}}
	return r.result(worlds[1], plot, m...), nil
}

// coreDensity returns the density of the particles within the given radius of the origin over
// the rest density, with weights (1 − r²/R²)² that make it smooth.
func coreDensity(w *sim.World, radius float64) float64 {
	sum := 0.
	for _, x := range w.X {
		if near := 1 - x.Dot(x)/(radius*radius); near > 0 {
			sum += float64(near * near)
		}
	}
	return sum * w.Mass() / w.Rho0 / (math.Pi * radius * radius / 3)
}

// tense returns the solver with as much tension as the middle of the patch needs, if it has
// the setting.
func tense(s sim.Solver) sim.Solver {
	if isph, ok := s.(*sim.ISPH); ok {
		isph.Tension = 1e6
	}
	return s
}
