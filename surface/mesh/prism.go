package mesh

import (
	"fmt"

	"breakwater/sim/vec"
)

// Prism returns a closed, outward prism: a convex plane polygon, whose corners
// go to the left about the direction against along, moved by along. The sides
// are shaded round where they meet at less than 41°, the ends flat. It panics if
// there are fewer than three corners.
func Prism(polygon []vec.Vec3, along vec.Vec3) *Mesh {
	n := len(polygon)
	if n < 3 {
		panic(fmt.Sprintf("mesh: prism of %d corners, want at least 3", n))
	}
	var middle vec.Vec3
	for _, p := range polygon {
		middle = middle.Add(p.Mul(1 / float64(n)))
	}
	m := new(Mesh)
	axis := along.Unit()
	// Bevelled as a box is: the ends stand inside the sides, so that each has
	// corners of its own.
	bevel := along.Len() / 400
	for _, p := range polygon {
		side := p.Sub(middle)
		in := middle.Add(side.Mul(1 - bevel/side.Len()))
		for k, x := range [4]vec.Vec3{in, p.Add(axis.Mul(bevel)), p.Add(along).Sub(axis.Mul(bevel)), in.Add(along)} {
			m.Pos = append(m.Pos, x)
			m.Nrm = append(m.Nrm, [4]vec.Vec3{axis.Neg(), side.Unit(), side.Unit(), axis}[k])
		}
	}
	at := func(i, k int) int32 { return int32(4*(i%n) + k) }
	for i := range n {
		for k := range 3 {
			m.Tri = append(m.Tri, [3]int32{at(i, k), at(i, k+1), at(i+1, k+1)}, [3]int32{at(i, k), at(i+1, k+1), at(i+1, k)})
		}
		if i > 0 && i+1 < n {
			m.Tri = append(m.Tri, [3]int32{at(0, 0), at(i, 0), at(i+1, 0)}, [3]int32{at(0, 3), at(i+1, 3), at(i, 3)})
		}
	}
	return m
}
