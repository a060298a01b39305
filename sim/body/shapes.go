package body

import (
	"breakwater/sim/boundary"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

// Solids are the kinds of Boundaries that a free body may have: kinds that can have an
// inside of their own.
var Solids = registry.Set[boundary.Boundary]{Kind: "body"}

func init() {
	for _, e := range []registry.Entry[boundary.Boundary]{
		{Name: "box", Doc: "block", New: func(d registry.Decode) (boundary.Boundary, error) { b := &boundary.Box{}; return b, d(b) }},
		{Name: "sphere", Doc: "ball", New: func(d registry.Decode) (boundary.Boundary, error) { s := &boundary.Sphere{Radius: 0.1}; return s, d(s) }},
		{Name: "cylinder", Doc: "cylinder, such as a barrel", New: func(d registry.Decode) (boundary.Boundary, error) {
			c := &boundary.Cylinder{Top: vec.New(0, 1, 0), Radius: 0.1}
			return c, d(c)
		}},
		{Name: "capsule", Doc: "cylinder with round ends", New: func(d registry.Decode) (boundary.Boundary, error) {
			c := &boundary.Capsule{Top: vec.New(0, 1, 0), Radius: 0.1}
			return c, d(c)
		}},
		{Name: "polytope", Doc: "convex body bounded by planes, such as a wedge", New: func(d registry.Decode) (boundary.Boundary, error) {
			p := &boundary.Polytope{}
			if err := d(p); err != nil {
				return p, err
			}
			return p, p.Build()
		}},
		{Name: "mesh", Doc: "closed triangle mesh from a file, of any shape", New: func(d registry.Decode) (boundary.Boundary, error) { m := &boundary.Mesh{Scale: 1}; return m, d(m) }},
	} {
		Solids.Register(e)
	}
}
