package validate

import (
	"fmt"
	"math"

	"breakwater/raster/figure"
	"breakwater/sim"
	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/num"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

func init() {
	registerSolved("light-body", "a light disc rises from the floor that it lies on, and a heavy one sinks onto it", "Lamb 1932; Milne-Thomson 1968", lightBody)
}

// lightBody releases a disc of 0.8 times the density of water on the floor of a tank, without a
// gap, and one of 1.25 times that density half a depth above it. Without added mass of the
// floor, both have the acceleration g/9. The times to rise and to sink by half a depth are
// compared with those in a liquid without viscosity, free surface or side walls.
func lightBody(r *Run) (*Result, error) {
	const depth, radius = 0.4, 0.05
	end := r.pick(2, 1.2)
	spacings := [2]float64{r.pick(0.01, 0.0125), r.pick(0.005, radius/6)}
	discs := [2]disc{{0.8, 0}, {1.25, depth / 2}}
	var names = [2]string{"light", "heavy"}
	var worlds []*sim.World
	var panels []figure.Panel
	var m []Measure
	for i, b := range discs {
		want, late := b.travel(radius, depth/2, 1), [2]float64{}
		var curves []figure.Curve
		for k, d := range spacings {
			x, err := r.disc(b, radius, depth, d, end)
			if err != nil {
				return nil, err
			}
			name := fmt.Sprintf("R/d = %g", math.Round(radius/d))
			curves = append(curves, figure.Curve{Name: name, X: x.gap.x, Y: x.gap.y})
			worlds = append(worlds, x.world)
			var took float64
			if i == 0 {
				took = x.gap.first(depth / 2)
				m = append(m, number(name+": light disc rises by", "m", min(depth/2, highest(x.gap.y)), depth/2, depth/2, 0))
			} else {
				took = x.fell.first(depth/2 - float64(d/2))
				m = append(m, number(name+": heavy disc ends above the floor by", "m", x.gap.last(), 0, radius, r.pick(0.05, 0.4)))
			}
			if math.IsInf(took, 1) {
				took = math.NaN() // it does not get there
			}
			late[k] = math.Abs(took/want - 1)
			m = append(m,
				number(fmt.Sprintf("%s: %s disc takes", name, names[i]), "s", took, want, want, noGoal),
				number(fmt.Sprintf("%s: %s disc, deepest in the floor", name, names[i]), "m", max(0, highest(x.fell.y)-b.gap), 0, radius, 0.02))
		}
		m = append(m, orderOf("time of the "+names[i]+" disc", spacings, late))
		theory := figure.Curve{Name: "theory", Dots: true}
		for s := range 21 {
			way := depth / 2 * float64(s) / 20
			theory.X = append(theory.X, b.travel(radius, depth/2, float64(s)/20))
			theory.Y = append(theory.Y, b.gapAfter(way))
		}
		panels = append(panels, figure.Panel{Name: names[i], X: figure.Axis{Label: "time (s)"}, Y: figure.Axis{Label: names[i] + " disc: gap to the floor (m)"}, Curve: append(curves, theory)})
	}
	m = append(m, lasted(end, worlds...))
	return r.result(worlds[len(worlds)-1], &figure.Plot{Columns: 2, Wide: true, Panels: panels}, m...), nil
}

// disc is a disc in water.
type disc struct {
	density float64 // over that of water
	gap     float64 // to the floor at the start, m
}

// gapAfter returns the gap after the disc has moved by way, m.
func (b disc) gapAfter(way float64) float64 {
	if b.density < 1 {
		return b.gap + way
	}
	return b.gap - way
}

// travel returns the time in which a disc of the given radius, released at rest, moves by a
// share of way, in a liquid without viscosity that only the floor bounds. Of the energy of the
// weight less the buoyancy,
//
//	v² = 2 g |1 − s| y/(s + C),
//
// after the distance y, where s is the density and C the added mass over the displaced mass.
func (b disc) travel(radius, way, share float64) float64 {
	const g, n = 9.81, 2000
	sum := 0.
	for i := range n { // over u, with y = way share u², which takes out the singularity at rest
		u := (float64(i) + 0.5) / n
		y := float64(way * share * u * u)
		v := math.Sqrt(2 * g * math.Abs(1-b.density) * y / (b.density + addedMass(1+b.gapAfter(y)/radius)))
		sum += float64(2 * way * share * u / v / n)
	}
	return sum
}

// addedMass returns the added mass of a disc that moves towards a wall or away from it, over the
// displaced mass, where its centre is at the distance h in radii: with cosh α = h,
//
//	1 + 2 Σ sinh²α/sinh²(nα), n from 2 on.
//
// This is a series of image dipoles; see Milne-Thomson, Theoretical Hydrodynamics, 1968, ch. 9.
// At the wall it is π²/3 − 1, and far away 1 + 1/(2h²).
func addedMass(h float64) float64 {
	alpha := math.Log(h + math.Sqrt(max(0, float64(h*h)-1)))
	near, _ := num.Hyperbolic(alpha)
	c := 1.
	for n := 2.; n < 2000; n++ {
		share := 1 / n
		if alpha > 1e-6 {
			far, _ := num.Hyperbolic(n * alpha)
			share = near / far
		}
		c += float64(2 * share * share)
		if share < 1e-4 {
			break
		}
	}
	return c
}

// discRun is a run of a disc.
type discRun struct {
	world     *sim.World
	gap, fell series // to the floor, and what it has become less by, m, over s
}

// disc runs b in a tank of water of the given depth, of particles d apart.
func (r *Run) disc(b disc, radius, depth, d, end float64) (*discRun, error) {
	const width = 0.6
	w := tank2D(d, width, 1.5*depth)
	solid, err := body.NewFlatRigid(&boundary.Sphere{Center: vec.New(width/2, radius+b.gap, 0), Radius: radius}, b.density*w.Rho0, 0, 0)
	if err != nil {
		return nil, err
	}
	w.Walls = append(w.Walls, solid)
	w.Fill(&shape.Box{Max: vec.New(width, depth, 0)}, vec.Vec3{})
	if err := w.Init(); err != nil {
		return nil, err
	}
	x := &discRun{world: w}
	err = r.outlast(w, r.solver(), end, 400, func() error {
		gap := solid.Free.Center().Y - radius
		x.gap.add(w.Time, gap)
		x.fell.add(w.Time, b.gap-gap)
		return nil
	})
	return x, err
}
