package estimate

import (
	"errors"
	"strings"
	"testing"

	"breakwater/scenes"
	"breakwater/scenes/memory"
	"breakwater/scenes/toml"
)

// TestMemoryOfGas reads scenes of a gas that need more memory than there is. Larger cells
// help where vortices and blocks of smoke make the particles, and lower rates where sources
// do.
func TestMemoryOfGas(t *testing.T) {
	before := memory.Machine
	defer func() { memory.Machine = before }()
	memory.Machine = func() (int64, string) { return 400e6, "this test has" }
	for _, c := range []struct{ text, key, want string }{
		{"[gas]\ncell = 0.01\n[[smoke]]\nkind = \"box\"\nmax = [1, 1, 1]\n", "gas.cell", "0.4 GB: make it 0.02"},
		{"[gas]\ncell = 0.05\n[[source]]\nkind = \"box\"\nmax = [1, 1, 1]\ntracers = 1e6\n", "source[1].tracers", "0.4 GB: lower the rate, or set solver.life"},
		{"[gas]\ncell = 0.05\n[[source]]\nkind = \"box\"\nmax = [1, 1, 1]\ntracers = 1e6\n[solver]\nlife = 0.1\n", "", ""},
		{"[gas]\ncell = 0.01\n[[vortex]]\nkind = \"ring\"\nradius = 0.1\ncore = 0.02\n[[vortex]]\nkind = \"ring\"\nradius = 0.1\ncore = 0.02\ncenter = [2, 2, 2]\n[solver]\nkind = \"mesh\"\n", "gas.cell", "or more"},
	} {
		_, err := scenes.Read("x.toml", []byte(c.text))
		var list toml.Faults
		if c.key == "" {
			if err != nil {
				t.Errorf("%s\n%v", c.text, err)
			}
			continue
		}
		if !errors.As(err, &list) || len(list) != 1 || list[0].Key != c.key || !strings.Contains(list[0].Text, c.want) {
			t.Errorf("%s\ngot %v, want a fault of %s with %q", c.text, err, c.key, c.want)
		}
	}

	s := mustRead(t, "[gas]\ncell = 0.1\n[[vortex]]\nkind = \"ball\"\nsmoke = 1\n")
	e := Of(s, mustBuild(t, s), nil)
	memory.Machine = func() (int64, string) { return e.Memory * 9 / 10, "this test has" }
	var list toml.Faults
	if err := Fits(s, &e); !errors.As(err, &list) || list[0].Key != "gas.cell" {
		t.Errorf("got %v, want a fault of gas.cell", err)
	}
	memory.Machine = func() (int64, string) { return 1000, "this test has" }
	if err := Fits(s, &e); err == nil || !strings.Contains(err.Error(), "no cell is large enough: lower the rates of sources") {
		t.Errorf("got %v, want that no cell is large enough", err)
	}
}
