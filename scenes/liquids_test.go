package scenes

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestNamedLiquids holds that a scene can name each liquid, and has its values.
func TestNamedLiquids(t *testing.T) {
	f, _ := lookup(fieldsOf(reflect.TypeFor[Liquid]()), "name")
	if !slices.Equal(f.oneof, liquidNames()) {
		t.Errorf("the key takes %v, the liquids are %v", f.oneof, liquidNames())
	}
	for _, l := range Liquids {
		s := mustRead(t, "extends = \"dam-break\"\n[liquid]\nname = \""+l.Name+"\"\n")
		b, err := s.Build()
		if err != nil {
			t.Fatal(err)
		}
		w := b.World
		if w.Rho0 != l.Density || math.Abs(w.Viscosity*w.Rho0-l.Viscosity) > 1e-12*l.Viscosity || w.SurfaceTension != l.SurfaceTension || w.ContactAngle != l.ContactAngle {
			t.Errorf("%s: got %g kg/m³, %g m²/s, %g N/m, %g°", l.Name, w.Rho0, w.Viscosity, w.SurfaceTension, w.ContactAngle)
		}
		if s.Look.Kind != l.Name {
			t.Errorf("%s looks like %s", l.Name, s.Look.Kind)
		}
		s = mustRead(t, "extends = \"dam-break\"\n[liquid]\nname = \""+l.Name+"\"\n[look]\nkind = \"clay\"\n")
		if s.Look.Kind != "clay" {
			t.Errorf("%s looks like %s where the scene says clay", l.Name, s.Look.Kind)
		}
	}
}

// TestLiquidValues lays values over each other in all the ways there are.
func TestLiquidValues(t *testing.T) {
	for _, c := range []struct {
		text        string
		density, nu float64
	}{
		{"spacing = 0.03", 1000, 1e-6},
		{"viscosity = 2e-3", 1000, 2e-3},
		{"dynamic_viscosity = 2", 1000, 2e-3},
		{"dynamic_viscosity = \"200 cP\"\ndensity = 500", 500, 4e-4},
		{"dynamic_viscosity = \"2 Pa s\"", 1000, 2e-3},
		{"name = \"honey\"", 1420, 10. / 1420},
		{"name = \"honey\"\ndensity = 1000", 1000, 1e-2},
		{"density = 1000\nname = \"honey\"\nviscosity = 5", 1000, 5},
	} {
		l := mustRead(t, "extends = \"dam-break\"\n[liquid]\n"+c.text+"\n").Liquid
		if l.Density != c.density || math.Abs(l.Viscosity-c.nu) > 1e-12 || math.Abs(l.DynamicViscosity-c.nu*c.density) > 1e-9 {
			t.Errorf("%q: density %g, viscosity %g m²/s, %g Pa·s", c.text, l.Density, l.Viscosity, l.DynamicViscosity)
		}
	}
	_, err := Read("x.toml", []byte("extends = \"dam-break\"\n[liquid]\nviscosity = 1\ndynamic_viscosity = 2\n"))
	var list Faults
	if !errors.As(err, &list) || len(list) != 1 || list[0].Line != 4 || !strings.Contains(list[0].Text, "given too (line 3)") {
		t.Errorf("two viscosities: %v", err)
	}
}

func mustRead(t *testing.T, text string) *Scene {
	t.Helper()
	s, err := Read("x.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func mustBuild(t *testing.T, s *Scene) *Built {
	t.Helper()
	b, err := s.Build()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestParticlesAreDrawnFromParticles holds that a look that shows particles
// does not depend on the mesh, and one that shows the surface does.
func TestParticlesAreDrawnFromParticles(t *testing.T) {
	pictures := func(look string, cell string) []string {
		s := mustRead(t, "extends = \"still-water\"\n[look]\nkind = \""+look+"\"\n[surface]\ncell = "+cell+"\n")
		k, err := newKeys(s, mustBuild(t, s))
		if err != nil {
			t.Fatal(err)
		}
		return k.pictures
	}
	if !slices.Equal(pictures("particles", "1"), pictures("particles", "0.8")) {
		t.Error("pictures of particles depend on the surface")
	}
	if slices.Equal(pictures("clay", "1"), pictures("clay", "0.8")) {
		t.Error("pictures of the surface do not depend on it")
	}
}
