package boundary

import (
	"errors"
	"fmt"
	"math"
)

// Section returns a wall of two dimensions: the section of b, as a scene places it, by the
// plane z = 0. It fails for a wall that does not meet the plane, and for one that has no
// section of a kind that two dimensions know.
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
			return nil, errors.New("is a cylinder whose axis is not along z, and the scene has two dimensions; give bottom and top the same x and y")
		}
		if lo > 0 || hi < 0 {
			return nil, errOffPlane
		}
		disc := &Sphere{Center: s.Bottom, Radius: s.Radius, Inside: s.Inside}
		disc.Center.Z = 0
		return disc, nil
	}
	return nil, errors.New("is of a kind that two dimensions do not have; expected box, plane, sphere, or cylinder along z")
}

var errOffPlane = errors.New("does not meet the plane z = 0, and the scene has two dimensions; move it there")
