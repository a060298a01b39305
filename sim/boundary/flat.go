package boundary

import (
	"breakwater/sim/vec"
	"errors"
	"fmt"
)

// Flat is a wall or a shape that has a meaning in two dimensions: its section
// by the plane z = 0.
type Flat interface {
	// CheckFlat returns an error if it cannot be used in two dimensions.
	CheckFlat() error
}

// CheckFlat returns an error if a wall or a shape cannot be used in two dimensions.
func CheckFlat(x any) error {
	if f, ok := x.(Flat); ok {
		return f.CheckFlat()
	}
	return errors.New("is not supported in two dimensions")
}

// InPlane says whether points that must lie in the plane z = 0 do.
func InPlane(what string, points ...vec.Vec3) error {
	for _, p := range points {
		if p.Z != 0 {
			return fmt.Errorf("%s has z = %g: in two dimensions it must be 0", what, p.Z)
		}
	}
	return nil
}

// CheckFlat implements Flat.
func (b *Box) CheckFlat() error { return InPlane("min or max", b.Min, b.Max) }

// CheckFlat implements Flat.
func (s *Sphere) CheckFlat() error { return InPlane("center", s.Center) }

// CheckFlat implements Flat.
func (p *Plane) CheckFlat() error { return InPlane("normal", p.Normal) }
