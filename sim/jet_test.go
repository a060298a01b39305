package sim

import (
	"math"
	"slices"
	"testing"

	"breakwater/sim/inflow"
	"breakwater/sim/longtest"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/vec"
)

// TestJetThins lets a jet fall until it is seven times as fast as in its opening. It must
// get thinner as its speed grows, and be equally dense along its axis. A jet that falls
// as a string of discs has empty slices between full ones.
func TestJetThins(t *testing.T) {
	longtest.NotShort(t)
	for _, c := range []struct {
		name      string
		viscosity float64 // m²/s
		radius    float64 // spacings
		speeds    float64 // up to how many times the speed in the opening it is looked at
	}{
		{"water", 1e-6, 2, 6},
		{"water", 1e-6, 4, 3},
		{"honey", 7e-3, 2, 7},
		{"honey", 7e-3, 3, 6},
		{"honey", 7e-3, 4, 6},
	} {
		for _, solver := range []string{"iisph", "isph", "dfsph"} {
			if solver != "iisph" && !longtest.On() {
				continue
			}
			const d, speed = 0.01, 0.5
			w := New(d, 1000)
			w.Gravity = earth
			w.Viscosity = c.viscosity
			w.Speed = 4
			w.Inflows = []inflow.Inflow{{Opening: &inflow.Disc{Radius: c.radius * d}, Direction: vec.New(0, -1, 0), Speed: speed, Stop: math.Inf(1)}}
			mustInit(t, w)
			n := w.Nozzles()[0]
			mustAdvance(t, w, registrytest.New(t, &Solvers, solver), 0.4, nil)

			const slice = 8 * d
			for top := 4 * d; ; top += slice {
				count, r2, v := 0., 0., 0.
				at := [16]float64{} // particles in half spacings
				for i, x := range w.X {
					if y := -x.Y - top; y >= 0 && y < slice {
						count++
						r2 += x.X*x.X + x.Z*x.Z
						v -= w.V[i].Y
						at[int(y/slice*16)]++
					}
				}
				if v /= count; !(v < c.speeds*speed) {
					break
				}
				if free := math.Sqrt(speed*speed + 2*9.81*(top+slice/2)); v < 0.7*free || v > 1.1*free {
					t.Errorf("%s of %g spacings, %s: %.2f m/s at %.2f m, and %.2f m/s in free fall", c.name, c.radius, solver, v, top, free)
				}
				area := n.Flow / v
				if volume := count * d * d * d / slice; math.Abs(volume-area) > 0.2*area+d*d {
					t.Errorf("%s of %g spacings, %s: at %.2f m a section of %.3g m² has %.3g m² of particles", c.name, c.radius, solver, top, area, volume)
				}
				// A disc of the area A has the mean square radius A/2π.
				if got := 2 * math.Pi * r2 / count / area; got > 1.6 || got < 0.5 {
					t.Errorf("%s of %g spacings, %s: at %.2f m the section is %.2f times Q/v", c.name, c.radius, solver, top, got)
				}
				mean, variance := count/16, 0.
				for _, k := range at {
					variance += (k - mean) * (k - mean) / 16
				}
				if got := variance / mean; got > 2 { // 1 for places at random
					t.Errorf("%s of %g spacings, %s: at %.2f m the particles along the axis come in lumps: the variance is %.2f times the mean", c.name, c.radius, solver, top, got)
				}
			}
			// Gaps in the whole jet but its tip.
			var ys []float64
			for i := range w.X {
				if -w.V[i].Y < c.speeds*speed {
					ys = append(ys, -w.X[i].Y)
				}
			}
			if gap := widestGap(ys); gap > 1.75*d {
				t.Errorf("%s of %g spacings, %s: a gap of %.2f spacings along the axis", c.name, c.radius, solver, gap/d)
			} else {
				t.Logf("%s of %g spacings, %s: %d particles, widest gap %.2f spacings", c.name, c.radius, solver, len(ys), gap/d)
			}
		}
	}
}

// widestGap returns the largest distance between numbers that follow each other.
func widestGap(list []float64) (gap float64) {
	slices.Sort(list)
	for i := 1; i < len(list); i++ {
		gap = max(gap, list[i]-list[i-1])
	}
	return gap
}

// TestJetHolds lets jets of three to six particles fall by a metre. At each height the
// section of the jet is Q/v, from the number of particles and from their distance from its
// axis. The particles are not in layers.
func TestJetHolds(t *testing.T) {
	longtest.NotShort(t)
	for _, radius := range []float64{2, 1.5, 2.5, 3} { // spacings
		if radius != 2 && !longtest.On() {
			continue
		}
		const d, speed = 0.005, 1.
		w := New(d, 1000)
		w.Gravity, w.Viscosity, w.Speed = earth, 1e-6, 5
		w.Inflows = []inflow.Inflow{{Opening: &inflow.Disc{Radius: radius * d}, Direction: vec.New(0, -1, 0), Speed: speed, Stop: math.Inf(1)}}
		mustInit(t, w)
		n := w.Nozzles()[0]
		mustAdvance(t, w, registrytest.New(t, &Solvers, "isph"), 0.4, nil)
		const slice = 20 * d
		for top := 0.; top < 0.95; top += slice {
			var ys []float64
			r2, v := 0., 0.
			for i, x := range w.X {
				if y := -x.Y - top; y >= 0 && y < slice {
					ys = append(ys, y)
					r2 += x.X*x.X + x.Z*x.Z
					v -= w.V[i].Y
				}
			}
			count := float64(len(ys))
			v /= count
			middle := top + slice/2
			if free := math.Sqrt(speed*speed + 2*9.81*middle); math.Abs(v/free-1) > 0.06 {
				t.Errorf("%g spacings: %.2f m/s at %.2f m, and %.2f m/s in free fall", radius, v, middle, free)
			}
			area := n.Flow / v
			if got := count * d * d * d / slice / area; math.Abs(got-1) > 0.06 {
				t.Errorf("%g spacings: at %.2f m the particles have the section of %.2f Q/v", radius, middle, got)
			}
			// A disc of the area A has the mean square radius A/2π.
			if got := 2 * math.Pi * r2 / count / area; got > 1.25 || got < 0.75 {
				t.Errorf("%g spacings: at %.2f m the particles are spread over %.2f Q/v", radius, middle, got)
			}
			// Rings have nearly 1, and as few particles at random places 0.4.
			if share, length := layering(ys, d); share > 0.5 {
				t.Errorf("%g spacings: at %.2f m a share %.2f of the particles is in layers %.2f spacings apart", radius, middle, share, length/d)
			}
		}
	}
}

// layering returns which share of the particles at ys lies in equally distant layers, and
// their distance: the largest |Σ exp(2πi y/λ)|/n over λ about the spacing d.
func layering(ys []float64, d float64) (share, length float64) {
	for l := 0.6 * d; l < 4*d; l *= 1.005 {
		re, im := 0., 0.
		for _, y := range ys {
			sin, cos := math.Sincos(2 * math.Pi * y / l)
			re, im = re+cos, im+sin
		}
		if x := math.Hypot(re, im) / float64(len(ys)); x > share {
			share, length = x, l
		}
	}
	return share, length
}
