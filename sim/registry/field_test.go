package registry

import (
	"math"
	"reflect"
	"testing"
)

func TestFields(t *testing.T) {
	type inner struct {
		Depth float64 `toml:"depth" unit:"m" range:"(0, inf)" doc:"How deep."`
	}
	type settings struct {
		inner
		Kind   string `toml:"kind" oneof:"a b"`
		Hidden int
		Never  int `toml:"-"`
	}
	list := Fields(reflect.TypeFor[settings]())
	if len(list) != 2 {
		t.Fatalf("%d fields, want 2: %+v", len(list), list)
	}
	if f := list[0]; f.Key != "depth" || f.Unit != "m" || f.Doc != "How deep." || f.In.Contains(0) || !f.In.Contains(1e9) {
		t.Errorf("first field is %+v", f)
	}
	if f := list[1]; f.Key != "kind" || !reflect.DeepEqual(f.OneOf, []string{"a", "b"}) || f.In != nil {
		t.Errorf("second field is %+v", f)
	}
}

func TestInterval(t *testing.T) {
	for _, c := range []struct {
		tag, words string
		in, out    []float64
	}{
		{"[0, 1]", "from 0 to 1", []float64{0, 1}, []float64{-1e-300, math.Nextafter(1, 2), math.NaN()}},
		{"(0, 1]", "above 0 and at most 1", []float64{1e-300, 1}, []float64{0}},
		{"[0.25, inf)", "at least 0.25", []float64{0.25, 1e300}, []float64{0}},
		{"(-inf, 2)", "below 2", []float64{-1e300}, []float64{2}},
		{"(-inf, inf)", "", []float64{-1, 1}, []float64{math.NaN()}},
	} {
		in, err := parseInterval(c.tag)
		if err != nil || in.String() != c.words {
			t.Errorf("%s is %q, %v; want %q", c.tag, in.String(), err, c.words)
		}
		for _, x := range c.in {
			if !in.Contains(x) {
				t.Errorf("%s lacks %g", c.tag, x)
			}
		}
		for _, x := range c.out {
			if in.Contains(x) {
				t.Errorf("%s contains %g", c.tag, x)
			}
		}
	}
	for _, bad := range []string{"", "0, 1", "[0 1]", "[1, 0]", "[a, 1]", "[0, 1"} {
		if in, err := parseInterval(bad); err == nil {
			t.Errorf("%q is read as %v", bad, in)
		}
	}
}
