package drawer

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"breakwater/out"
	"breakwater/out/store"
	"breakwater/out/vdb"
	"breakwater/sim/vec"
)

// quantity is what a gas is drawn of, by the names that programs have for its grid.
type quantity struct {
	name string
	also []string
}

// quantities are what a gas is drawn of, and the names that programs have for their grids,
// in the order in which they are looked for.
var quantities = []quantity{
	{"density", []string{"smoke", "soot", "dens"}},
	{"flame", []string{"flames", "fire", "burn"}},
	{"temperature", []string{"temp", "heat"}},
	{"fuel", nil},
	{"velocity", []string{"vel", "v"}},
}

// quantityNames returns the names of all quantities.
func quantityNames() (list []string) {
	for _, q := range quantities {
		list = append(list, q.name)
	}
	return list
}

// zUpCreators are programs whose volumes have z up, as files name them.
var zUpCreators = []string{"Breakwater", "Blender"}

// ofBlender reports whether a file is of Blender's fluids. It does not say so, but has the
// velocities on the faces of the voxels.
func ofBlender(f *vdb.File) bool {
	return f.Creator == "" && slices.ContainsFunc(f.Grids, func(g *vdb.Grid) bool { return g.Class == "staggered" })
}

// zUp reports whether a file has z up, by the program that wrote it.
func zUp(f *vdb.File) bool {
	return ofBlender(f) || slices.ContainsFunc(zUpCreators, func(name string) bool { return strings.HasPrefix(f.Creator, name) })
}

// source is a volume file, of which grids are read when they are needed.
type source struct {
	path  string
	file  *os.File
	vdb   *vdb.File
	axes  out.Axes
	named map[string]string // quantity to grid, as the user has it
}

// open opens a volume file. Its axes are those given, or as its program has them.
func (r *runner) open(path string) (*source, error) {
	file, info, err := store.OpenRegular(path)
	if err != nil {
		return nil, err
	}
	s := &source{path: path, file: file, named: r.opt.Grids}
	if s.vdb, err = vdb.Open(file, info.Size()); err != nil {
		file.Close()
		return nil, err
	}
	s.axes = out.Axes{Unit: r.opt.Unit, ZUp: r.opt.Up == "z"}
	if r.opt.Up == "" {
		s.axes.ZUp = zUp(s.vdb)
	}
	return s, nil
}

func (s *source) close() { s.file.Close() }

// grid returns the grid of a name, in any case of its letters; nil if the file lacks it.
func (s *source) grid(name string) *vdb.Grid {
	for _, g := range s.vdb.Grids {
		if strings.EqualFold(g.Name, name) {
			return g
		}
	}
	return nil
}

// sampler returns a quantity, nil if the file lacks it. A velocity may be three grids.
func (s *source) sampler(name string) (*sampler, error) {
	k := slices.IndexFunc(quantities, func(q quantity) bool { return q.name == name })
	names := append([]string{name}, quantities[k].also...)
	given := s.named[name]
	if given != "" {
		names = []string{given}
	}
	for _, n := range names {
		grids := s.gridsOf(n, name == "velocity")
		if len(grids) == 0 {
			continue
		}
		for _, g := range grids {
			if err := s.vdb.Load(g); err != nil {
				return nil, err
			}
			switch {
			case name == "velocity" && len(grids) == 1 && g.Width != 3:
				return nil, fmt.Errorf("the grid %s has numbers; expected vectors, or the three grids %s.x, %s.y and %s.z", g.Name, g.Name, g.Name, g.Name)
			case (name != "velocity" || len(grids) == 3) && g.Width != 1:
				return nil, fmt.Errorf("the grid %s has vectors; expected numbers for the %s", g.Name, name)
			}
		}
		return newSampler(grids, s.axes), nil
	}
	if given != "" {
		return nil, fmt.Errorf("there is no grid %q for the %s; expected one of %s", given, name, s.names())
	}
	return nil, nil
}

// gridsOf returns the grid of a name, or the three grids of the parts of a vector.
func (s *source) gridsOf(name string, vector bool) (list []*vdb.Grid) {
	if g := s.grid(name); g != nil {
		return []*vdb.Grid{g}
	}
	if !vector {
		return nil
	}
	for _, axis := range []string{"x", "y", "z"} {
		g := s.grid(name + "." + axis)
		if g == nil {
			return nil
		}
		list = append(list, g)
	}
	return list
}

// names lists the grids of the file.
func (s *source) names() string {
	var list []string
	for _, g := range s.vdb.Grids {
		list = append(list, g.Name)
	}
	return cmp.Or(strings.Join(list, ", "), "none, for the file is empty")
}

// survey is what the whole film needs to know of a file.
type survey struct {
	sum     string   // of the file's bytes
	creator string   // the program that wrote it
	zUp     bool     // its axes
	shown   vec.Box  // around all that is thick enough to be seen, m
	edge    float64  // of a voxel, m
	origin  vec.Vec3 // of the voxels
	flame   float64  // the largest value
	hot     float64  // the highest temperature, as the grid has it
	heated  bool     // there are temperatures
	scaled  bool     // the velocities have a scale that the file does not give
}

// faint is the share of a file's largest value below which smoke counts as not seen.
const faint = 0.02

// survey looks through a file.
func (s *source) survey() (v survey, err error) {
	v.creator, v.zUp, v.shown = s.vdb.Creator, s.axes.ZUp, vec.Empty()
	v.scaled = ofBlender(s.vdb)
	found := false
	for _, name := range []string{"density", "flame"} {
		x, err := s.sampler(name)
		if err != nil {
			return v, err
		}
		if x == nil {
			continue
		}
		if !found {
			v.edge, v.origin = x.edge(), vector(x.toWorld.Origin)
		}
		found = true
		most := x.most()
		if name == "flame" {
			v.flame = most
		}
		v.shown = v.shown.Union(x.above(faint * most))
	}
	if !found {
		return v, fmt.Errorf("there is no grid of smoke or flames; the grids are %s, so name one, such as --grids density=NAME", s.names())
	}
	x, err := s.sampler("temperature")
	if err != nil {
		return v, err
	}
	if x != nil {
		v.heated, v.hot = true, x.most()
	}
	return v, nil
}

// most returns the largest value, 0 if none is above.
func (s *sampler) most() (most float64) {
	g := s.grids[0]
	for i := range g.Leaves {
		for _, x := range g.Leaves[i].Values {
			most = max(most, float64(x))
		}
	}
	for _, t := range g.Tiles {
		most = max(most, float64(t.Value[0]))
	}
	return most
}

// above returns the box, in the world of the picture, around all voxels with more than a
// value.
func (s *sampler) above(least float64) vec.Box {
	b := vec.Empty()
	g := s.grids[0]
	add := func(voxels vdb.Box) {
		lo, hi := s.toWorld.Bounds(voxels)
		b = b.Union(vec.Box{Min: vector(lo), Max: vector(hi)})
	}
	for i := range g.Leaves {
		l := &g.Leaves[i]
		if voxels, found := l.Box(func(n int) bool { return float64(l.Values[n]) > least }); found {
			add(voxels)
		}
	}
	for i := range g.Tiles {
		if t := &g.Tiles[i]; float64(t.Value[0]) > least {
			add(t.Box())
		}
	}
	return b
}
