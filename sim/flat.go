package sim

import (
	"errors"
	"fmt"

	"breakwater/sim/kernel"
	"breakwater/sim/vec"
)

// New2D is New in two dimensions: all particles lie in the plane z = 0, each
// stands for d² of it, and energies and masses are those of a sheet one metre
// deep.
func New2D(spacing, rho0 float64) *World { return newWorld(2, spacing, rho0) }

// Dim returns the number of dimensions.
func (w *World) Dim() int { return w.Kernel.Dim() }

// Flat is a wall or a shape that has a meaning in two dimensions: its section
// by the plane z = 0.
type Flat interface {
	// CheckFlat says what keeps it from being used in two dimensions.
	CheckFlat() error
}

// CheckFlat says what keeps a wall or a shape from being used in two
// dimensions.
func CheckFlat(x any) error {
	if f, ok := x.(Flat); ok {
		return f.CheckFlat()
	}
	return errors.New("has no form in two dimensions")
}

// checkFlat reports what a two-dimensional world has off its plane.
func (w *World) checkFlat() error {
	if w.Dim() == 3 {
		return nil
	}
	for i, wall := range w.Walls {
		if err := CheckFlat(wall); err != nil {
			return fmt.Errorf("sim: wall %d: %w", i+1, err)
		}
	}
	if w.Gravity.Z != 0 {
		return fmt.Errorf("sim: gravity %v m/s² leaves the plane z = 0 of two dimensions", w.Gravity)
	}
	for i, x := range w.X {
		if x.Z != 0 || w.V[i].Z != 0 {
			return fmt.Errorf("sim: particle %d at %v m with velocity %v m/s leaves the plane z = 0 of two dimensions", w.ID[i], x, w.V[i])
		}
	}
	return nil
}

// inPlane says whether points that must lie in the plane z = 0 do.
func inPlane(what string, points ...vec.Vec3) error {
	for _, p := range points {
		if p.Z != 0 {
			return fmt.Errorf("%s has z = %g: in two dimensions it must be 0", what, p.Z)
		}
	}
	return nil
}

// CheckFlat implements Flat.
func (b *Box) CheckFlat() error { return inPlane("min or max", b.Min, b.Max) }

// CheckFlat implements Flat.
func (s *Sphere) CheckFlat() error { return inPlane("center", s.Center) }

// CheckFlat implements Flat.
func (p *Plane) CheckFlat() error { return inPlane("normal", p.Normal) }

// CheckFlat implements Flat.
func (b *BoxShape) CheckFlat() error { return inPlane("min or max", b.Min, b.Max) }

// CheckFlat implements Flat.
func (s *SphereShape) CheckFlat() error { return inPlane("center", s.Center) }

// endless is how far a box without depth reaches along z, m: in two
// dimensions, where it is a rectangle, there is no wall that way.
const endless = 1e9

// particleVolume returns d³, or d² in two dimensions.
func (w *World) particleVolume() float64 {
	v := w.Spacing * w.Spacing
	if w.Dim() == 3 {
		v *= w.Spacing
	}
	return v
}

// kernelVolume returns the volume of a particle, m³, with which package pairsum's
// kernel, the three-dimensional one, has the values of the world's own for
// particles whose sum at rest is 1. The two differ by a factor alone.
func (w *World) kernelVolume() float64 {
	v := w.particleVolume() / kernel.LatticeSum(w.Kernel, w.Spacing)
	return v * (w.Kernel.W(0) / kernel.NewCubicSpline(3, w.Kernel.H()).W(0))
}
