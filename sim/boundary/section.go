package boundary

import (
	"errors"
	"fmt"
	"math"

	"breakwater/sim/vec"
)

// Section returns a wall of two dimensions: the section of b, as a scene places it, by the
// plane z = 0. It fails for a wall that does not meet the plane, and for a plane or a ball whose
// section is another one than it seems.
func Section(b Boundary) (Boundary, error) {
	switch s := b.(type) {
	case *Box:
		if s.Min.Z > 0 || s.Max.Z < 0 {
			return nil, errOffPlane
		}
		for _, side := range s.Open {
			if side == "z-" || side == "z+" {
				return nil, fmt.Errorf("has the open side %q, and the scene has two dimensions; leave it out", side)
			}
		}
		flat := *s
		flat.Min.Z, flat.Max.Z = 0, 0
		return &flat, nil
	case *Plane:
		if s.Normal.Z != 0 {
			return nil, fmt.Errorf("normal has z = %g, and the scene has two dimensions; expected z = 0", s.Normal.Z)
		}
		flat := *s
		flat.Point.Z = 0
		return &flat, nil
	case *Sphere:
		if s.Center.Z != 0 {
			return nil, fmt.Errorf("center has z = %g, and the scene has two dimensions; expected z = 0", s.Center.Z)
		}
		return s, nil
	case *Cylinder:
		lo, hi := math.Min(s.Bottom.Z, s.Top.Z), math.Max(s.Bottom.Z, s.Top.Z)
		if s.Bottom.X != s.Top.X || s.Bottom.Y != s.Top.Y {
			return sectionOf(s.Inside)(s.Prism(sectionSides))
		}
		if lo > 0 || hi < 0 {
			return nil, errOffPlane
		}
		disc := &Sphere{Center: s.Bottom, Radius: s.Radius, Inside: s.Inside}
		disc.Center.Z = 0
		return disc, nil
	case *Capsule:
		return sectionOf(false)(s.Surface(sectionSides))
	case *Polytope:
		if s.faces == nil {
			if err := s.Build(); err != nil {
				return nil, err
			}
		}
		return sectionOf(s.Inside)(s.Faces())
	case *Mesh:
		if s.faces == nil {
			return nil, errors.New("mesh: no mesh was read")
		}
		return sectionOf(s.Inside)(s.Faces())
	}
	return nil, errors.New("has no section in two dimensions")
}

// sectionSides is the number of sides of round shapes that are cut. Their flats are off the curve
// by 8e-5 radii.
const sectionSides = 256

// sectionOf returns a function that cuts a closed, outward mesh.
func sectionOf(inside bool) func(pos []vec.Vec3, tri [][3]int32) (Boundary, error) {
	return func(pos []vec.Vec3, tri [][3]int32) (Boundary, error) {
		lines := cutAtPlane(pos, tri)
		if len(lines) == 0 {
			return nil, errOffPlane
		}
		return newProfile(lines, inside), nil
	}
}

var errOffPlane = errors.New("does not meet the plane z = 0, and the scene has two dimensions; move it there")
