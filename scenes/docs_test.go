package scenes

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"breakwater/out"
	"breakwater/sim"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

var update = flag.Bool("update", false, "write the generated documents and the expected messages anew")

// TestDocs holds docs/SCENES.md and docs/scene.schema.json to the code. With
// -update it writes them.
func TestDocs(t *testing.T) {
	for name, text := range map[string]string{"SCENES.md": manual(), "scene.schema.json": schema()} {
		path := filepath.Join("..", "docs", name)
		if *update {
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if old, err := os.ReadFile(path); err != nil {
			t.Error(err)
		} else if string(old) != text {
			t.Errorf("%s is stale; run go test ./scenes -run TestDocs -update", path)
		}
	}
}

// TestDocumented checks that no setting lacks what the manual says of it.
func TestDocumented(t *testing.T) {
	check := func(where string, v reflect.Value) {
		for _, f := range fieldsOf(v.Type()) {
			if f.inline {
				continue
			}
			at := where + "." + f.key
			if !strings.HasSuffix(f.doc, ".") {
				t.Errorf("%s: the doc %q is not a sentence", at, f.doc)
			}
			if f.key != strings.ToLower(f.key) || strings.ContainsAny(f.key, " -.") {
				t.Errorf("%s: a key is lower_case", at)
			}
			ft := v.FieldByIndex(f.index).Type()
			real := ft == vecType || ft.Kind() == reflect.Float64 || ft.Kind() == reflect.Slice && ft.Elem().Kind() == reflect.Float64
			if real && f.unit == "" {
				t.Errorf("%s: a number has a unit, \"1\" if it is a ratio", at)
			}
			if d := v.FieldByIndex(f.index); ft.Kind() == reflect.Float64 && f.in != nil && !f.in.contains(d.Float()) && d.Float() != 0 {
				t.Errorf("%s: the default %g is out of range", at, d.Float())
			}
		}
	}
	scene := reflect.ValueOf(defaults()).Elem()
	check("scene", scene)
	for _, f := range tablesOf(scene) {
		check(f.key, f.value)
	}
	check("wall", reflect.ValueOf(Wall{}))
	check("body", reflect.ValueOf(Body{}))
	check("body.joint", reflect.ValueOf(sim.Joint{}))
	check("camera.key", reflect.ValueOf(CameraKey{}))
	check("wall.motion", reflect.ValueOf(sim.Motion{}))
	for _, fam := range families() {
		for _, v := range fam.variants {
			s := fam.settings(v.name)
			if s == nil || reflect.TypeOf(s).Kind() != reflect.Pointer {
				t.Errorf("%s %s never calls its decoder with a pointer", fam.kind, v.name)
				continue
			}
			check(fam.key+" "+v.name, reflect.ValueOf(s).Elem())
		}
	}
}

// TestSchema checks the schema against every shipped scene, and that it sees
// what an editor should mark.
func TestSchema(t *testing.T) {
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("scene.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("scene.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	validate := func(text []byte) error {
		var v any
		if err := toml.Unmarshal(text, &v); err != nil {
			return err
		}
		js, err := json.Marshal(v) // so that numbers are of the types JSON has
		if err != nil {
			return err
		}
		v, err = jsonschema.UnmarshalJSON(bytes.NewReader(js))
		if err != nil {
			return err
		}
		return s.Validate(v)
	}
	for _, x := range Shipped() {
		text, err := Source(x.Name)
		if err != nil {
			t.Fatal(err)
		}
		if err := validate(text); err != nil {
			t.Errorf("%s: %v", x.Name, err)
		}
	}
	for _, good := range []string{
		"[liquid]\nspacing = \"2 cm\"",
		"[solver]\nkind = \"iisph\"",
		"[[fluid]]\nkind = \"box\"\nmin = [0, \"1 cm\", 0]\nmax = [1, 1, 1]\nvelocity = [0, 1, 0]",
	} {
		if err := validate([]byte(good)); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for _, bad := range []string{
		"titel = 1", "[time]\nfps = 0", "[time]\nfps = 2000", "[time]\nfps = true", "[liquid]\nspacing = \"wide\"", "[liquid]\ngravity = [0, 1]",
		"[solver]\nkind = \"magic\"", "[solver]\nmagic = 1", "[[fluid]]\nmin = [0, 0, 0]", "[picture]\nquality = \"best\"", "[picture]\nsize = [1.5, 2]",
	} {
		if err := validate([]byte(bad)); err == nil {
			t.Errorf("%q: the schema finds no fault", bad)
		}
	}
}

// table is one table of a scene with its defaults.
type table struct {
	field
	value reflect.Value
}

// tablesOf returns the tables of the scene that are plain structs.
func tablesOf(scene reflect.Value) []table {
	var list []table
	for _, f := range fieldsOf(scene.Type()) {
		v := scene.FieldByIndex(f.index)
		if v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		if v.Kind() == reflect.Struct && v.Type() != plugType {
			list = append(list, table{f, v})
		}
	}
	return list
}

// defaultText returns a default as a scene file has it, and "" for none.
func defaultText(v reflect.Value) string {
	switch x := v.Interface().(type) {
	case vec.Vec3:
		return fmt.Sprintf("[%s, %s, %s]", number(x.X), number(x.Y), number(x.Z))
	case float64:
		return number(x)
	case []string:
		if len(x) == 0 {
			return "[]"
		}
		return `["` + strings.Join(x, `", "`) + `"]`
	}
	switch v.Kind() {
	case reflect.String:
		return fmt.Sprintf("%q", v.String())
	case reflect.Int, reflect.Bool:
		return fmt.Sprint(v.Interface())
	case reflect.Array, reflect.Slice:
		var s []string
		for i := range v.Len() {
			s = append(s, defaultText(v.Index(i)))
		}
		return "[" + strings.Join(s, ", ") + "]"
	}
	return ""
}

// manual returns docs/SCENES.md.
func manual() string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	p("<!-- Code generated by go test ./scenes -run TestDocs -update. DO NOT EDIT. -->\n")
	p(manualIntro)
	p("```toml")
	example, err := Source("dam-break")
	if err != nil {
		panic(err)
	}
	b.Write(bytes.TrimSpace(example))
	p("\n```\n")
	p(manualRules)

	p("| quantity | units |\n|---|---|")
	quantities := []string{}
	names := map[string][]string{}
	for _, u := range units {
		if names[u.quantity] == nil {
			quantities = append(quantities, u.quantity)
		}
		names[u.quantity] = append(names[u.quantity], u.name)
	}
	for _, q := range quantities {
		p("| %s | %s |", q, strings.Join(names[q], ", "))
	}
	p("\nWhere a key has no range of its own, its unit sets one. Beyond it is no scene that anybody means, but a slip of the power of ten.\n")
	p("| unit | at least, where it must be above 0 | at most | reason |\n|---|---|---|---|")
	for _, l := range limits {
		p("| %s | %s | %s | %s |", l.unit, number(l.least), number(l.most), l.reason)
	}
	p("\n## Keys\n\nA key without a default must be given, unless its sentence says what happens without it.\n")
	scene := reflect.ValueOf(defaults()).Elem()
	p("### At the top of the file\n")
	keyTable(p, scene)
	fams := map[string]family{}
	for _, f := range families() {
		fams[f.key] = f
	}
	tables := map[string]reflect.Value{}
	for _, t := range tablesOf(scene) {
		tables[t.key] = t.value
	}
	for _, f := range fieldsOf(scene.Type()) {
		ft := scene.FieldByIndex(f.index).Type()
		head := "[" + f.key + "]"
		if ft.Kind() == reflect.Slice {
			head = "[" + head + "]"
		}
		if t, ok := tables[f.key]; ok {
			p("\n### %s\n\n%s\n", head, f.doc)
			keyTable(p, t)
			if f.key == "camera" {
				p("\nand may have tables `[[camera.key]]`, two or more:\n")
				keyTable(p, reflect.ValueOf(CameraKey{}))
			}
			if f.key == "liquid" {
				p("\n%s\n%s", manualLiquids, strings.TrimSpace(liquidTable()))
			}
		}
		fam, ok := fams[f.key]
		if !ok {
			continue
		}
		p("\n### %s\n\n%s", head, f.doc)
		if fam.fallback != "" {
			p("Without `kind` it is `%s`.", fam.fallback)
		}
		if f.key == "fluid" {
			p("\nEvery block has these keys besides those of its kind:\n")
			keyTable(p, reflect.ValueOf(Block{}))
		}
		if f.key == "inflow" {
			p("\nEvery inflow has these keys besides those of its kind:\n")
			keyTable(p, reflect.ValueOf(Inflow{}))
		}
		if f.key == "gauge" {
			p("\nEvery gauge has these keys besides those of its kind:\n")
			keyTable(p, reflect.ValueOf(Gauge{}))
		}
		if f.key == "outflow" {
			p("\nEvery outflow has this key besides those of its kind:\n")
			keyTable(p, reflect.ValueOf(Outflow{}))
		}
		if f.key == "wall" {
			p("\nEvery wall has this key besides those of its kind:\n")
			keyTable(p, reflect.ValueOf(Wall{}))
			p("\nand may have a table `[wall.motion]`:\n")
			keyTable(p, reflect.ValueOf(sim.Motion{}))
		}
		if f.key == "body" {
			p("\nEvery body has these keys besides those of its kind:\n")
			keyTable(p, reflect.ValueOf(Body{}))
			p("\nand may have a table `[body.joint]`:\n")
			keyTable(p, reflect.ValueOf(sim.Joint{}))
			p("\nThe kinds have the keys that they have as walls: %s. None may be a container.", strings.Join(fam.names(), ", "))
			continue
		}
		if len(fam.variants) == 0 {
			p("\nThere are no kinds yet.")
		}
		for _, v := range fam.variants {
			p("\n#### kind = %q\n\n%s", v.name, sentence(v.doc, v.cite))
			if s := fam.settings(v.name); s != nil {
				st := reflect.ValueOf(s).Elem()
				if len(fieldsOf(st.Type())) > 0 {
					p("")
					keyTable(p, st)
				}
			}
		}
	}
	p("\n## Formats\n\nFor `mesh.formats`:\n")
	for _, e := range out.Formats.Entries() {
		if f, err := e.New(registry.None); err == nil && f.Needs()&out.NeedsMesh != 0 {
			p("- `%s`: %s", e.Name, sentence(e.Doc, e.Cite))
		}
	}
	for _, e := range out.Archives.Entries() {
		if a, err := e.New(registry.None); err == nil && a.Holds()&out.NeedsMesh != 0 {
			p("- `%s`: %s", e.Name, sentence(e.Doc, e.Cite))
		}
	}
	p("\nFor `particles.formats`:\n")
	for _, e := range out.PointFormats.Entries() {
		p("- `%s`: %s", e.Name, sentence(e.Doc, e.Cite))
	}
	for _, e := range out.Archives.Entries() {
		if a, err := e.New(registry.None); err == nil && a.Holds()&out.NeedsParticles != 0 {
			p("- `%s`: %s", e.Name, sentence(e.Doc, e.Cite))
		}
	}
	p("\nFor `volume.formats`:\n")
	for _, e := range out.Formats.Entries() {
		if f, err := e.New(registry.None); err == nil && f.Needs()&out.NeedsVolume != 0 {
			p("- `%s`: %s", e.Name, sentence(e.Doc, e.Cite))
		}
	}
	p("\nFor `attributes` of `[mesh]` and `[particles]`:\n")
	for _, e := range sim.Quantities.Entries() {
		p("- `%s`: %s", e.Name, sentence(e.Doc, e.Cite))
	}
	p("\nFor `video.formats`:\n")
	for _, e := range out.Movies.Entries() {
		p("- `%s`: %s", e.Name, sentence(e.Doc, e.Cite))
	}
	p("\n## What is refused\n\nBesides values out of range, these are told before anything runs, all at once, each with its line and what would do:\n")
	p("- More than %.0f million particles, %.0f thousand frames, or %.0f megapixels a frame.", maxParticles/1e6, maxFrames/1e3, maxPixels/1e6)
	p("- More memory than the machine has or its container may use. `GOMEMLIMIT`, where it is set, counts instead of both.")
	p("- More than %.0f thousand steps of the solver a frame, though a film may have %.0f million in any case and %.0f million at most. A step gets shorter with the spacing, and with the speed of sound in `wcsph`; surface tension σ bounds it by 0.2 √(ρ spacing³/σ), `xsph` by 0.5/`rate`. `breakwater check` tells how many steps there are about and what shortens them.", maxFrameSteps/1e3, leastMaxSteps/1e6, mostMaxSteps/1e6)
	p("- A speed of sound that is too slow for what the liquid may reach.")
	p("- Blocks of liquid that are out of the tank, in an obstacle, in each other, or thinner than %d particles; obstacles too thin for the spacing.", leastAcross)
	p("- Bodies without mass, of one name, that are no solid of their own, that start in a wall or in each other, or with a solver that cannot carry them.")
	p("- Meshes of walls and bodies that are open, inside out, or cross themselves.")
	p("- Walls that move so fast that the film takes too many steps.")
	p("- Inflows whose pipe is in a wall or in another's, that open into a wall or an outflow, that are narrower than %d particles, or that let in more than %.0f million side by side; outflows that no liquid gets to.", sim.LeastColumns, sim.MostColumns/1e6)
	p("- Gauges in a wall, of one name, of a wall that is not there, or with more than %.0f million rows.", maxRows/1e6)
	p("\n## Shipped scenes\n")
	for _, s := range Shipped() {
		p("- `%s`: %s", s.Name, sentence(s.Doc, s.Cite))
	}
	return b.String()
}

// sentence joins a line of help and a citation.
func sentence(doc, cite string) string {
	doc = strings.ToUpper(doc[:1]) + strings.TrimSuffix(doc[1:], ".") + "."
	if cite != "" {
		doc += " After " + cite + "."
	}
	return doc
}

// keyTable prints the settings of a struct that are not tables themselves.
func keyTable(p func(string, ...any), v reflect.Value) {
	p("| key | type | unit | default | range | meaning |\n|---|---|---|---|---|---|")
	for _, f := range fieldsOf(v.Type()) {
		x := v.FieldByIndex(f.index)
		if f.inline || x.Kind() == reflect.Pointer || x.Kind() == reflect.Struct && x.Type() != vecType ||
			x.Kind() == reflect.Slice && x.Type().Elem().Kind() == reflect.Struct && x.Type().Elem() != vecType {
			continue
		}
		in := f.in.String()
		if len(f.oneof) > 0 {
			in = "`" + strings.Join(f.oneof, "`, `") + "`"
		}
		def := defaultText(x)
		if f.absent != "" {
			def = f.absent
		} else if required(f, x) {
			def = ""
		} else if def != "" {
			def = "`" + def + "`"
		}
		kind := typeName(x.Type())
		if f.color != "" {
			kind = `"#rrggbb", or 3 numbers`
		}
		p("| `%s` | %s | %s | %s | %s | %s |", f.key, kind, f.unit, def, in, f.doc)
	}
}

// required reports whether the default of f, zero, is out of its range.
func required(f field, v reflect.Value) bool {
	return v.Kind() == reflect.Float64 && f.in != nil && !f.in.contains(v.Float())
}

func typeName(t reflect.Type) string {
	switch {
	case t == vecType:
		return "3 numbers"
	case t.Kind() == reflect.Array:
		return fmt.Sprintf("%d %s", t.Len(), plural(t.Elem()))
	case t.Kind() == reflect.Slice && t.Elem() == vecType:
		return "list of points"
	case t.Kind() == reflect.Slice:
		return "list of " + plural(t.Elem())
	}
	_, name, _ := strings.Cut(strings.Split(shape(t, field{}), ",")[0], " ")
	if t.Kind() == reflect.Bool {
		return "true or false"
	}
	return name
}

const manualIntro = `# Scene files

A scene is a text file in TOML that says what liquid there is, what holds it, how long the film is and how it is seen. Everything but
the liquid, its spacing and a wall has a default. ` + "`breakwater check FILE`" + ` reads a scene without running it, reports every fault with its
line, and tells how many particles there are and what the run needs of memory, disk and time, which it finds out by running the film
with few particles for a second. ` + "`breakwater show NAME`" + ` prints a shipped scene: the easiest way to
begin is to copy one, or to extend one.

An editor that knows JSON Schema for TOML (Taplo, Even Better TOML for VS Code) completes and checks the keys with
[scene.schema.json](scene.schema.json), named in the first line of the file:

` + "```toml\n#:schema ./scene.schema.json\n```" + `

## An example

The shipped scene ` + "`dam-break`" + `, in full:
`

const manualLiquids = `A scene that names a liquid has its density, viscosity, surface tension and contact angle, and may give any of them itself. One that
extends another and names a liquid keeps nothing of the other's. Where viscosity would shorten the steps it is solved for, so that a
thick liquid takes no more of them than a thin one, but longer ones to compute. The angles are those on clean glass, to the next ten
degrees. The friction is that of walls and bodies that have no ` + "`friction`" + ` of their own: a thick liquid does not slip on them unless they say so.
`

const manualRules = `## Extending a scene

` + "```toml" + `
extends = "dam-break"     # a shipped scene, or the path of a .toml file seen from this one

[liquid]
spacing = "2 cm"          # the rest of [liquid] is as in dam-break

[solver]
kind = "wcsph"            # another kind: nothing of the old [solver] is kept
` + "```" + `

The file's values are laid over those of the scene it extends, key by key. Lists are replaced as a whole: a file with one ` + "`[[fluid]]`" + `
has one block of liquid, whatever the other had. A table that names another ` + "`kind`" + ` is replaced as a whole too.

## Numbers and units

Numbers are in SI units: metres, seconds, kilograms. The y axis points up, and axes are right-handed. Where a key has a unit, a string
with a number and one of the units of the same quantity does as well: ` + "`spacing = \"2 cm\"`, `min = [0, \"5 mm\", 0]`" + `. A unit of another
quantity is an error. The film's frame 1 shows the time 0.
`
