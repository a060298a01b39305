package scenes

import (
	"errors"
	"reflect"
	"slices"
	"strings"

	"breakwater/raster"
	"breakwater/sim"
	"breakwater/sim/neighbor"
	"breakwater/sim/registry"
	"breakwater/surface"
)

// Variant is a table that names a variant by its kind and holds the variant's
// own settings.
type Variant struct {
	Kind string
	node *node    // the table in the file; nil for defaults alone
	also []string // keys of the table that are not the variant's
}

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

// families returns the families whose variants a scene names, in the order
// of the scene's tables.
func families() []family {
	return []family{
		familyOf("fluid", "", &sim.Shapes),
		familyOf("inflow", "", &sim.Openings),
		familyOf("outflow", "", &sim.Regions),
		familyOf("gauge", "", &sim.Gauges),
		familyOf("wall", "", &sim.Boundaries),
		familyOf("body", "", &sim.Solids),
		familyOf("solver", defaultKinds["solver"], &sim.Solvers),
		familyOf("force", "", &sim.Forces),
		familyOf("neighbor", defaultKinds["neighbor"], &neighbor.Finders),
		familyOf("surface", defaultKinds["surface"], &surface.Methods),
		familyOf("look", defaultKinds["look"], &raster.Looks),
	}
}

// defaultKinds are the variants of a scene that names none.
var defaultKinds = map[string]string{"solver": "iisph", "neighbor": "grid", "surface": "sph", "look": "water"}

func familyAt(key string) family {
	for _, f := range families() {
		if f.key == key {
			return f
		}
	}
	panic("scenes: no family for the table " + key)
}

// variant reads the kind of the table n; the rest is for the variant, which is
// built later. The keys in also are not the variant's.
func (d decoder) variant(n *node, p *Variant, also []string) {
	p.node, p.also = n, also
	key, _, _ := strings.Cut(n.path, "[")
	fam := familyAt(key)
	k := n.get("kind")
	switch {
	case k == nil && p.Kind == "":
		d.bad(n, "has no kind; add a line such as kind = %q; expected one of %s", fam.names()[0], strings.Join(fam.names(), ", "))
	case k == nil:
	case k.kind != stringNode:
		d.wrong(k, "a string, one of "+strings.Join(fam.names(), ", "))
		p.Kind = ""
	case !slices.Contains(fam.names(), k.text):
		d.bad(k, "unknown %s %q; %s", fam.kind, k.text, expected(k.text, fam.names()))
		p.Kind = ""
	default:
		p.Kind = k.text
	}
}

// errBadSettings is what a variant's decoder returns when the faults are
// already reported.
var errBadSettings = errors.New("bad settings")

// makeVariant builds the variant that p names. It reports what is wrong and says
// whether nothing was; a kind that was not understood is reported already.
func makeVariant[T any](f *faults, set *registry.Set[T], p Variant) (v T, ok bool) {
	if p.Kind == "" {
		return v, false
	}
	v, err := set.New(p.Kind, func(dst any) error {
		if p.node == nil {
			return nil
		}
		before := len(f.list)
		settings := reflect.ValueOf(dst).Elem()
		decoder{f}.table(p.node, settings, append([]string{"kind"}, p.also...)...)
		if len(f.list) == before {
			corners(f, p.node, settings)
		}
		if len(f.list) > before {
			return errBadSettings
		}
		return nil
	})
	if err != nil && !errors.Is(err, errBadSettings) {
		if p.node == nil {
			panic("scenes: the defaults of " + set.Kind + " " + p.Kind + " are refused: " + err.Error())
		}
		f.value(p.node, "%v", err)
	}
	if err != nil {
		var none T
		return none, false
	}
	return v, true
}

// corners checks that the settings min and max of a box, if there are such,
// are in order.
func corners(f *faults, n *node, settings reflect.Value) {
	fields := fieldsOf(settings.Type())
	lo, okLo := lookup(fields, "min")
	hi, okHi := lookup(fields, "max")
	if !okLo || !okHi || settings.FieldByIndex(lo.index).Type() != vecType || settings.FieldByIndex(hi.index).Type() != vecType {
		return
	}
	at := n.get("max")
	if at == nil {
		at = n
	}
	for i := range 3 {
		a, b := settings.FieldByIndex(lo.index).Field(i).Float(), settings.FieldByIndex(hi.index).Field(i).Float()
		if a >= b {
			axis := "xyz"[i : i+1]
			f.value(at, "the box is inside out: in %s it goes from min = %s to max = %s; expected min below max: exchange them or move one", axis, number(a), number(b))
		}
	}
}
