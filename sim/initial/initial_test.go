package initial

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"breakwater/sim/vec"
)

// fields returns a field of each kind, ready to be asked.
func fields(t *testing.T) map[string]Field {
	list := map[string]Field{}
	for e, f := range Fields.Defaults() {
		if h, ok := f.(Heavy); ok {
			if err := h.SetGravity(vec.New(0, -9.81, 0)); err != nil {
				t.Fatal(err)
			}
		}
		if w, ok := f.(*Wave); ok {
			w.Phase, w.Depth = 60, 0.4
		}
		if _, ok := f.(Filed); !ok { // whose velocities are anything
			list[e.Name] = f
		}
	}
	return list
}

// TestDivergence checks that no field changes the volume of the liquid.
func TestDivergence(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for name, f := range fields(t) {
		for range 100 {
			x := vec.New(rng.Float64(), -0.3*rng.Float64(), rng.Float64())
			const e = 1e-4
			div := 0.
			for axis, d := range []vec.Vec3{{X: e}, {Y: e}, {Z: e}} {
				div += (f.At(x.Add(d)).Array()[axis] - f.At(x.Sub(d)).Array()[axis]) / (2 * e)
			}
			if speed := f.At(x).Len(); math.Abs(div) > 1e-6*(1+speed) {
				t.Errorf("%s has the divergence %g 1/s at %v", name, div, x)
			}
		}
	}
}

// TestWave checks the velocity of a wave against the motion of its surface, the bottom, and
// the period in deep and shallow water.
func TestWave(t *testing.T) {
	w := &Wave{Crest: vec.New(0.3, 0, 0), Direction: vec.New(2, 0, 0), Wavelength: 2, Amplitude: 0.01, Level: 0.5, Depth: 0.5, Phase: 40}
	if err := w.SetGravity(vec.New(0, -9.81, 0)); err != nil {
		t.Fatal(err)
	}
	height := func(x, phase float64) float64 {
		return 0.5 + float64(0.01*math.Cos(math.Pi*(x-0.3))*math.Cos(phase))
	}
	for _, x := range []float64{0, 0.3, 0.9, 1.7} {
		v := w.At(vec.New(x, 0.5, 0))
		const dt = 1e-5
		phase := 40 * math.Pi / 180
		rise := (height(x, phase+w.omega*dt) - height(x, phase-w.omega*dt)) / (2 * dt)
		if math.Abs(v.Y-rise) > 1e-6 {
			t.Errorf("at x = %g m the surface rises at %g m/s, the liquid at %g", x, rise, v.Y)
		}
		if v := w.At(vec.New(x, 0, 0)); math.Abs(v.Y) > 1e-12 {
			t.Errorf("the liquid passes the bottom at %g m/s", v.Y)
		}
		top := height(x, phase)
		if !w.Below(vec.New(x, top-1e-9, 0)) || w.Below(vec.New(x, top+1e-9, 0)) {
			t.Errorf("the surface at x = %g m is not at %g m", x, top)
		}
	}
	for depth, want := range map[float64]float64{0: math.Sqrt(9.81 * math.Pi), 1e-3: math.Pi * math.Sqrt(9.81*1e-3)} {
		w.Depth = depth
		if err := w.SetGravity(vec.New(0, -9.81, 0)); err != nil || math.Abs(w.omega/want-1) > 1e-4 {
			t.Errorf("in a depth of %g m the frequency is %g 1/s, want %g (%v)", depth, w.omega, want, err)
		}
	}
	if err := w.SetGravity(vec.New(1, -9.81, 0)); err == nil {
		t.Error("a slant gravity is taken")
	}
}

// TestPoints checks the interpolation: exact at the points and for a constant, close for a
// linear field, and with the nearest points that a plain search finds.
func TestPoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var text strings.Builder
	text.WriteString("x, y, z, vx, vy, vz\n")
	var at []vec.Vec3
	linear := func(x vec.Vec3) vec.Vec3 { return vec.New(2*x.Y, 3-x.X, 1) }
	for range 4000 {
		x := vec.New(rng.Float64(), rng.Float64(), rng.Float64())
		v := linear(x)
		at = append(at, x)
		fmt.Fprintf(&text, "%v,%v,%v,%v,%v,%v\n", x.X, x.Y, x.Z, v.X, v.Y, v.Z)
	}
	p := &Points{Scale: 2}
	if err := p.Read(strings.NewReader(text.String())); err != nil {
		t.Fatal(err)
	}
	for _, x := range at[:50] {
		if v := p.At(x); v.Sub(linear(x).Mul(2)).Len() > 1e-12 {
			t.Fatalf("at a point %v, want %v", v, linear(x).Mul(2))
		}
	}
	for range 200 {
		x := vec.New(rng.Float64(), rng.Float64(), rng.Float64())
		if v := p.At(x); v.Sub(linear(x).Mul(2)).Len() > 0.3 || math.Abs(v.Z-2) > 1e-12 {
			t.Errorf("at %v it is %v, want about %v", x, v, linear(x).Mul(2))
		}
		var s nearest
		s.look(p.list, 0, x)
		slices.SortFunc(at, func(a, b vec.Vec3) int {
			if a.Sub(x).Len() < b.Sub(x).Len() {
				return -1
			}
			return 1
		})
		for k := range s.list {
			if s.list[k].x != at[k] {
				t.Fatalf("the nearest point %d is %v, want %v", k, s.list[k].x, at[k])
			}
		}
	}
	for text, want := range map[string]string{
		"":                                  "has no points",
		"x,y,z,vx,vy,vz\n":                  "has no points",
		"1,2,3,4,5\n":                       "line 1 has 5 columns",
		"1,2,3,4,5,6\nx,y,z,vx,vy,vz\n":     `line 2: "x" in column x`,
		"1,2,3,4,5,6\n1,2,3,nan,5,6\n":      `line 2: "nan" in column vx`,
		"x,y,z,vx,vy,7\n":                   "names and numbers",
		"a,b,c,d,e,f\n":                     `"a" in column x`,
		"1,2,3,4,5,\"6\n":                   "quote",
		"x,y,z,vx,vy,vz\n1,2,3,1e300,5,6\n": `"1e300" in column vx`,
	} {
		if err := new(Points).Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want an error with %q", text, err, want)
		}
	}
}
