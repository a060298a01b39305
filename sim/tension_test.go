package sim

import (
	"math"
	"testing"

	"breakwater/sim/boundary"
	"breakwater/sim/longtest"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// drop returns a ball of water of about the given radius in spacings of a
// millimetre, without gravity, and the radius it has.
func drop(t testing.TB, spacings float64) (*World, float64) {
	w := New(0.001, 1000)
	w.SurfaceTension, w.ContactAngle = 0.0728, 90
	w.Fill(&shape.Sphere{Radius: spacings * w.Spacing}, vec.Vec3{})
	mustInit(t, w)
	return w, w.Spacing * math.Cbrt(float64(w.Len())*3/4/math.Pi)
}

// TestDropSwings stretches a drop by 12 % and lets it go. Its period and the pressure in
// it must agree with theory (Lord Rayleigh 1879, l = 2): ω² = 8σ/ρR³ and p = 2σ/R.
func TestDropSwings(t *testing.T) {
	longtest.NotShort(t)
	w, R := drop(t, 7)
	const stretch = 1.06
	for i, x := range w.X {
		w.X[i] = vec.New(x.X*stretch*stretch, x.Y/stretch, x.Z/stretch)
	}
	s := registrytest.New(t, &Solvers, "iisph")
	period := 2 * math.Pi / math.Sqrt(8*w.SurfaceTension/(w.Rho0*R*R*R))
	var zero []float64 // when it is round
	last, then := 1., 0.
	var sum, n float64
	mustAdvance(t, w, s, 1.4*period, func(StepInfo) error {
		shape := 0.
		for i, x := range w.X {
			shape += x.X*x.X - (x.Y*x.Y+x.Z*x.Z)/2
			if w.Time > 0.2*period && x.Len() < 0.6*R {
				sum, n = sum+w.Carry(carryPressure)[i], n+1
			}
		}
		if shape*last < 0 {
			zero = append(zero, then+(w.Time-then)*last/(last-shape))
		}
		last, then = shape, w.Time
		return nil
	})
	if len(zero) != 3 {
		t.Fatalf("round at %v s, with a period of %g s", zero, period)
	}
	if got := zero[2] - zero[0]; math.Abs(got-period) > 0.1*period {
		t.Errorf("swings in %g s, want %g", got, period)
	}
	if got, want := sum/n, 2*w.SurfaceTension/R; math.Abs(got-want) > 0.1*want {
		t.Errorf("the pressure is %g Pa, want %g", got, want)
	}
	if got := momentum(w).Len() / float64(w.Len()); got > 1e-6*w.Stats().MaxSpeed {
		t.Errorf("drifts at %g m/s", got)
	}
}

// TestCubeBecomesBall leaves a cube of a thick liquid to its surface.
func TestCubeBecomesBall(t *testing.T) {
	longtest.NotShort(t)
	w := New(0.001, 1000)
	w.SurfaceTension, w.Viscosity = 0.0728, 2e-4
	w.Fill(&shape.Box{Min: vec.New(-0.005, -0.005, -0.005), Max: vec.New(0.005, 0.005, 0.005)}, vec.Vec3{})
	mustInit(t, w)
	shape := func() (far, cubic float64) {
		c := w.Stats().Center
		var four, all float64
		for _, x := range w.X {
			x = x.Sub(c)
			far = max(far, x.Len())
			four += x.X*x.X*x.X*x.X + x.Y*x.Y*x.Y*x.Y + x.Z*x.Z*x.Z*x.Z
			all += x.Dot(x) * x.Dot(x)
		}
		return far, four/all - 0.6
	}
	R := w.Spacing * math.Cbrt(float64(w.Len())*3/4/math.Pi)
	mustAdvance(t, w, registrytest.New(t, &Solvers, "iisph"), 0.1, nil)
	// The centres of the outermost particles are half a spacing in.
	if far, cubic := shape(); far > R || math.Abs(cubic) > 0.02 {
		t.Errorf("the farthest particle is at %.3f of the ball's radius and the shape %.4f from a ball's", far/R, cubic)
	}
}

// TestContactAngle lets half a drop on a plate find its contact angle, which follows from
// the height of its centre of mass.
func TestContactAngle(t *testing.T) {
	longtest.NotShort(t)
	for angle, off := range map[float64]float64{30: 10, 90: 10, 150: 25} {
		if angle != 30 && !longtest.On() {
			continue
		}
		w := New(0.001, 1000)
		w.SurfaceTension, w.ContactAngle, w.Viscosity = 0.0728, angle, 2e-4
		w.Walls = []boundary.Boundary{registrytest.New(t, &boundary.Boundaries, "plane")}
		w.Fill(&shape.Sphere{Radius: 0.008}, vec.Vec3{})
		mustInit(t, w)
		mustAdvance(t, w, registrytest.New(t, &Solvers, "iisph"), 0.24, nil)
		got := capAngle(w.Stats().Center.Y / math.Cbrt(float64(w.Len())) / w.Spacing)
		if math.Abs(got-angle) > off {
			t.Errorf("the angle is %.0f°, want %g°", got, angle)
		}
	}
}

// TestTensionSameBytes is TestThickLiquidSameBytes for surface tension.
func TestTensionSameBytes(t *testing.T) {
	solvers(t, func(t *testing.T, name string) {
		wet := func() *World {
			w := dam(t, 0.05)
			w.SurfaceTension, w.ContactAngle = 5, 40
			return w
		}
		sameResumed(t, name, wet, nil)
	})
}

// capAngle returns the angle of contact, in degrees, of a ball's cap whose
// centre of mass is y high where the volume is 1.
func capAngle(y float64) float64 {
	height := func(angle float64) float64 {
		h := 1 - math.Cos(angle*math.Pi/180) // for a radius of 1
		v := math.Pi * h * h * (3 - h) / 3
		top := 3 * (2 - h) * (2 - h) / 4 / (3 - h) // of the centre of mass, from the ball's
		return (top - (1 - h)) / math.Cbrt(v)
	}
	lo, hi := 1., 179.
	for hi-lo > 0.01 {
		if mid := (lo + hi) / 2; height(mid) < y {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}
