package scenes

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"breakwater/scenes/toml"
	"breakwater/sim/longtest"
	"breakwater/sim/vortex"
)

// gasWriter writes random scenes of a gas.
type gasWriter struct {
	strings.Builder
	*rand.Rand
}

func (w *gasWriter) line(format string, a ...any) { fmt.Fprintf(w, format+"\n", a...) }

// point returns a place near the origin, as TOML.
func (w *gasWriter) point() string {
	return fmt.Sprintf("[%.3g, %.3g, %.3g]", w.NormFloat64()/2, w.NormFloat64()/2, w.NormFloat64()/2)
}

// some returns one of the words.
func (w *gasWriter) some(words ...string) string { return words[w.IntN(len(words))] }

// shape writes the kind of a solid or a region and its size.
func (w *gasWriter) shape() {
	switch w.IntN(3) {
	case 0:
		w.line("kind = \"sphere\"\ncenter = %s\nradius = %.3g", w.point(), 0.02+0.3*w.Float64())
	case 1:
		x, y, z := w.NormFloat64(), w.NormFloat64(), w.NormFloat64()
		w.line("kind = \"box\"\nmin = [%.3g, %.3g, %.3g]\nmax = [%.3g, %.3g, %.3g]", x, y, z, x+0.05+w.Float64(), y+0.05+w.Float64(), z+0.05+w.Float64())
	case 2:
		w.line("kind = \"cylinder\"\nbottom = %s\ntop = %s\nradius = %.3g", w.point(), w.point(), 0.02+0.3*w.Float64())
	}
}

// heat writes the temperature of something, or not.
func (w *gasWriter) heat() {
	if w.IntN(2) == 0 {
		w.line("temperature = %.3g", 100+w.ExpFloat64()*400)
	}
}

// scene returns the text of a scene, which may have faults.
func (w *gasWriter) scene() string {
	w.line("[time]\nduration = 0.1\nfps = 30\n[tracers]\nper_cell = 1\n[gas]\ncell = %.3g\nviscosity = %.3g\nconduction = %.3g\nwind = %s", 0.15+0.1*w.Float64(), w.Float64()*w.Float64(), w.Float64()/10, w.point())
	if w.IntN(3) == 0 {
		w.line("gravity = %s\nvariable_density = true", w.point())
	}
	solver := w.some("gourlay", "vortons", "mesh")
	fuel := w.IntN(2) == 0
	for range 1 + w.IntN(2) {
		w.line("[[vortex]]\nkind = %q\ncenter = %s\nsmoke = 0.4", w.some("ring", "ball", "jet-ring"), w.point())
		w.line("radius = %.3g", 0.3+0.2*w.Float64())
		w.heat()
	}
	for range w.IntN(3) {
		w.line("[[source]]")
		w.shape()
		w.heat()
		if fuel {
			w.line("fuel = %.3g", w.Float64())
		}
		w.line("tracers = %d\nstart = %.3g", w.IntN(1000), w.Float64()/10)
		if solver != "mesh" {
			w.line("vortons = %d", 1+w.IntN(500))
		}
	}
	for range w.IntN(3) {
		w.line("[[wall]]\nfriction = 0")
		w.shape()
		w.heat()
		if w.IntN(2) == 0 {
			w.line("inside = false")
		}
	}
	for range w.IntN(2) {
		w.line("[[body]]\ndensity = %.3g", 1+w.ExpFloat64()*50)
		w.shape()
	}
	w.line("[solver]\nkind = %q", solver)
	switch solver {
	case "gourlay":
		w.line("at = %q\nmollify = %.2g\nstretching = %.2g\nphases = %q\nstencil = %q\ndiffusion = %q", w.some("grid", "vortons"), w.Float64()*3, w.Float64(),
			w.some("even-odd", "both"), w.some("faces", "half"), w.some("article", "exact"))
		w.line("[technique]\nkind = %q", w.some("direct", "tree", "pic", "poisson"))
	case "vortons":
		w.line("stretching = %q\nkernel = %q\ndiffusion = %q\nmost = %d", w.some("reformulated", "transpose", "classical", "none"), w.some("algebraic", "algebraic", "gauss"),
			w.some("cores", "exchange"), 100+w.IntN(1000))
	case "mesh":
		w.line("expansion = %t\nlow = [-1.5, -1.5, -1.5]\nhigh = [1.5, 1.5, 1.5]\nlongest_step = 0.05", w.IntN(2) == 0)
	}
	if fuel {
		w.line("[flame]\nactivation = %.3g\nheat = %.3g", w.ExpFloat64()*1000, w.ExpFloat64()*1e6)
	}
	return w.String()
}

// TestRandomGas runs random scenes of a gas. Each is refused with faults that have a text,
// or it runs and all its particles stay numbers, or it ends with the particle or the
// lattice that is to blame.
func TestRandomGas(t *testing.T) {
	longtest.NotShort(t)
	most := 20
	if longtest.On() {
		most = 200
	}
	ran, refused, ended := 0, 0, 0
	for seed := range most {
		w := &gasWriter{Rand: rand.New(rand.NewPCG(uint64(seed), 0))}
		text := strings.ReplaceAll(w.scene(), "friction = 0\n", "")
		s, err := Read("x.toml", []byte(text))
		if err != nil {
			var list toml.Faults
			if !errors.As(err, &list) || len(list) == 0 || list[0].Text == "" {
				t.Fatalf("scene %d: %v\n%s", seed, err, text)
			}
			refused++
			continue
		}
		b, err := s.Build()
		if err != nil {
			t.Fatalf("scene %d: %v\n%s", seed, err, text)
		}
		err = b.Flow.Advance(b.GasSolver, &s.Gas.Gas, s.Time.At(s.Time.Frames()), nil)
		var unstable *vortex.Unstable
		var large *vortex.TooLarge
		switch {
		case errors.As(err, &unstable) || errors.As(err, &large):
			ended++
			continue
		case err != nil:
			t.Fatalf("scene %d: %v\n%s", seed, err, text)
		}
		ran++
		gasHolds(t, s, b)
		if t.Failed() {
			t.Fatalf("scene %d:\n%s", seed, text)
		}
	}
	t.Logf("%d ran, %d were refused, %d ended", ran, refused, ended)
	if ran < most/4 {
		t.Errorf("only %d of %d scenes ran", ran, most)
	}
}

// gasHolds checks that all that a gas has is a number, and that no tracer is deep in a solid.
func gasHolds(t *testing.T, s *Scene, b *Built) {
	t.Helper()
	f := b.Flow
	for i, x := range f.Vortons.X {
		if v := &f.Vortons; !(x.Finite() && v.V[i].Finite() && v.W[i].Finite() && v.Radius[i] > 0 && v.Density[i] > 0) {
			t.Fatalf("vorton %d: %v, %v m/s, %v 1/s, radius %g, density %g", v.ID[i], x, v.V[i], v.W[i], v.Radius[i], v.Density[i])
		}
		for _, share := range [][]float64{f.Vortons.Mix.Fuel, f.Vortons.Mix.Flame, f.Vortons.Mix.Smoke} {
			if !(share[i] >= -0.5 && share[i] <= 1.5) { // M4′ of the solver mesh overshoots
				t.Fatalf("vorton %d has a mass fraction of %g", f.Vortons.ID[i], share[i])
			}
		}
	}
	for i, x := range f.Tracers.X {
		if !(x.Finite() && f.Tracers.Temperature[i] > 0) {
			t.Fatalf("tracer %d: %v, %g K", f.Tracers.ID[i], x, f.Tracers.Temperature[i])
		}
		for k, body := range f.Bodies {
			if d, _ := body.Contact(x); d < -s.Gas.Cell {
				t.Fatalf("tracer %d is %.3g m deep in solid %d", f.Tracers.ID[i], -d, k+1)
			}
		}
	}
}
