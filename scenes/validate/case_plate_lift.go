package validate

import (
	"fmt"
	"math"

	"breakwater/raster/figure"
	"breakwater/sim/classic/solids"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
	"breakwater/sim/vortex/vorticity"
)

func init() {
	register("plate-lift", "a plate at an angle of attack: its lift and drag by the articles' solver", "lifting surface, Helmbold 1942", plateLift)
}

// plateLift tows the plate of article B's figure 7 through gas at rest, and compares its
// lift with a lifting surface that meets the condition of Kutta at its trailing edge. The
// articles' solver sheds no vortons, so it has no such condition: bodies only push away
// the vortons that they meet.
func plateLift(r *Run) (*Result, error) {
	const attack, speed = 0.2, 4.
	surface := liftingSurface(int(r.pick(12, 8)), 1, attack)
	// Helmbold, Der unverwundene Ellipsenflügel als tragende Fläche, 1942, for an aspect
	// ratio of 1.
	helmbold := 2 * math.Pi / (2 + math.Sqrt(5)) * attack
	m := []Measure{number("lifting surface: lift coefficient", "", surface, helmbold, helmbold, 0.05)}
	plot := &figure.Plot{Columns: 1, Panels: []figure.Panel{{
		Name: "lift", X: figure.Axis{Label: "way (chords)"}, Y: figure.Axis{Label: "lift coefficient"},
	}}}
	sizes := []float64{0.16, 0.12, 0.09}
	if r.Quick {
		sizes = sizes[:1]
	}
	var f *vortex.Flow
	for _, eject := range []string{"center", "face"} {
		for _, h := range sizes {
			b := vortex.NewBody(solids.NewBox(vec.New(-0.8, 0, 0), vec.New(0.5, 0.05, 0.5)), vec.Turn(vec.New(0, 0, attack)))
			b.V = vec.New(speed, 0, 0)
			f = &vortex.Flow{Bodies: []*vortex.Body{b}}
			f.Fill(&vorticity.Noise{Center: vec.New(0.7, 0, 0), Size: vec.New(3.4, 1.6, 1.6), Amplitude: 1e-8, Seed: 3}, h, 1, vortex.Blend{})
			f.Vortons.Keep(func(i int) bool { return !b.Embedded(f.Vortons.X[i]) })
			s := gourlay(&vortex.Tree{Leaves: "super"})
			s.Stretching, s.Eject, s.LongestStep = 0, eject, h/(2*speed)
			lift := figure.Curve{Name: fmt.Sprintf("%s, %g m", eject, h)}
			var push vec.Vec3
			start := f.Time
			err := r.flow(f, s, idealGas(), 0.4, 40, func() {
				if f.Time > start {
					push = push.Add(b.Impulse)
				}
				if f.Time > 0 {
					lift.X, lift.Y = append(lift.X, f.Time*speed), append(lift.Y, push.Y/(0.5*speed*speed*f.Time))
				}
			})
			if err != nil {
				return nil, err
			}
			scale := 0.5 * speed * speed * f.Time
			cl, cd := push.Y/scale, -push.X/scale
			name := lift.Name + ": "
			m = append(m, number(name+"lift coefficient", "", cl, surface, surface, noGoal), note(name+"drag coefficient", "", cd))
			if eject == "center" { // as the published code
				m = append(m, number(name+"sign of the lift", "", math.Copysign(1, cl), 1, 1, 0))
			}
			plot.Panels[0].Curve = append(plot.Panels[0].Curve, lift)
		}
	}
	plot.Panels[0].Curve = append(plot.Panels[0].Curve, figure.Curve{Name: "lifting surface", X: []float64{0, 1.6}, Y: []float64{surface, surface}})
	return r.gasResult(f, sizes[len(sizes)-1], plot, m...), nil
}

// liftingSurface returns the lift coefficient of a thin rectangular plate at an angle of
// attack in radians, by a vortex lattice of n by n panels. A panel's horseshoe vortex has
// its bound part at a quarter of the panel and trails along the plate's chord to
// far behind. The flow through the panel vanishes at three quarters of it, which meets
// the condition of Kutta (Katz and Plotkin, Low-Speed Aerodynamics, 2001, chapter 12).
func liftingSurface(n int, aspect, attack float64) float64 {
	// A quarter of a panel is left out at each tip (Hough, J. Aircr. 10, 1973).
	dx, dz := 1/float64(n), aspect/(float64(n)+0.5)
	size := n * n
	rows := make([][]float64, size)
	for p := range rows {
		x, z := float64((float64(p%n)+0.75)*dx), float64((float64(p/n)+0.5)*dz)
		rows[p] = make([]float64, size+1)
		for q := range size {
			xq, z1 := float64((float64(q%n)+0.25)*dx), float64(float64(q/n)*dz)
			// The velocity along y of the bound part and the two trailing ones.
			rows[p][q] = horseshoe(x-xq, z-z1, z-z1-dz)
		}
		rows[p][size] = -math.Sin(attack)
	}
	gamma := solve(rows)
	lift := 0.
	for _, g := range gamma {
		lift += float64(g * dz) // ρ U Γ
	}
	return float64(lift / (0.5 * aspect) * math.Cos(attack))
}

// horseshoe returns the velocity across the plate at the distance x behind the bound part of
// a horseshoe vortex of circulation 1, and z1 and z2 from its trailing parts.
func horseshoe(x, z1, z2 float64) float64 {
	part := func(z float64) float64 { return (1 + math.Hypot(x, z)/x) / z }
	return (part(z2) - part(z1)) / (4 * math.Pi)
}

// solve solves equations whose right side is the last column, by elimination with pivots.
func solve(a [][]float64) []float64 {
	n := len(a)
	for k := range n {
		p := k
		for i := k; i < n; i++ {
			if math.Abs(a[i][k]) > math.Abs(a[p][k]) {
				p = i
			}
		}
		a[k], a[p] = a[p], a[k]
		for i := k + 1; i < n; i++ {
			f := a[i][k] / a[k][k]
			for j := k; j <= n; j++ {
				a[i][j] -= float64(f * a[k][j])
			}
		}
	}
	x := make([]float64, n)
	for k := n - 1; k >= 0; k-- {
		x[k] = a[k][n]
		for j := k + 1; j < n; j++ {
			x[k] -= float64(a[k][j] * x[j])
		}
		x[k] /= a[k][k]
	}
	return x
}
