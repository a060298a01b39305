package boundary

import (
	"fmt"

	"breakwater/sim/kernel"
	"breakwater/sim/vec"
)

// Profile is a wall of two dimensions whose section is bounded by polygons: the section of a mesh, a
// polytope, a capsule or a cylinder. Like the walls of triangles in three dimensions it has its
// density map on a grid; the triangles are those of a prism along z.
type Profile struct {
	lines [][]vec.Vec3
	shaped
}

// newProfile returns the profile with closed outlines in the plane z = 0, which have the body on
// their left.
func newProfile(lines [][]vec.Vec3, inside bool) *Profile {
	p := &Profile{lines: lines}
	box := vec.Empty()
	for _, line := range lines {
		for _, x := range line {
			box = box.Include(x)
		}
	}
	// Seen from the plane the prism has no ends: they are farther off than any point of interest.
	end := vec.New(0, 0, 8*box.Size().Len())
	var pos []vec.Vec3
	var tri [][3]int32
	for _, line := range lines {
		first, n := int32(len(pos)), int32(len(line))
		for k, x := range line {
			a := first + 2*int32(k)
			b := first + 2*((int32(k)+1)%n)
			pos = append(pos, x.Sub(end), x.Add(end))
			tri = append(tri, [3]int32{a, b, b + 1}, [3]int32{a, b + 1, a + 1})
		}
	}
	p.setFaces(pos, tri, inside)
	return p
}

// Outlines returns the closed outlines in the plane z = 0, with the body on the left.
func (p *Profile) Outlines() [][]vec.Vec3 { return p.lines }

// CheckFlat implements Flat.
func (p *Profile) CheckFlat() error { return nil }

// Init implements Boundary.
func (p *Profile) Init(k kernel.Kernel) error {
	if k.Dim() != 2 {
		return fmt.Errorf("a profile is a wall of two dimensions; the kernel has %d", k.Dim())
	}
	return p.shaped.Init(k)
}

// flattened returns a scalar and a direction without its component along z, which is rounding.
func flattened(d float64, n vec.Vec3) (float64, vec.Vec3) {
	n.Z = 0
	return d, n
}

// Dist implements Boundary.
func (p *Profile) Dist(x vec.Vec3) (float64, vec.Vec3) { return flattened(p.shaped.Dist(x)) }

// RoughDist implements Rough.
func (p *Profile) RoughDist(x vec.Vec3) (float64, vec.Vec3) { return flattened(p.shaped.RoughDist(x)) }

// Wall implements Boundary.
func (p *Profile) Wall(x vec.Vec3) (float64, vec.Vec3) { return flattened(p.shaped.Wall(x)) }

// Mirror implements Boundary.
func (p *Profile) Mirror(x vec.Vec3) (float64, vec.Vec3) { return flattened(p.shaped.Mirror(x)) }

// Extent returns the bounding box in the plane.
func (p *Profile) Extent() vec.Box {
	b := p.shaped.Extent()
	b.Min.Z, b.Max.Z = 0, 0
	return b
}

// Bounds returns the bounding box of a container, or the empty box for a solid.
func (p *Profile) Bounds() vec.Box {
	if !p.inside {
		return vec.Empty()
	}
	return p.Extent()
}
