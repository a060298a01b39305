package surface

import "breakwater/sim/vec"

// quadric is the sum of the squares of the distances from planes, weighted by
// the areas that lie in them, as a function of a point x relative to the vertex
// that has it:
//
//	Q(x) = xᵀAx + 2b·x + c
//
// (Garland and Heckbert, Surface simplification using quadric error metrics,
// SIGGRAPH 1997). Relative, it loses nothing far from the origin.
type quadric struct {
	xx, yy, zz, xy, xz, yz float64  // A, m²
	b                      vec.Vec3 // m³
	c                      float64  // m⁴
	area                   float64  // m²
}

// plane adds a plane through the vertex with the unit normal n.
func (q *quadric) plane(n vec.Vec3, area float64) {
	q.xx += area * n.X * n.X
	q.yy += area * n.Y * n.Y
	q.zz += area * n.Z * n.Z
	q.xy += area * n.X * n.Y
	q.xz += area * n.X * n.Z
	q.yz += area * n.Y * n.Z
	q.area += area
}

// times returns Ax.
func (q *quadric) times(x vec.Vec3) vec.Vec3 {
	return vec.Vec3{
		X: q.xx*x.X + q.xy*x.Y + q.xz*x.Z,
		Y: q.xy*x.X + q.yy*x.Y + q.yz*x.Z,
		Z: q.xz*x.X + q.yz*x.Y + q.zz*x.Z,
	}
}

// at returns Q(x), 0 or more.
func (q *quadric) at(x vec.Vec3) float64 {
	return max(0, x.Dot(q.times(x).Add(q.b.Mul(2)))+q.c)
}

// move makes q relative to a point d away.
func (q *quadric) move(d vec.Vec3) {
	ad := q.times(d)
	q.c += d.Dot(ad.Add(q.b.Mul(2)))
	q.b = q.b.Add(ad)
}

// add adds o, which is relative to the same point.
func (q *quadric) add(o *quadric) {
	q.xx, q.yy, q.zz = q.xx+o.xx, q.yy+o.yy, q.zz+o.zz
	q.xy, q.xz, q.yz = q.xy+o.xy, q.xz+o.xz, q.yz+o.yz
	q.b, q.c, q.area = q.b.Add(o.b), q.c+o.c, q.area+o.area
}

// inverse is that of a symmetric matrix.
type inverse struct{ xx, yy, zz, xy, xz, yz float64 }

// inverse returns that of A, which has none if it is not ok.
func (q *quadric) inverse() (i inverse, ok bool) {
	i.xx = q.yy*q.zz - q.yz*q.yz
	i.xy = q.xz*q.yz - q.xy*q.zz
	i.xz = q.xy*q.yz - q.xz*q.yy
	det := q.xx*i.xx + q.xy*i.xy + q.xz*i.xz
	if !(det > 0) {
		return i, false
	}
	d := 1 / det
	i.xx, i.xy, i.xz = d*i.xx, d*i.xy, d*i.xz
	i.yy = d * (q.xx*q.zz - q.xz*q.xz)
	i.yz = d * (q.xy*q.xz - q.xx*q.yz)
	i.zz = d * (q.xx*q.yy - q.xy*q.xy)
	return i, true
}

func (i *inverse) times(x vec.Vec3) vec.Vec3 {
	return vec.Vec3{
		X: i.xx*x.X + i.xy*x.Y + i.xz*x.Z,
		Y: i.xy*x.X + i.yy*x.Y + i.yz*x.Z,
		Z: i.xz*x.X + i.yz*x.Y + i.zz*x.Z,
	}
}
