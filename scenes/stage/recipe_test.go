package stage

import (
	"strings"
	"testing"

	"breakwater/sim/vec"
)

func TestRecipe(t *testing.T) {
	type inner struct {
		On bool `toml:"on"`
	}
	type settings struct {
		B     float64  `toml:"b"`
		A     vec.Vec3 `toml:"a,inline"`
		Size  [2]int   `toml:"size"`
		Names []string `toml:"names"`
		In    inner    `toml:"in"`
		To    *inner   `toml:"to"`
		Path  string   `toml:"-"`
		cache []byte
	}
	var r Recipe
	r.Add("x", &settings{B: 0.1, A: vec.New(0, -9.81, 1e-300), Size: [2]int{3, 4}, Names: []string{"a\nb"}, Path: "p", cache: []byte{1}})
	want := "x.a 0 -9.81 1e-300\nx.b 0.1\nx.in.on false\nx.names 1 items\nx.names[0] \"a\\nb\"\nx.size 2 items\nx.size[0] 3\nx.size[1] 4\nx.to none\n"
	if got := r.lines.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if s := r.Sum(); len(s) != 64 || strings.Trim(s, "0123456789abcdef") != "" {
		t.Errorf("fingerprint %q", s)
	}
}

// TestRecipeTells has settings that differ by as little as can be.
func TestRecipeTells(t *testing.T) {
	sum := func(v any) string {
		var r Recipe
		r.Add("x", v)
		return r.Sum()
	}
	for _, pair := range [][2]any{
		{0.1, 0.1 + 1e-17*8},
		{[]string{"a", "b"}, []string{"ab"}},
		{[]string{}, [][]string{{}}},
		{"1", 1},
		{vec.New(1, 0, 0), vec.New(0, 1, 0)},
	} {
		if sum(pair[0]) == sum(pair[1]) {
			t.Errorf("%#v and %#v have one fingerprint", pair[0], pair[1])
		}
	}
}
