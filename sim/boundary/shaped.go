package boundary

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"sync"
	"weak"

	"breakwater/sim/kernel"
	"breakwater/sim/vec"
)

// shaped is a wall whose surface is made of triangles. Its share of the kernel and its
// mirror image equal a plane's at distances stored in a grid; see volumeMap and distGrid.
type shaped struct {
	Fixed
	faces  *facets
	inside bool
	layers Layers
	grid   *distGrid
}

// setFaces gives s a closed, outward surface with the liquid outside it, or
// inside.
func (s *shaped) setFaces(pos []vec.Vec3, tri [][3]int32, inside bool) {
	s.faces, s.inside, s.grid = newFacets(pos, tri, inside), inside, nil
}

// Of the grid: the distance of its nodes, in spacings, and where it is needed.
// Particles come within contact of a wall, from where the interpolation reaches
// two nodes on; the share ends at h. Nodes a third of a spacing apart keep the sums
// along a right angle within 1.5 % of the rest density of a lattice's.
const (
	gridCell = 1. / 3
	gridDeep = 1.25
	gridFar  = 2.25
)

// Init implements Boundary. It fails where the shape is thinner than the kernel's
// support, through which the liquid on both sides would interact.
func (s *shaped) Init(k kernel.Kernel) error {
	d := kernel.Spacing(k)
	s.layers = NewLayers(k)
	if t, x := s.faces.thinnest(k.H(), s.inside); t < k.H()*(1-1e-6) {
		return fmt.Errorf("%.3g m thin near %v: everywhere it must be at least two spacings, %g m: make it thicker or the spacing smaller, at most %.3g m", t, x, k.H(), t/2)
	}
	var err error
	s.grid, err = grids.get(s.faces, s.layers, gridCell*d, gridDeep*d, gridFar*d)
	return err
}

// Dist implements Boundary. It is exact.
func (s *shaped) Dist(x vec.Vec3) (float64, vec.Vec3) { return s.faces.dist(x) }

// RoughDist implements Rough: Dist by the grid: off by an eighth of a spacing at most
// where two faces meet, and farther from the surface than the kernel reaches by
// more.
func (s *shaped) RoughDist(x vec.Vec3) (float64, vec.Vec3) {
	if s.grid == nil {
		return s.faces.dist(x)
	}
	return s.grid.distance(x)
}

// Beyond implements Rough.
func (s *shaped) Beyond(x vec.Vec3, d float64) bool { return s.grid != nil && s.grid.beyond(x, d) }

// Wall implements Boundary.
func (s *shaped) Wall(x vec.Vec3) (float64, vec.Vec3) {
	d, _ := s.RoughDist(x)
	if d >= s.layers.k.H() {
		return 0, vec.Vec3{}
	}
	t, grad, ok := s.grid.depth(x, solidField)
	if !ok {
		if d < 0 {
			return 1, vec.Vec3{}
		}
		return 0, vec.Vec3{}
	}
	share, slope := s.layers.HalfSpace(t)
	return share, grad.Mul(slope)
}

// Mirror implements Boundary.
func (s *shaped) Mirror(x vec.Vec3) (float64, vec.Vec3) {
	if s.grid.beyond(x, s.layers.d) {
		return 0, vec.Vec3{} // as far as a mirror image reaches
	}
	t, grad, ok := s.grid.depth(x, imageField)
	if !ok {
		if d, _ := s.grid.distance(x); d < 0 {
			return 1, vec.Vec3{}
		}
		return 0, vec.Vec3{}
	}
	share, slope := s.layers.image(t)
	return share, grad.Mul(slope)
}

// Bounds returns the bounding box of a container, or the empty box for a solid.
func (s *shaped) Bounds() vec.Box {
	if s.inside && s.faces != nil {
		return s.faces.bounds()
	}
	return vec.Empty()
}

// Extent returns the bounding box of the shape.
func (s *shaped) Extent() vec.Box { return s.faces.bounds() }

// thinnest returns the least thickness of the solid, and its place, if it is below most.
// Only faces that are nearly parallel count: at a wedge's edge they may meet.
func (f *facets) thinnest(most float64, inside bool) (float64, vec.Vec3) {
	const parallel = 0.97 // cosine of 14°
	least, where := most, vec.Vec3{}
	var list []int32
	for t := range int32(len(f.tri)) {
		in := f.normal[t].Neg()
		if inside {
			in = f.normal[t]
		}
		x := f.middle(t)
		list = f.within(list[:0], x, least)
		for _, o := range list {
			if f.normal[o].Dot(f.normal[t]) > -parallel {
				continue
			}
			away := f.pos[f.tri[o][0]].Sub(x).Dot(f.normal[o]) / in.Dot(f.normal[o])
			if away > 0 && away < least && f.covers(o, x.Add(in.Mul(away))) {
				least, where = away, x
			}
		}
	}
	return least, where
}

// covers reports whether x, in the plane of triangle t, lies in it.
func (f *facets) covers(t int32, x vec.Vec3) bool {
	v := &f.tri[t]
	for k := range 3 {
		a, b := f.pos[v[k]], f.pos[v[(k+1)%3]]
		if b.Sub(a).Cross(x.Sub(a)).Dot(f.normal[t]) < 0 {
			return false
		}
	}
	return true
}

// gridStore finds a grid again that is, or was a little while ago, in use for the
// same surface: a scene is built several times on its way.
type gridStore struct {
	mu     sync.Mutex
	kept   map[[32]byte]weak.Pointer[distGrid]
	recent []*distGrid // the last first, of recentNumbers in all
}

// recentNumbers is how many numbers the grids may have that are kept although
// none is in use. The last is kept in any case.
const recentNumbers = 64 << 20

// use puts g before the other recent grids.
func (s *gridStore) use(g *distGrid) *distGrid {
	if i := slices.Index(s.recent, g); i >= 0 {
		s.recent = slices.Delete(s.recent, i, i+1)
	}
	s.recent = slices.Insert(s.recent, 0, g)
	sum := 0
	for i, g := range s.recent {
		if sum += len(g.nodes); sum > recentNumbers && i > 0 {
			clear(s.recent[i:])
			s.recent = s.recent[:i]
			break
		}
	}
	return g
}

var grids gridStore

func (s *gridStore) get(f *facets, l Layers, cell, deep, far float64) (*distGrid, error) {
	h := sha256.New()
	put := func(v ...float64) {
		for _, x := range v {
			var b [8]byte
			binary.LittleEndian.PutUint64(b[:], math.Float64bits(x))
			h.Write(b[:])
		}
	}
	put(l.k.H(), l.k.W(0), cell, deep, far)
	for _, p := range f.pos {
		put(p.X, p.Y, p.Z)
	}
	for _, t := range f.tri {
		put(float64(t[0]), float64(t[1]), float64(t[2]))
	}
	key := [32]byte(h.Sum(nil))
	s.mu.Lock()
	defer s.mu.Unlock()
	if g := s.kept[key].Value(); g != nil {
		return s.use(g), nil
	}
	g, err := newDistGrid(f, newVolumeMap(l), cell, deep, far)
	if err != nil {
		return nil, err
	}
	if s.kept == nil {
		s.kept = map[[32]byte]weak.Pointer[distGrid]{}
	}
	for k, p := range s.kept {
		if p.Value() == nil {
			delete(s.kept, k)
		}
	}
	s.kept[key] = weak.Make(g)
	return s.use(g), nil
}

// Memory returns the bytes that the wall takes.
func (s *shaped) Memory() float64 {
	if s.grid == nil {
		return 0
	}
	return 4 * float64(len(s.grid.nodes)+len(s.grid.corner)+len(s.grid.block)+len(s.grid.low))
}
