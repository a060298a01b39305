package scenes

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"breakwater/out"
	"breakwater/raster"
	"breakwater/raster/color"
	"breakwater/scenes/meshfile"
	"breakwater/scenes/stage"
	"breakwater/scenes/toml"
	"breakwater/sim"
	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/force"
	"breakwater/sim/gauge"
	"breakwater/sim/inflow"
	"breakwater/sim/initial"
	"breakwater/sim/neighbor"
	"breakwater/sim/outflow"
	"breakwater/sim/registry"
	"breakwater/sim/shape"
	"breakwater/sim/vortex"
	"breakwater/sim/vortex/vorticity"
	"breakwater/surface"
	"breakwater/surface/mesh"
)

// variant describes one variant of a family.
type variant struct{ name, doc, cite string }

// family is a registry.Set whatever it holds, for documents and checks.
type family struct {
	key      string // of the table in a scene
	kind     string // as messages name it
	fallback string // the variant of a scene that names none; "" if it must
	variants []variant
	// settings returns a pointer to a fresh settings struct of a variant,
	// which holds the defaults, and nil if the variant has none.
	settings func(name string) any
}

func familyOf[T any](key, fallback string, set *registry.Set[T]) family {
	f := family{key: key, kind: set.Kind, fallback: fallback}
	for _, e := range set.Entries() {
		f.variants = append(f.variants, variant{e.Name, e.Doc, e.Cite})
	}
	f.settings = func(name string) (settings any) {
		// A variant hands its settings to the decoder before it does
		// anything with them, so one that fails at once just shows them.
		_, _ = set.New(name, func(dst any) error {
			settings = dst
			return errBadSettings
		})
		return settings
	}
	return f
}

func (f family) names() []string {
	var s []string
	for _, v := range f.variants {
		s = append(s, v.name)
	}
	return s
}

// regions returns the family of shapes by another name.
func regions(key, kind string) family {
	f := familyOf(key, "", &shape.Shapes)
	f.kind = kind
	return f
}

// families returns the families whose variants a scene names, in the order
// of the scene's tables. The solvers of a liquid and of a gas are two, of one table.
func families() []family {
	return []family{
		familyOf("vortex", "", &vorticity.Distributions),
		regions("source", "source"),
		regions("smoke", "block of smoke"),
		familyOf("technique", defaultKinds["technique"], &vortex.Techniques),
		familyOf("fluid", "", &shape.Shapes),
		familyOf("fluid."+velocityField, "", &initial.Fields),
		familyOf("inflow", "", &inflow.Openings),
		familyOf("outflow", "", &outflow.Regions),
		familyOf("gauge", "", &gauge.Gauges),
		familyOf("wall", "", &boundary.Boundaries),
		familyOf("body", "", &body.Solids),
		familyOf("solver", defaultKinds["solver"], &sim.Solvers),
		familyOf("solver", gasSolver, &vortex.Solvers),
		familyOf("force", "", &force.Forces),
		familyOf("neighbor", defaultKinds["neighbor"], &neighbor.Finders),
		familyOf("surface", defaultKinds["surface"], &surface.Methods),
		familyOf("look", defaultKinds["look"], &raster.Looks),
	}
}

// defaultKinds are the variants of a scene that names none.
var defaultKinds = map[string]string{"solver": sim.DefaultSolver, "neighbor": "grid", "surface": "sph", "look": "water", "technique": "tree"}

// language describes scene files.
var language = sync.OnceValue(func() *toml.Schema {
	l := &toml.Schema{Root: reflect.TypeFor[Scene](), Displaced: displaced, Linear: color.Linear}
	for _, f := range families() {
		if i := slices.IndexFunc(l.Families, func(g toml.Family) bool { return g.Table == f.key }); i >= 0 {
			l.Families[i].Names = append(l.Families[i].Names, f.names()...)
			continue
		}
		l.Families = append(l.Families, toml.Family{Table: f.key, What: f.kind, Fallback: f.fallback, Names: f.names()})
	}
	return l
})

// errBadSettings is what a variant's decoder returns when the faults are
// already reported.
var errBadSettings = errors.New("bad settings")

// builder builds the variants of a scene. It reports faults, and lists the settings of
// each variant by its key in the scene.
type builder struct {
	*toml.Report
	flat    bool // whether the scene has two dimensions
	recipes map[string]*stage.Recipe
}

// makeVariant builds the variant that p names at the key. It reports whether there were no
// faults; a kind that was not understood is reported already.
func makeVariant[T any](f *builder, key string, set *registry.Set[T], p toml.Variant) (v T, ok bool) {
	if p.Kind == "" {
		return v, false
	}
	recipe := &stage.Recipe{}
	recipe.Line("", p.Kind)
	f.recipes[key] = recipe
	v, err := set.New(p.Kind, func(dst any) error {
		before := len(f.List)
		language().Settings(p, dst, f.Report)
		if p.Node != nil && len(f.List) == before {
			f.corners(p.Node, reflect.ValueOf(dst).Elem())
		}
		if len(f.List) > before {
			return errBadSettings
		}
		recipe.Add("", dst)
		return nil
	})
	if err != nil && !errors.Is(err, errBadSettings) {
		if p.Node == nil {
			panic("scenes: the defaults of " + set.Kind + " " + p.Kind + " are refused: " + err.Error())
		}
		f.Value(p.Node, "%v", err)
	}
	if err != nil {
		var none T
		return none, false
	}
	return v, true
}

// corners checks that the settings min and max of a box, if there are such,
// are in order.
func (f *builder) corners(n *toml.Node, settings reflect.Value) {
	fields := toml.Fields(settings.Type())
	lo, okLo := toml.Lookup(fields, "min")
	hi, okHi := toml.Lookup(fields, "max")
	if !okLo || !okHi || settings.FieldByIndex(lo.Index).Type() != toml.VecType || settings.FieldByIndex(hi.Index).Type() != toml.VecType {
		return
	}
	at := n.Get("max")
	if at == nil {
		at = n
	}
	what, along := "empty", []string(nil)
	for i := range 3 {
		a, b := settings.FieldByIndex(lo.Index).Field(i).Float(), settings.FieldByIndex(hi.Index).Field(i).Float()
		if i == 2 && f.flat && a == b {
			continue
		}
		if a >= b {
			along = append(along, fmt.Sprintf("along %s it extends from min = %s to max = %s", "xyz"[i:i+1], registry.Number(a), registry.Number(b)))
		}
		if a > b {
			what = "inside out"
		}
	}
	if along != nil {
		f.Value(at, "the box is %s: %s; expected min below max: exchange them or move one", what, strings.Join(along, ", "))
	}
}

// meshed is a wall or a block whose shape is a mesh in a file, which its
// setting file names.
type meshed interface {
	SetMesh(m *mesh.Mesh) error
}

// readMesh gives m the mesh of its file and reports whether that could be done. The
// contents of the file belong to the settings of the variant p at the key.
func (f *builder) readMesh(key string, p toml.Variant, m meshed) bool {
	return f.readFile(key, p, "cup.obj", func(path string, data []byte) error {
		mesh, err := out.ReadMesh(path, bytes.NewReader(data))
		if err != nil {
			return fmt.Errorf("cannot be read: %w", err)
		}
		return m.SetMesh(mesh)
	})
}

// readFile reads the file that the variant with a key names, such as the example, and adds it
// to the recipe of the variant. It reports whether that succeeded.
func (f *builder) readFile(key string, p toml.Variant, example string, read func(path string, data []byte) error) bool {
	at, path := meshfile.Node(p)
	if path == "" {
		f.Value(p.Node, "has no file; add a line such as file = %q, a path relative to the folder of this file", example)
		return false
	}
	data, err := meshfile.Data(path)
	if err == nil {
		err = read(path, data)
	}
	if err != nil {
		f.Value(at, "%v", err)
		return false
	}
	sum := sha256.Sum256(data)
	f.recipes[key].Line(".data", hex.EncodeToString(sum[:]))
	return true
}
