package scenes

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	gotoml "github.com/pelletier/go-toml/v2"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"breakwater/out"
	"breakwater/out/film"
	"breakwater/scenes/shipped"
	"breakwater/scenes/toml"
	"breakwater/sim/body"
	"breakwater/sim/inflow"
	"breakwater/sim/quantity"
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

// TestDocumented checks that the manual describes every setting.
func TestDocumented(t *testing.T) {
	check := func(where string, v reflect.Value) {
		for _, f := range toml.Fields(v.Type()) {
			if f.Inline {
				continue
			}
			at := where + "." + f.Key
			if !strings.HasSuffix(f.Doc, ".") {
				t.Errorf("%s: the doc %q is not a sentence", at, f.Doc)
			}
			if f.Key != strings.ToLower(f.Key) || strings.ContainsAny(f.Key, " -.") {
				t.Errorf("%s: a key is lower_case", at)
			}
			ft := v.FieldByIndex(f.Index).Type()
			real := ft == toml.VecType || ft.Kind() == reflect.Float64 || ft.Kind() == reflect.Slice && ft.Elem().Kind() == reflect.Float64
			if real && f.Unit == "" {
				t.Errorf("%s: a number has a unit, \"1\" if it is a ratio", at)
			}
			if d := v.FieldByIndex(f.Index); ft.Kind() == reflect.Float64 && f.In != nil && !f.In.Contains(d.Float()) && d.Float() != 0 {
				t.Errorf("%s: the default %g is out of range", at, d.Float())
			}
		}
	}
	scene := reflect.ValueOf(defaults()).Elem()
	check("scene", scene)
	for _, f := range tablesOf(scene) {
		check(f.Key, f.value)
	}
	check("wall", reflect.ValueOf(Wall{}))
	check("body", reflect.ValueOf(Body{}))
	check("body.joint", reflect.ValueOf(body.Joint{}))
	check("camera.key", reflect.ValueOf(CameraKey{}))
	check("wall.motion", reflect.ValueOf(body.Motion{}))
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

// TestSchema checks the schema against every shipped scene, and that it rejects the
// faults that an editor should mark.
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
		if err := gotoml.Unmarshal(text, &v); err != nil {
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
	for _, x := range shipped.Scenes() {
		text, err := shipped.Source(x.Name)
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
	toml.Field
	value reflect.Value
}

// tablesOf returns the tables of the scene that are plain structs.
func tablesOf(scene reflect.Value) []table {
	var list []table
	for _, f := range toml.Fields(scene.Type()) {
		v := scene.FieldByIndex(f.Index)
		if v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		if v.Kind() == reflect.Struct && v.Type() != toml.VariantType {
			list = append(list, table{f, v})
		}
	}
	return list
}

// defaultText returns a default as a scene file has it, and "" for none.
func defaultText(v reflect.Value) string {
	switch x := v.Interface().(type) {
	case vec.Vec3:
		return fmt.Sprintf("[%s, %s, %s]", registry.Number(x.X), registry.Number(x.Y), registry.Number(x.Z))
	case float64:
		return registry.Number(x)
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

// ownKeys are the keys of the items of a list of tables besides the keys of their kinds.
var ownKeys = map[string]struct {
	of    string
	table any
}{
	"fluid":   {"block has these keys", Block{}},
	"vortex":  {"vortex has these keys", Vortex{}},
	"source":  {"source has these keys", GasSource{}},
	"smoke":   {"block of smoke has these keys", SmokeBlock{}},
	"inflow":  {"inflow has these keys", Inflow{}},
	"gauge":   {"gauge has these keys", Gauge{}},
	"outflow": {"outflow has this key", Outflow{}},
	"wall":    {"wall has these keys", Wall{}},
	"body":    {"body has these keys", Body{}},
}

// manual returns docs/SCENES.md.
func manual() string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	p("<!-- Code generated by go test ./scenes -run TestDocs -update. DO NOT EDIT. -->\n")
	p(manualIntro)
	p("```toml")
	example, err := shipped.Source("dam-break")
	if err != nil {
		panic(err)
	}
	b.Write(bytes.TrimSpace(example))
	p("\n```\n")
	p(manualRules)

	p("| quantity | units |\n|---|---|")
	quantities := []string{}
	names := map[string][]string{}
	for _, u := range toml.Units {
		if names[u.Quantity] == nil {
			quantities = append(quantities, u.Quantity)
		}
		names[u.Quantity] = append(names[u.Quantity], u.Name)
	}
	for _, q := range quantities {
		p("| %s | %s |", q, strings.Join(names[q], ", "))
	}
	p("\nIf a key has no range of its own, its unit sets one. A value beyond it is taken for a slip of the power of ten.\n")
	p("| unit | at least, where it must be above 0 | at most | reason |\n|---|---|---|---|")
	for _, l := range toml.Limits {
		p("| %s | %s | %s | %s |", l.Unit, registry.Number(l.Least), registry.Number(l.Most), l.Reason)
	}
	p("\n## Keys\n\nA key without a default is required, unless its description says otherwise.\n")
	scene := reflect.ValueOf(defaults()).Elem()
	p("### At the top of the file\n")
	keyTable(p, scene)
	fams := map[string]family{}
	var gasSolvers family
	for _, f := range families() {
		if f.key == "solver" && fams[f.key].key != "" {
			gasSolvers = f
			continue
		}
		fams[f.key] = f
	}
	tables := map[string]reflect.Value{}
	for _, t := range tablesOf(scene) {
		tables[t.Key] = t.value
	}
	for _, f := range toml.Fields(scene.Type()) {
		ft := scene.FieldByIndex(f.Index).Type()
		head := "[" + f.Key + "]"
		if ft.Kind() == reflect.Slice {
			head = "[" + head + "]"
		}
		if t, ok := tables[f.Key]; ok {
			p("\n### %s\n\n%s\n", head, f.Doc)
			keyTable(p, t)
			if f.Key == "camera" {
				p("\nand may have tables `[[camera.key]]`, two or more:\n")
				keyTable(p, reflect.ValueOf(CameraKey{}))
			}
			if f.Key == "liquid" {
				p("\n%s\n%s", manualLiquids, strings.TrimSpace(liquidTable()))
			}
		}
		fam, ok := fams[f.Key]
		if !ok {
			continue
		}
		p("\n### %s\n\n%s", head, f.Doc)
		if fam.fallback != "" {
			p("The default `kind` is `%s`.", fam.fallback)
		}
		if own, ok := ownKeys[f.Key]; ok {
			p("\nEvery %s besides the keys of its kind:\n", own.of)
			keyTable(p, reflect.ValueOf(own.table))
		}
		if f.Key == "source" || f.Key == "smoke" {
			p("\nThe kinds are %s, with the same keys as for `[[fluid]]`.", strings.Join(fam.names(), ", "))
			continue
		}
		if f.Key == "wall" {
			p("\nand may have a table `[wall.motion]`:\n")
			keyTable(p, reflect.ValueOf(body.Motion{}))
		}
		if f.Key == "body" {
			p("\nand may have a table `[body.joint]`:\n")
			keyTable(p, reflect.ValueOf(body.Joint{}))
			p("\nThe kinds are %s, with the same keys as for walls. A body cannot be a container.", strings.Join(fam.names(), ", "))
			continue
		}
		printKinds(p, fam)
		if f.Key == "fluid" {
			p("\n### [fluid.%s]\n\nVelocity of a block of liquid at the start, which differs from place to place. It follows its `[[fluid]]`, or is one of its keys: `%s = { kind = \"rotation\", rate = 90 }`.", velocityField, velocityField)
			printKinds(p, fams["fluid."+velocityField])
		}
		if f.Key == "solver" {
			p("\nOf a gas the default `kind` is `%s`.", gasSolvers.fallback)
			printKinds(p, gasSolvers)
		}
	}
	p("\n## Formats\n\nFor `mesh.formats`:\n")
	for e, f := range out.Formats.Defaults() {
		if f.Needs()&out.NeedsMesh != 0 {
			p("- `%s`: %s", e.Name, sentence(e.Doc, e.Cite))
		}
	}
	for e, a := range out.Archives.Defaults() {
		if a.Holds()&out.NeedsMesh != 0 {
			p("- `%s`: %s", e.Name, sentence(e.Doc, e.Cite))
		}
	}
	p("\nFor `particles.formats`:\n")
	for _, e := range out.PointFormats.Entries() {
		p("- `%s`: %s", e.Name, sentence(e.Doc, e.Cite))
	}
	for e, a := range out.Archives.Defaults() {
		if a.Holds()&out.NeedsParticles != 0 {
			p("- `%s`: %s", e.Name, sentence(e.Doc, e.Cite))
		}
	}
	p("\nFor `volume.formats`:\n")
	for e, f := range out.Formats.Defaults() {
		if f.Needs()&out.NeedsVolume != 0 {
			p("- `%s`: %s", e.Name, sentence(e.Doc, e.Cite))
		}
	}
	p("\nFor `attributes` of `[mesh]` and `[particles]`:\n")
	for _, e := range quantity.Quantities.Entries() {
		p("- `%s`: %s", e.Name, sentence(e.Doc, e.Cite))
	}
	p("\nFor `video.formats`:\n")
	for _, e := range film.Formats.Entries() {
		p("- `%s`: %s", e.Name, sentence(e.Doc, e.Cite))
	}
	p("\n## Faults\n\nBefore anything runs, Breakwater reports values out of range and the following faults. It reports all of them at once, each with its line and a remedy:\n")
	p("- More than %.0f million particles, %.0f thousand frames, or %.0f megapixels per frame.", maxParticles/1e6, maxFrames/1e3, maxPixels/1e6)
	p("- More memory than the machine has or its container may use. If `GOMEMLIMIT` is set, it replaces both limits.")
	p("- More than %.0f thousand solver steps per frame. Any film may have %.0f million steps in total, and none may have more than %.0f million. The step gets shorter with the spacing, and in `wcsph` with a higher speed of sound. Surface tension σ limits it to 0.2 √(ρ spacing³/σ), and `xsph` to 0.5/`rate`. `breakwater check` prints the approximate number of steps and what shortens them.", maxFrameSteps/1e3, leastMaxSteps/1e6, mostMaxSteps/1e6)
	p("- A speed of sound that is too low for the expected speed of the liquid.")
	p("- Blocks of liquid that lie outside the tank, wholly in an obstacle, or in each other, or that are thinner than %d particles; obstacles too thin for the spacing.", leastAcross)
	p("- Bodies without mass, with the same name, or that start in a wall or in each other; bodies that are not solids; bodies with a solver that does not support them.")
	p("- Meshes of walls and bodies that are open, inside out, or cross themselves.")
	p("- Walls that move so fast that the film takes too many steps.")
	p("- Inflows whose pipe lies in a wall or in another pipe, or that open into a wall or an outflow; inflows narrower than %d particles or wider than %.0f million particles; outflows that no liquid reaches.", inflow.LeastColumns, inflow.MostColumns/1e6)
	p("- Gauges in a wall, with the same name, for a wall that does not exist, or with more than %.0f million rows.", maxRows/1e6)
	p("- In a gas: tables of a liquid; walls and bodies other than balls, boxes, cylinders, planes and convex polytopes; sources in a wall; fuel without a flame; more than %.0g vortons or %.0g tracers.", float64(maxVortons), float64(maxTracers))
	p("- Whitewater from unknown sources, or with radii in the wrong order. `breakwater check` also says if a liquid is too thick or too slow to catch air.")
	p("\n## Shipped scenes\n")
	for _, s := range shipped.Scenes() {
		p("- `%s`: %s", s.Name, sentence(s.Doc, s.Cite))
	}
	return b.String()
}

// printKinds prints the variants of a family with their keys. It prints keys that all
// kinds share once, before the kinds, and keys of kinds with the same settings once,
// at the default kind or the first.
func printKinds(p func(string, ...any), fam family) {
	settings := map[string]reflect.Value{}
	holder := map[reflect.Type]string{} // kind that prints the keys of a type
	for _, v := range fam.variants {
		if s := fam.settings(v.name); s != nil {
			x := reflect.ValueOf(s).Elem()
			settings[v.name] = x
			if holder[x.Type()] == "" || v.name == fam.fallback {
				holder[x.Type()] = v.name
			}
		}
	}
	base, common := settings[fam.fallback], []toml.Field(nil)
	if base.IsValid() && len(settings) == len(fam.variants) && len(settings) > 2 {
		common = commonFields(base, settings)
	}
	if len(common) > 0 {
		p("\nEvery kind has these keys besides its own:\n")
		printKeys(p, base, common)
	}
	for _, v := range fam.variants {
		p("\n#### kind = %q\n\n%s", v.name, sentence(v.doc, v.cite))
		x, ok := settings[v.name]
		if !ok || len(toml.Fields(x.Type())) == 0 {
			continue
		}
		if h := holder[x.Type()]; h != v.name {
			list := newDefaults(x, settings[h])
			if len(list) > 0 {
				p("\nIt has the keys of `%s` with these defaults: %s.", h, strings.Join(list, ", "))
			} else {
				p("\nIt has the keys of `%s`.", h)
			}
			continue
		}
		own := slices.DeleteFunc(toml.Fields(x.Type()), func(f toml.Field) bool { return find(common, f.Key) != nil })
		if len(own) > 0 {
			p("")
			printKeys(p, x, own)
		}
		if len(common) > 0 {
			if list := newDefaults(x, base); len(list) > 0 {
				p("\nIts other defaults: %s.", strings.Join(list, ", "))
			}
		}
	}
}

// commonFields returns the fields of base that all settings share.
func commonFields(base reflect.Value, settings map[string]reflect.Value) []toml.Field {
	common := toml.Fields(base.Type())
	for _, x := range settings {
		fields := toml.Fields(x.Type())
		common = slices.DeleteFunc(common, func(f toml.Field) bool {
			g := find(fields, f.Key)
			return g == nil || g.Doc != f.Doc || g.Unit != f.Unit
		})
	}
	return common
}

// find returns the field with the key, or nil.
func find(fields []toml.Field, key string) *toml.Field {
	for i := range fields {
		if fields[i].Key == key {
			return &fields[i]
		}
	}
	return nil
}

// newDefaults lists the defaults of x that differ from the defaults of base.
func newDefaults(x, base reflect.Value) []string {
	var list []string
	fields := toml.Fields(base.Type())
	for _, f := range toml.Fields(x.Type()) {
		g := find(fields, f.Key)
		if g == nil || f.Inline {
			continue
		}
		text := defaultText(x.FieldByIndex(f.Index))
		if text != defaultText(base.FieldByIndex(g.Index)) {
			list = append(list, fmt.Sprintf("`%s` is `%s`", f.Key, text))
		}
	}
	return list
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
func keyTable(p func(string, ...any), v reflect.Value) { printKeys(p, v, toml.Fields(v.Type())) }

// printKeys prints those settings of a struct that are in fields and not tables.
func printKeys(p func(string, ...any), v reflect.Value, fields []toml.Field) {
	p("| key | type | unit | default | range | meaning |\n|---|---|---|---|---|---|")
	for _, f := range fields {
		x := v.FieldByIndex(f.Index)
		if f.Inline || x.Kind() == reflect.Pointer || x.Kind() == reflect.Struct && x.Type() != toml.VecType ||
			x.Kind() == reflect.Slice && x.Type().Elem().Kind() == reflect.Struct && x.Type().Elem() != toml.VecType {
			continue
		}
		in := f.In.String()
		if len(f.OneOf) > 0 {
			in = "`" + strings.Join(f.OneOf, "`, `") + "`"
		}
		def := defaultText(x)
		if f.Absent != "" {
			def = f.Absent
		} else if required(f, x) {
			def = ""
		} else if def != "" {
			def = "`" + def + "`"
		}
		kind := typeName(x.Type())
		if f.Color != "" {
			kind = `"#rrggbb", or 3 numbers`
		}
		p("| `%s` | %s | %s | %s | %s | %s |", f.Key, kind, f.Unit, def, in, f.Doc)
	}
}

// required reports whether the default of f, zero, is out of its range.
func required(f toml.Field, v reflect.Value) bool {
	return v.Kind() == reflect.Float64 && f.In != nil && !f.In.Contains(v.Float())
}

func typeName(t reflect.Type) string {
	switch {
	case t == toml.VecType:
		return "3 numbers"
	case t.Kind() == reflect.Array:
		return fmt.Sprintf("%d %s", t.Len(), toml.Plural(t.Elem()))
	case t.Kind() == reflect.Slice && t.Elem() == toml.VecType:
		return "list of points"
	case t.Kind() == reflect.Slice:
		return "list of " + toml.Plural(t.Elem())
	}
	_, name, _ := strings.Cut(strings.Split(toml.Describe(t, toml.Field{}), ",")[0], " ")
	if t.Kind() == reflect.Bool {
		return "true or false"
	}
	return name
}

const manualIntro = `# Scene files

A scene is a text file in TOML. It describes the liquid, its container, the length of the film and the camera. Everything has a default
except the liquid, its spacing and a wall. A scene may have a gas instead of the liquid; [GAS.md](GAS.md) describes that.

` + "`breakwater check FILE`" + ` reads a scene without running it, and reports every fault with its line. It prints the number of particles,
and the memory, disk space and time that the run needs. To estimate these, it rehearses the film with few particles for some seconds.
` + "`breakwater show NAME`" + ` prints a shipped scene. The easiest way to begin is to copy or extend one.

An editor that knows JSON Schema for TOML (Taplo, Even Better TOML for VS Code) completes and checks the keys with
[scene.schema.json](scene.schema.json). Name the schema in the first line of the file:

` + "```toml\n#:schema ./scene.schema.json\n```" + `

## An example

The shipped scene ` + "`dam-break`" + `, in full:
`

const manualLiquids = `A scene that names a liquid has its density, viscosity, surface tension and contact angle, and may override any of them. If a scene
extends another and names a liquid, it keeps no values of the other scene's liquid. A high viscosity is solved implicitly, so a thick
liquid takes as many steps as a thin one, but each step takes longer. Contact angles are on clean glass, to the nearest ten degrees.
The friction is the default for walls and bodies: a thick liquid does not slip on them unless their ` + "`friction`" + ` says so.
`

const manualRules = `## Extending a scene

` + "```toml" + `
extends = "dam-break"     # a shipped scene, or the path of a .toml file relative to this one

[liquid]
spacing = "2 cm"          # the rest of [liquid] is as in dam-break

[solver]
kind = "wcsph"            # another kind: no key of the old [solver] is kept
` + "```" + `

The file's values override the values of the scene that it extends, key by key. Lists are replaced as a whole: a file with one
` + "`[[fluid]]`" + ` has one block of liquid, whatever the other scene has. A table that names another ` + "`kind`" + ` is also replaced as a whole.

On the command line, ` + "`--set KEY=VALUE`" + ` overrides any key in the same way, and may be repeated:

    breakwater render dam-break --set liquid.viscosity=0.1 --set 'fluid[1].max=[1, 1, 1]'

Items of lists are counted from 1. Strings may lack their quotes: ` + "`--set liquid.spacing=2cm`" + `.

## Numbers and units

Numbers are in SI units: metres, seconds, kilograms. The y axis points up, and axes are right-handed. If a key has a unit, it also
accepts a string with a number and a unit of the same quantity: ` + "`spacing = \"2 cm\"`, `min = [0, \"5 mm\", 0]`" + `. A unit of another
quantity is an error. The film's frame 1 shows the time 0.
`

// liquidTable returns the liquids as a table of the manual.
func liquidTable() string {
	var b strings.Builder
	b.WriteString("| name | description | density, kg/m³ | dynamic viscosity, Pa·s | surface tension, N/m | angle on glass, ° | friction | source |\n|---|---|---|---|---|---|---|---|\n")
	for _, l := range Liquids {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s | %s | %s |\n", l.Name, l.Doc,
			registry.Number(l.Density), registry.Number(l.Viscosity), registry.Number(l.SurfaceTension), registry.Number(l.ContactAngle), registry.Number(l.Friction()), l.Source)
	}
	return b.String()
}
