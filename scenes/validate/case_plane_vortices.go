package validate

import (
	"math"

	"breakwater/raster/figure"
	"breakwater/sim/biot"
	"breakwater/sim/vec"
)

func init() {
	register("plane-vortices", "vortices in the plane: a pair, and an ellipse that turns", "exact, Kirchhoff 1876", planeVortices)
}

// planeVortices checks sums over straight vortices. Two opposite ones, b apart, move at
// Γ/(2πb). An elliptic patch of even vorticity turns at ω ab/(a+b)² and keeps its shape
// (Kirchhoff, Vorlesungen über mathematische Physik, 1876).
func planeVortices(r *Run) (*Result, error) {
	pair := &biot.Sources{Plane: true, X: []vec.Vec3{{Y: 0.5}, {Y: -0.5}}, Alpha: []vec.Vec3{{Z: 1}, {Z: -1}}, Radius: []float64{0.05, 0.05}}
	const steps = 20
	for range steps {
		planeStep(pair, 0.25)
		r.steps++
	}
	speed := pair.X[0].X / (0.25 * steps)

	const a, b, omega = 2., 1., 1.
	h := b / r.pick(16, 8)
	patch := &biot.Sources{Plane: true}
	for j := range int(2*a/h) + 1 {
		for i := range int(2*a/h) + 1 {
			x := vec.New(float64((float64(i)+0.5)*h)-a, float64((float64(j)+0.5)*h)-a, 0)
			// The share of the cell that is in the ellipse.
			const parts = 6
			in := 0.
			for k := range parts * parts {
				p := x.Add(vec.New((float64(k%parts)+0.5)/parts-0.5, (float64(k/parts)+0.5)/parts-0.5, 0).Mul(h))
				if float64(p.X*p.X/(a*a))+float64(p.Y*p.Y/(b*b)) < 1 {
					in += 1. / (parts * parts)
				}
			}
			if in > 0 {
				patch.X, patch.Alpha, patch.Radius = append(patch.X, x), append(patch.Alpha, vec.New(0, 0, float64(omega*h*h*in))), append(patch.Radius, h)
			}
		}
	}
	rate := omega * a * b / ((a + b) * (a + b))
	end := float64(2 * math.Pi / rate / 2) // half of a turn, in which the shape returns
	n := int(r.pick(120, 40))
	var angle, area series
	turned, before := 0., 0.
	for k := range n + 1 {
		xx, yy, xy := planeMoments(patch)
		now := float64(0.5 * math.Atan2(float64(2*xy), xx-yy))
		d := now - before
		d -= float64(math.Pi * math.Round(d/math.Pi))
		turned, before = turned+d, now
		angle.add(end*float64(k)/float64(n), turned)
		area.add(end*float64(k)/float64(n), float64(math.Pi*4*math.Sqrt(float64(xx*yy)-float64(xy*xy))))
		if k < n {
			planeStep(patch, end/float64(n))
			r.steps++
		}
		if r.Tell != nil {
			r.Tell(float64(k) / float64(n))
		}
		if err := r.Ctx.Err(); err != nil {
			return nil, err
		}
	}
	exact := figure.Curve{Name: "exact", X: angle.x, Dots: true}
	for _, t := range angle.x {
		exact.Y = append(exact.Y, float64(t*rate))
	}
	xx, yy, xy := planeMoments(patch)
	long := math.Sqrt(float64((xx+yy)/2) + math.Hypot(float64((xx-yy)/2), xy))
	short := math.Sqrt(float64((xx+yy)/2) - math.Hypot(float64((xx-yy)/2), xy))
	return &Result{patch.Len(), r.steps, h, []Measure{
		number("pair: speed", "m/s", speed, 1/(2*math.Pi), 1/(2*math.Pi), 2e-3),
		number("ellipse: rate of turning", "1/s", turned/end, rate, rate, r.pick(0.01, 0.02)),
		number("ellipse: area at the end", "m²", area.last(), math.Pi*a*b, math.Pi*a*b, r.pick(1e-3, 5e-3)),
		number("ellipse: ratio of the axes at the end", "", long/short, a/b, a/b, r.pick(0.01, 0.03)),
	}, &figure.Plot{Columns: 1, Panels: []figure.Panel{{
		Name: "angle", X: figure.Axis{Label: "time (s)"}, Y: figure.Axis{Label: "angle (rad)"},
		Curve: []figure.Curve{{Name: "simulation", X: angle.x, Y: angle.y}, exact},
	}}}}, nil
}

// planeMoments returns the second moments of a patch.
func planeMoments(s *biot.Sources) (xx, yy, xy float64) {
	var all float64
	for i, p := range s.X {
		w := s.Alpha[i].Z
		all, xx, yy, xy = all+w, xx+float64(w*p.X*p.X), yy+float64(w*p.Y*p.Y), xy+float64(w*p.X*p.Y)
	}
	return xx / all, yy / all, xy / all
}

// planeStep moves the vortices for dt by the Runge-Kutta scheme of the fourth order.
func planeStep(s *biot.Sources, dt float64) {
	start := append([]vec.Vec3(nil), s.X...)
	sum, u := make([]vec.Vec3, len(s.X)), make([]vec.Vec3, len(s.X))
	for k, part := range [4]float64{0.5, 0.5, 1, 0} {
		biot.Velocity(u, s.X, s, biot.Algebraic)
		for i := range u {
			sum[i] = sum[i].Add(u[i].Mul([4]float64{1, 2, 2, 1}[k] / 6))
			s.X[i] = start[i].Add(u[i].Mul(part * dt))
		}
	}
	for i := range sum {
		s.X[i] = start[i].Add(sum[i].Mul(dt))
	}
}
