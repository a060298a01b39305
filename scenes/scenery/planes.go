package scenery

import (
	"math"

	"breakwater/raster"
	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// Plane returns how wall i is drawn if it is an endless plane. The part of it in
// the picture is a block seen from the liquid's side, and a pane of glass seen from
// behind. ok is false if it is not a plane, or is the floor itself, or is nowhere in
// the picture.
func (l *Layout) Plane(walls []boundary.Boundary, i int) (x Piece, ok bool) {
	shape, mover := body.Unwrap(walls[i])
	plane, is := shape.(*boundary.Plane)
	if !is || l.IsFloor(walls[i]) {
		return x, false
	}
	region := l.region(plane)
	face := within(region, plane)
	for j, w := range walls {
		if other, is := RestPlane(w); is && j != i {
			face = cut(face, other.Point, other.Normal.Unit(), 0)
		}
	}
	if len(face) < 3 {
		return x, false
	}
	n := plane.Normal.Unit()
	v := &raster.Vessel{Panes: &mesh.Mesh{}}
	for k, a := range face {
		v.Panes.Pos, v.Panes.Nrm = append(v.Panes.Pos, a), append(v.Panes.Nrm, n.Neg())
		b := face[(k+1)%len(face)]
		v.Edges = append(v.Edges, mesh.Edge{A: a, B: b, Out: n.Neg()})
		if k >= 2 { // the face goes round to the left about n
			v.Panes.Tri = append(v.Panes.Tri, [3]int32{0, int32(k), int32(k - 1)})
		}
	}
	block := raster.Solid{Mesh: block(region, plane), Paved: true, Material: raster.Matte.Material()}
	v.Block = &block
	return Piece{Body: mover, Vessel: v}, true
}

// within returns the part of a plane in a box, a convex polygon that goes round to
// the left about the plane's normal.
func within(b vec.Box, p *boundary.Plane) []vec.Vec3 {
	n := p.Normal.Unit()
	least := vec.New(1, 0, 0)
	if math.Abs(n.X) > 0.6 {
		least = vec.New(0, 1, 0)
	}
	u := least.Cross(n).Unit()
	v := n.Cross(u)
	at := b.Center().Sub(n.Mul(b.Center().Sub(p.Point).Dot(n)))
	far := float64(2*b.Size().Len()) + float64(2*at.Sub(b.Center()).Len())
	var face []vec.Vec3
	for _, k := range [...][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
		face = append(face, at.Add(u.Mul(far*k[0])).Add(v.Mul(far*k[1])))
	}
	slack := 1e-9 * b.Size().Len()
	for _, e := range [...]vec.Vec3{{X: 1}, {Y: 1}, {Z: 1}} {
		face = cut(cut(face, b.Min, e, slack), b.Max, e.Neg(), slack)
	}
	return face
}

// cut returns the part of a convex polygon that a plane's normal points to.
func cut(face []vec.Vec3, point, n vec.Vec3, slack float64) (rest []vec.Vec3) {
	for k, a := range face {
		b := face[(k+1)%len(face)]
		da, db := a.Sub(point).Dot(n), b.Sub(point).Dot(n)
		if da >= -slack {
			rest = append(rest, a)
		}
		if min(da, db) < -slack && max(da, db) > slack {
			rest = append(rest, a.Lerp(b, da/(da-db)))
		}
	}
	return rest
}

// block returns what lies behind a plane in a box, as a closed, outward mesh
// whose faces are flat.
func block(b vec.Box, p *boundary.Plane) *mesh.Mesh {
	n := p.Normal.Unit()
	m := &mesh.Mesh{}
	add := func(face []vec.Vec3, n vec.Vec3) {
		if len(face) < 3 {
			return
		}
		base := int32(len(m.Pos))
		for k, x := range face {
			m.Pos, m.Nrm = append(m.Pos, x), append(m.Nrm, n)
			if k >= 2 {
				m.Tri = append(m.Tri, [3]int32{base, base + int32(k) - 1, base + int32(k)})
			}
		}
	}
	add(within(b, p), n)
	for i, loop := range mesh.Faces(b) {
		add(cut(loop[:], p.Point, n.Neg(), 1e-9*b.Size().Len()), mesh.FaceNormals[i])
	}
	return m
}
