package classic

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"breakwater/sim"
	"breakwater/sim/kernel"
	"breakwater/sim/longtest"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/vec"
)

// TestTextbookChoices runs the column with each choice of formula. It must stay a
// liquid, in its box and not pressed to nothing.
func TestTextbookChoices(t *testing.T) {
	choices := map[string]func(s *Textbook){
		"tait":      func(s *Textbook) { s.EOS = "tait" },
		"exchange":  func(s *Textbook) { s.ViscosityModel, s.Exchange = "exchange", 5 },
		"laplacian": func(s *Textbook) { s.ViscosityModel = "laplacian" },
		"pull":      func(s *Textbook) { s.Pull = true },
		"neighbors": func(s *Textbook) { s.Neighbors = 30 },
		"canonical": func(s *Textbook) { s.Gradient = "canonical" },
	}
	for _, k := range kernel.Kernels.Names() {
		choices["kernel "+k] = func(s *Textbook) { s.Kernel = k }
	}
	for name, choose := range choices {
		t.Run(name, func(t *testing.T) {
			if name == "neighbors" || strings.HasPrefix(name, "kernel ") && name != "kernel cubic-spline" { // the numbers of other choices
				longtest.Only(t)
			}
			w, s := column(t), registrytest.New(t, &sim.Solvers, "textbook").(*Textbook)
			w.Viscosity = 0.01
			choose(s)
			if err := s.Check(w); err != nil {
				t.Fatal(err)
			}
			if testing.Short() { // for the race detector, which needs no flow
				advance(t, w, s, 0.02)
				return
			}
			advance(t, w, s, 0.2)
			low := slices.MinFunc(w.X, func(a, b vec.Vec3) int { return int(math.Copysign(1, a.X-b.X)) })
			if low.X > 1.45 || depth(w) < 0.6 || depth(w) > 2.1 {
				t.Errorf("after 0.2 s the front is at %g m and the depth %g m", low.X, depth(w))
			}
		})
	}
}

// TestTextbookFaults checks that impossible settings are reported.
func TestTextbookFaults(t *testing.T) {
	for key, choose := range map[string]func(s *Textbook){
		"kernel":          func(s *Textbook) { s.Kernel = "box" },
		"pressure_kernel": func(s *Textbook) { s.PressureKernel = "" },
		"neighbors":       func(s *Textbook) { s.Neighbors = 2 },
		"sound_speed":     func(s *Textbook) { s.SoundSpeed = 1 },
		"longest_step":    func(s *Textbook) { s.LongestStep = 0.1 },
	} {
		s := registrytest.New(t, &sim.Solvers, "textbook").(*Textbook)
		choose(s)
		var bad *sim.SettingError
		if err := s.Check(column(t)); !errors.As(err, &bad) || bad.Key != key {
			t.Errorf("want a fault of %s, got %v", key, err)
		}
	}
	for key, choose := range map[string]func(s *Gourlay){
		"support":      func(s *Gourlay) { s.Support = 2 },
		"sound_speed":  func(s *Gourlay) { s.Stiffness, s.SoundSpeed = 0, 1 },
		"longest_step": func(s *Gourlay) { s.LongestStep = 0.1 },
	} {
		s := registrytest.New(t, &sim.Solvers, "gourlay-default").(*Gourlay)
		choose(s)
		var bad *sim.SettingError
		if err := s.Check(column(t)); !errors.As(err, &bad) || bad.Key != key {
			t.Errorf("want a fault of %s, got %v", key, err)
		}
	}
	w := column(t)
	w.SurfaceTension = 0.07
	if err := registrytest.New(t, &sim.Solvers, "textbook").(*Textbook).Check(w); err == nil {
		t.Error("surface tension, which it does not have, is not reported as a fault")
	}
}
