package mesh

import (
	"cmp"
	"slices"

	"breakwater/sim/vec"
)

// Extrusion returns the solid of closed outlines in planes of constant z, which have their inside on
// the left, from half its depth below the plane z = 0 to half of it above. Outlines within others are
// holes. The sides are shaded flat.
func Extrusion(lines [][]vec.Vec3, depth float64) *Mesh {
	m := &Mesh{}
	front, back := vec.New(0, 0, depth/2), vec.New(0, 0, -depth/2)
	quad := func(n vec.Vec3, p ...vec.Vec3) {
		k := int32(len(m.Pos))
		m.Pos = append(m.Pos, p...)
		m.Nrm = append(m.Nrm, n, n, n, n)
		m.Tri = append(m.Tri, [3]int32{k, k + 1, k + 2}, [3]int32{k, k + 2, k + 3})
	}
	for _, line := range lines {
		for k, a := range line {
			b := line[(k+1)%len(line)]
			side := b.Sub(a)
			a.Z, b.Z = 0, 0
			quad(vec.New(side.Y, -side.X, 0).Unit(), a.Add(back), b.Add(back), b.Add(front), a.Add(front))
		}
	}
	for _, t := range trapezoids(lines) {
		quad(vec.New(0, 0, 1), t[0].Add(front), t[1].Add(front), t[2].Add(front), t[3].Add(front))
		quad(vec.New(0, 0, -1), t[3].Add(back), t[2].Add(back), t[1].Add(back), t[0].Add(back))
	}
	return m
}

// trapezoids cuts the inside of outlines into trapezoids with level sides, whose corners go to the left
// about z: one between each two sides that follow each other, in each strip between two corners.
func trapezoids(lines [][]vec.Vec3) (list [][4]vec.Vec3) {
	var levels []float64
	for _, line := range lines {
		for _, p := range line {
			levels = append(levels, p.Y)
		}
	}
	slices.Sort(levels)
	levels = slices.Compact(levels)
	for i := range max(0, len(levels)-1) {
		lo, hi := levels[i], levels[i+1]
		var sides [][2]float64 // x at lo and at hi
		for _, line := range lines {
			for k, a := range line {
				b := line[(k+1)%len(line)]
				if a.Y > b.Y {
					a, b = b, a
				}
				if a.Y <= lo && b.Y >= hi {
					at := func(y float64) float64 { return a.X + float64((b.X-a.X)*((y-a.Y)/(b.Y-a.Y))) }
					sides = append(sides, [2]float64{at(lo), at(hi)})
				}
			}
		}
		slices.SortFunc(sides, func(a, b [2]float64) int { return cmp.Compare(a[0]+a[1], b[0]+b[1]) })
		for k := 0; k+1 < len(sides); k += 2 {
			l, r := sides[k], sides[k+1]
			list = append(list, [4]vec.Vec3{vec.New(l[0], lo, 0), vec.New(r[0], lo, 0), vec.New(r[1], hi, 0), vec.New(l[1], hi, 0)})
		}
	}
	return list
}
