package boundary

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"breakwater/sim/kernel"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

func init() {
	Boundaries.Register(registry.Entry[Boundary]{
		Name: "polytope", Doc: "convex body bounded by planes, such as a wedge: a solid, or a tank", Cite: "Bender et al. 2019",
		New: func(d registry.Decode) (Boundary, error) {
			p := &Polytope{}
			if err := d(p); err != nil {
				return p, err
			}
			return p, p.Build()
		},
	})
}

// Polytope is the set of points behind all of some planes: a convex body, solid or a
// container.
type Polytope struct {
	Points  []vec.Vec3 `toml:"points" unit:"m" doc:"One point on each plane: of four planes or more, or of three or more along z in two dimensions."`
	Normals []vec.Vec3 `toml:"normals" unit:"1" doc:"For each plane the direction out of the body, of any length but 0."`
	Inside  bool       `toml:"inside" doc:"Whether the liquid is inside the body; false makes it a solid."`

	endless bool // along z: the planes enclose an area, which is enough in two dimensions
	shaped
}

// Build makes the faces. It fails if the planes enclose nothing, or do not
// close. Planes that all are along z need not close there: see Closed.
func (p *Polytope) Build() error {
	p.endless = !slices.ContainsFunc(p.Normals, func(n vec.Vec3) bool { return n.Z != 0 })
	if len(p.Points) != len(p.Normals) || len(p.Points) < 3 || len(p.Points) == 3 && !p.endless {
		return fmt.Errorf("polytope: %d points and %d normals; expected one of each per plane, and four planes or more, or three along z in two dimensions", len(p.Points), len(p.Normals))
	}
	size := 0.
	for i, n := range p.Normals {
		if n.Len() == 0 {
			return fmt.Errorf("polytope: normals[%d] is zero: give the direction out of the body", i+1)
		}
		size = max(size, p.Points[i].Sub(p.Points[0]).Len())
	}
	points, normals := p.Points, p.Normals
	if p.endless {
		end := vec.New(0, 0, max(size, 1e-3))
		points = append(slices.Clone(points), end, end.Neg())
		normals = append(slices.Clone(normals), vec.New(0, 0, 1), vec.New(0, 0, -1))
	}
	// Each face is a square, far larger than the body, cut by the other planes.
	far := 1e4 * max(size, 1e-3)
	var pos []vec.Vec3
	var tri [][3]int32
	vertex := func(x vec.Vec3) int32 {
		for i, o := range pos {
			if o.Sub(x).Len() < 1e-9*far/1e3 {
				return int32(i)
			}
		}
		pos = append(pos, x)
		return int32(len(pos) - 1)
	}
	for i := range normals {
		n := normals[i].Unit()
		u, v := n.Basis()
		var face []vec.Vec3
		for _, s := range [...][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
			face = append(face, points[i].Add(u.Mul(far*s[0])).Add(v.Mul(far*s[1])))
		}
		for j := range normals {
			if j != i {
				face = cutFace(face, points[j], normals[j].Unit(), 1e-12*far)
			}
		}
		var loop []int32
		for _, x := range face {
			if x.Sub(points[0]).Len() > far/10 {
				return errUnbounded
			}
			if k := vertex(x); len(loop) == 0 || loop[len(loop)-1] != k && loop[0] != k {
				loop = append(loop, k)
			}
		}
		for k := 2; k < len(loop); k++ {
			tri = append(tri, [3]int32{loop[0], loop[k-1], loop[k]})
		}
	}
	if len(tri) < 4 {
		return errors.New("polytope: no point lies behind all planes; reverse the normals that point into the body")
	}
	p.setFaces(pos, tri, p.Inside)
	return nil
}

var errUnbounded = errors.New("polytope: the planes do not enclose a body, which reaches to infinity; add planes, or reverse normals that point into it")

// cutFace returns the part of a convex face behind a plane.
func cutFace(face []vec.Vec3, point, n vec.Vec3, slack float64) (cut []vec.Vec3) {
	for k, a := range face {
		b := face[(k+1)%len(face)]
		da, db := a.Sub(point).Dot(n), b.Sub(point).Dot(n)
		if da <= slack {
			cut = append(cut, a)
		}
		if math.Min(da, db) < -slack && math.Max(da, db) > slack {
			cut = append(cut, a.Lerp(b, da/(da-db)))
		}
	}
	return cut
}

// Closed returns why the planes enclose no body in three dimensions, or nil if they do.
func (p *Polytope) Closed() error {
	if p.endless {
		return errUnbounded
	}
	return nil
}

// Init implements Boundary.
func (p *Polytope) Init(k kernel.Kernel) error {
	if p.faces == nil {
		if err := p.Build(); err != nil {
			return err
		}
	}
	if err := p.Closed(); err != nil {
		return err
	}
	if err := p.shaped.Init(k); err != nil {
		return fmt.Errorf("polytope: %w", err)
	}
	return nil
}

// Faces returns the body's surface, closed and outward.
func (p *Polytope) Faces() ([]vec.Vec3, [][3]int32) { return p.faces.outward(p.Inside) }

// outward returns the triangles as they were before newFacets turned them.
func (f *facets) outward(turned bool) ([]vec.Vec3, [][3]int32) {
	tri := make([][3]int32, len(f.tri))
	for i, t := range f.tri {
		if turned {
			t[1], t[2] = t[2], t[1]
		}
		tri[i] = t
	}
	return f.pos, tri
}
