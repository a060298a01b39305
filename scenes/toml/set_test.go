package toml

import "testing"

func TestSet(t *testing.T) {
	var f Report
	root, ok := Parse(&Source{Data: "[liquid]\nspacing = 1\nname = \"water\"\n[[fluid]]\nkind = \"box\"\nmax = [1, 2, 3]\n[[fluid]]\nkind = \"ball\"\nradius = 1\n"}, &f)
	if !ok {
		t.Fatal(f.Err())
	}
	language := &Schema{Families: []Family{{Table: "fluid"}}}
	text := func(root *Node, item int, keys ...string) string {
		if item >= 0 {
			root = root.Get("fluid").Items[item]
		}
		n := root.Find(keys...)
		if n == nil {
			return "absent"
		}
		s := n.Kind.String() + " " + n.Text
		for _, c := range n.Items {
			s += " " + c.Path + "=" + c.Text
		}
		return s
	}
	for _, c := range []struct {
		assignment string
		item       int
		keys       []string
		want       string
	}{
		{"liquid.spacing=2 cm", -1, []string{"liquid", "spacing"}, "a string 2 cm"},
		{"liquid.spacing = 2", -1, []string{"liquid", "spacing"}, "a whole number 2"},
		{"liquid.name='oil'", -1, []string{"liquid", "name"}, "a string oil"},
		{"liquid.name=oil", -1, []string{"liquid", "name"}, "a string oil"},
		{"liquid.spacing=2", -1, []string{"liquid", "name"}, "a string water"},
		{"picture.size=[4, 5]", -1, []string{"picture", "size"}, "a list  picture.size[1]=4 picture.size[2]=5"},
		{"picture.size=[4, 5", -1, []string{"picture", "size"}, "a string [4, 5"},
		{"fluid[1].max=[4]", 0, []string{"max"}, "a list  fluid[1].max[1]=4"},
		{"fluid[1].max[2]=7", 0, []string{"max"}, "a list  fluid[1].max[1]=1 fluid[1].max[2]=7 fluid[1].max[3]=3"},
		{"fluid[2].radius=2", 1, []string{"radius"}, "a whole number 2"},
		{"fluid[2].radius=2", 0, []string{"kind"}, "a string box"},
		{"fluid[2].kind=box", 1, []string{"radius"}, "absent"},
		{"light.sky.a.b=true", -1, []string{"light", "sky", "a", "b"}, "a truth value true"},
	} {
		got, err := language.Set(root, "--set", c.assignment)
		if err != nil {
			t.Errorf("%s: %v", c.assignment, err)
		} else if got := text(got, c.item, c.keys...); got != c.want {
			t.Errorf("%s: got %q, want %q", c.assignment, got, c.want)
		}
	}
	for assignment, want := range map[string]string{
		"liquid.spacing":   `--set "liquid.spacing": expected KEY=VALUE, such as liquid.spacing=0.02`,
		"=2":               `--set "=2": expected KEY=VALUE, such as liquid.spacing=0.02`,
		"liquid.spacing=":  `--set "liquid.spacing=": expected KEY=VALUE, such as liquid.spacing=0.02`,
		"liquid..a=2":      `--set "liquid..a=2": "liquid..a" is not a key; expected one such as liquid.spacing or fluid[2].max`,
		"fluid[0].max=2":   `--set "fluid[0].max=2": "fluid[0].max" is not a key; expected one such as liquid.spacing or fluid[2].max`,
		"fluid[3].max=2":   `--set fluid[3].max: the scene has no fluid[3]`,
		"wall[1].max=2":    `--set wall[1].max: the scene has no wall[1]`,
		"fluid.max=2":      `--set fluid.max: fluid is a list; name an item, such as fluid[1]`,
		"fluid[1].max.a=2": `--set fluid[1].max.a: fluid[1].max is a list; name an item, such as fluid[1].max[1]`,
	} {
		if _, err := language.Set(root, "--set", assignment); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if got := text(root, 0, "max"); got != "a list  fluid[1].max[1]=1 fluid[1].max[2]=2 fluid[1].max[3]=3" {
		t.Errorf("the scene itself changed: %s", got)
	}
}
