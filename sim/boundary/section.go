package boundary

import (
	"errors"
	"fmt"
	"math"
	"slices"

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

// cutAtPlane returns the outlines of the section of a closed, outward mesh by the plane z = 0, with the
// body on the left. Vertices in the plane count as above it, so that every triangle is cut in two
// edges or in none, and the outlines close.
func cutAtPlane(pos []vec.Vec3, tri [][3]int32) (lines [][]vec.Vec3) {
	type edge [2]int32 // the lower vertex first
	type piece struct{ from, to edge }
	var pieces []piece
	starts := map[edge][]int{} // the pieces that start at an edge
	for _, t := range tri {
		var p piece
		cut := false
		for k := range 3 {
			a, b := t[k], t[(k+1)%3]
			e := edge{min(a, b), max(a, b)}
			switch up := pos[b].Z >= 0; {
			case up == (pos[a].Z >= 0):
			case up: // seen from outside the triangle is on the left of its edges
				p.to, cut = e, true
			default:
				p.from = e
			}
		}
		if cut {
			starts[p.from] = append(starts[p.from], len(pieces))
			pieces = append(pieces, p)
		}
	}
	at := func(e edge) vec.Vec3 {
		a, b := pos[e[0]], pos[e[1]]
		x := a.Lerp(b, a.Z/(a.Z-b.Z))
		x.Z = 0
		return x
	}
	seen := make([]bool, len(pieces))
	for first := range pieces {
		if seen[first] {
			continue
		}
		var line []vec.Vec3
		for i := first; !seen[i]; {
			seen[i] = true
			line = append(line, at(pieces[i].from))
			next := slices.IndexFunc(starts[pieces[i].to], func(k int) bool { return !seen[k] })
			if next < 0 {
				break
			}
			i = starts[pieces[i].to][next]
		}
		if line = withoutStraight(line); len(line) >= 3 {
			lines = append(lines, line)
		}
	}
	return lines
}

// withoutStraight returns a closed outline without the points at which it does not turn.
func withoutStraight(line []vec.Vec3) []vec.Vec3 {
	const turn = 1e-9
	box := vec.Empty()
	for _, x := range line {
		box = box.Include(x)
	}
	least := turn * box.Size().Len()
	line = slices.CompactFunc(line, func(a, b vec.Vec3) bool { return a.Sub(b).Len() <= least })
	for again := true; again; {
		again = false
		for k := 0; k < len(line); {
			n := len(line)
			a, b := line[k].Sub(line[(k+n-1)%n]), line[(k+1)%n].Sub(line[k])
			if a.Len() <= least || a.Dot(b) > 0 && a.Cross(b).Len() <= turn*a.Len()*b.Len() {
				line, again = slices.Delete(line, k, k+1), true
				continue
			}
			k++
		}
	}
	return line
}
