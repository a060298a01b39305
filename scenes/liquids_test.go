package scenes

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"breakwater/raster/sky"
	"breakwater/scenes/toml"
	"breakwater/sim/body"
	"breakwater/sim/longtest"
)

// TestNamedLiquids checks that a scene can name each liquid, and has its values.
func TestNamedLiquids(t *testing.T) {
	longtest.NotShort(t)
	f, _ := toml.Lookup(toml.Fields(reflect.TypeFor[Liquid]()), "name")
	if !slices.Equal(f.OneOf, liquidNames()) {
		t.Errorf("the key takes %v, the liquids are %v", f.OneOf, liquidNames())
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
		if got := s.Wall[0].Friction; got != l.Friction() {
			t.Errorf("%s: walls have a friction of %g, want %g", l.Name, got, l.Friction())
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

// TestLightOfNamedLiquids checks that mercury, a mirror, is in a hall, which has something to
// mirror everywhere, unless the scene has light of its own.
func TestLightOfNamedLiquids(t *testing.T) {
	const tank = "[liquid]\nspacing = 0.1\n%s[[wall]]\nkind = \"box\"\nmax = [1, 1, 1]\n[[fluid]]\nkind = \"box\"\nmax = [1, 0.4, 1]\n"
	for text, want := range map[string]sky.Surroundings{
		"":                     sky.Studio,
		"name = \"water\"\n":   sky.Studio,
		"name = \"mercury\"\n": sky.Hall,
		"name = \"mercury\"\n[light]\nkind = \"dark\"\n": sky.Dark,
	} {
		if got := mustRead(t, fmt.Sprintf(tank, text)).Light.Kind; got != want {
			t.Errorf("%q: the surroundings are %q, want %q", text, got, want)
		}
	}
}

// TestFrictionOfNamedLiquids checks that solids have the friction that the named liquid
// has on them, unless they say otherwise.
func TestFrictionOfNamedLiquids(t *testing.T) {
	const solids = "[[wall]]\nkind = \"box\"\nmax = [1, 1, 1]\n%s\n[[body]]\nkind = \"sphere\"\nradius = 0.1\nposition = [0.5, 0.7, 0.5]\ndensity = 500\n%s\n" +
		"[[fluid]]\nkind = \"box\"\nmax = [1, 0.4, 1]\n"
	for _, c := range []struct {
		liquid, own string
		want        float64
	}{
		{"", "", 0},
		{"name = \"water\"", "", 0},
		{"name = \"oil\"", "", 1},
		{"name = \"lava\"", "", 1},
		{"name = \"honey\"", "friction = 0", 0},
		{"name = \"honey\"", "friction = 0.3", 0.3},
		{"name = \"water\"", "friction = 0.3", 0.3},
	} {
		s := mustRead(t, "[liquid]\nspacing = 0.05\n"+c.liquid+"\n"+fmt.Sprintf(solids, c.own, c.own))
		if s.Wall[0].Friction != c.want || s.Body[0].Friction != c.want {
			t.Errorf("%q, %q: frictions of %g and %g, want %g", c.liquid, c.own, s.Wall[0].Friction, s.Body[0].Friction, c.want)
		}
		b, err := s.Build()
		if err != nil {
			t.Fatal(err)
		}
		rubs := 0.
		if w, ok := b.World.Walls[0].(*body.Body); ok {
			rubs = w.Friction
		}
		if rubs != c.want {
			t.Errorf("%q, %q: the built wall has a friction of %g, want %g", c.liquid, c.own, rubs, c.want)
		}
	}
	// The extended scene may have said it.
	if s := mustRead(t, "extends = \"boat\"\n[liquid]\nname = \"honey\"\n"); s.Wall[0].Friction != 1 || s.Body[0].Friction != 0.3 {
		t.Errorf("a boat in honey: frictions of %g and %g, want 1 and 0.3", s.Wall[0].Friction, s.Body[0].Friction)
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
	var list toml.Faults
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

// TestParticlesAreDrawnFromParticles checks that a look that shows particles does not
// depend on the mesh, and one that shows the surface does.
func TestParticlesAreDrawnFromParticles(t *testing.T) {
	pictures := func(look string, cell string) []string {
		s := mustRead(t, "extends = \"still-water\"\n[look]\nkind = \""+look+"\"\n[surface]\ncell = "+cell+"\n")
		k, err := NewKeys(s, mustBuild(t, s))
		if err != nil {
			t.Fatal(err)
		}
		return k.Pictures
	}
	if !slices.Equal(pictures("particles", "1"), pictures("particles", "0.8")) {
		t.Error("pictures of particles depend on the surface")
	}
	if slices.Equal(pictures("clay", "1"), pictures("clay", "0.8")) {
		t.Error("pictures of the surface do not depend on it")
	}
}
