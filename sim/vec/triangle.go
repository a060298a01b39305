package vec

// NearestOnTriangle finds the point of the triangle abc nearest to x: it is
//
//	a + v/of·(b − a) + w/of·(c − a)
//
// and lies at a corner (where 0 to 2), on the edge from a corner (3 to 5), or within
// (6). Given are b − a, c − a, and x − a, x − b, x − c (Ericson, Real-Time Collision
// Detection, 2005, section 5.1.5).
func NearestOnTriangle(ab, ac, ax, bx, cx Vec3) (v, w, of float64, where int) {
	d1, d2 := ab.Dot(ax), ac.Dot(ax)
	if d1 <= 0 && d2 <= 0 {
		return 0, 0, 1, 0
	}
	d3, d4 := ab.Dot(bx), ac.Dot(bx)
	if d3 >= 0 && d4 <= d3 {
		return 1, 0, 1, 1
	}
	vc := float64(d1*d4) - float64(d3*d2)
	if vc <= 0 && d1 >= 0 && d3 <= 0 && d1 != d3 {
		return d1, 0, d1 - d3, 3
	}
	d5, d6 := ab.Dot(cx), ac.Dot(cx)
	if d6 >= 0 && d5 <= d6 {
		return 0, 1, 1, 2
	}
	vb := float64(d5*d2) - float64(d1*d6)
	if vb <= 0 && d2 >= 0 && d6 <= 0 && d2 != d6 {
		return 0, d2, d2 - d6, 5
	}
	va := float64(d3*d6) - float64(d5*d4)
	if s := d4 - d3 + d5 - d6; va <= 0 && d4-d3 >= 0 && d5-d6 >= 0 && s > 0 {
		return d5 - d6, d4 - d3, s, 4
	}
	if sum := va + vb + vc; sum != 0 {
		return vb, vc, sum, 6
	}
	return 0, 0, 1, 0 // the triangle has no area
}
