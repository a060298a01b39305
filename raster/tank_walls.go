package raster

import (
	"math"
	"slices"

	"breakwater/raster/ground"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// wallWidth is how thick a solid side of a tank is, over its longest side.
const wallWidth = 0.02

// hasPane reports whether a side is of glass.
func (t *Tank) hasPane(side int) bool { return !t.Open[side] && !t.walled[side] }

// withWalls returns v with the opaque sides of its vessels and its tank as the last of
// the solids. It also returns the number of triangles of the tank's sides, which come
// last of all. Sides that the camera sees from outside would hide the liquid, so they
// stay panes of glass. A side changes when it is seen edge-on.
func (v *View) withWalls() (out *View, sides int) {
	if len(v.Vessels) > 0 {
		w := *v
		w.Vessels, w.Solids = nil, slices.Clone(v.Solids)
		for i := range v.Vessels {
			glass, solid := v.Vessels[i].visibleParts(v.Camera.Eye)
			if glass != nil {
				w.Vessels = append(w.Vessels, *glass)
			}
			if solid != nil && len(solid.Mesh.Tri) > 0 {
				w.Solids = append(w.Solids, *solid)
			}
		}
		v = &w
	}
	if v.Tank == nil || v.Tank.Walls == nil {
		return v, 0
	}
	t := *v.Tank
	e := v.Camera.Eye
	seen := [4]bool{e.X > t.Min.X, e.X < t.Max.X, e.Z > t.Min.Z, e.Z < t.Max.Z}
	any := false
	for i := range t.walled {
		t.walled[i] = seen[i] && !t.Open[i]
		any = any || t.walled[i]
	}
	material := *t.Walls
	t.Walls = nil
	if !any {
		glass := *v
		glass.Tank = &t
		return &glass, 0
	}
	size := t.Size()
	outer := t.Box // to the outer faces
	thick := wallWidth * max(size.X, size.Y, size.Z)
	for i, side := range [4]*float64{&outer.Min.X, &outer.Max.X, &outer.Min.Z, &outer.Max.Z} {
		if t.walled[i] {
			*side += math.Copysign(thick, float64(2*(i%2)-1))
		}
	}
	s := Solid{Mesh: &mesh.Mesh{}, Material: material}
	for i := range t.walled {
		if !t.walled[i] {
			continue
		}
		slab := outer // the sides of a corner share it
		switch i {
		case 0:
			slab.Max.X = t.Min.X
		case 1:
			slab.Min.X = t.Max.X
		case 2:
			slab.Max.Z = t.Min.Z
		case 3:
			slab.Min.Z = t.Max.Z
		}
		b, base := mesh.Box(slab), int32(len(s.Mesh.Pos))
		s.Mesh.Pos, s.Mesh.Nrm = append(s.Mesh.Pos, b.Pos...), append(s.Mesh.Nrm, b.Nrm...)
		for _, k := range b.Tri {
			s.Mesh.Tri = append(s.Mesh.Tri, [3]int32{base + k[0], base + k[1], base + k[2]})
		}
	}
	for _, p := range s.Mesh.Pos {
		s.Rest = append(s.Rest, p.Sub(t.Min)) // so that grain goes along with the tank
		if t.Velocity != (vec.Vec3{}) {
			s.Mesh.Vel = append(s.Mesh.Vel, t.Velocity)
		}
	}
	w := *v
	w.Tank, w.Solids = &t, append(slices.Clone(v.Solids), s)
	return &w, len(s.Mesh.Tri)
}

// wallLights returns maps for the sunlight on the solid sides of the tank that
// the sun shines on. Their x runs level and their z up.
func (w *scene) wallLights() (list []*ground.Map) {
	if w.tank == nil {
		return nil
	}
	b := w.tank.Box
	for i, n := range [4]vec.Vec3{{X: 1}, {X: -1}, {Z: 1}, {Z: -1}} {
		if !w.tank.walled[i] || n.Dot(w.sky.ToSun) < 0.02 {
			continue
		}
		m := &ground.Map{Plane: ground.Plane{Origin: b.Min, U: vec.Vec3{Z: 1}, V: vec.Vec3{Y: 1}, Normal: n}}
		size := b.Size()
		wide := size.Z
		if i >= 2 {
			m.U, wide = vec.Vec3{X: 1}, size.X
		}
		if i%2 == 1 {
			m.Origin = b.Max
			m.Origin.Y = b.Min.Y
			m.U = m.U.Neg()
		}
		m.Cell = max(size.X, size.Z) / w.lightCells() * 2 // walls are smaller than the area that they shade
		const margin = 0.1                                // of the width to both sides, and above
		around := math.Ceil(margin * wide / m.Cell)
		m.Below = 4 // cells, the reach of blurring
		m.W, m.H = int(math.Ceil(wide/m.Cell)+float64(2*around)), int(math.Ceil(size.Y/m.Cell)+around)+m.Below
		m.X, m.Z = (0.5-around)*m.Cell, (0.5-float64(m.Below))*m.Cell
		m.Clear()
		list = append(list, m)
	}
	return list
}

// wallLight returns the map of the side of the tank that p, on a solid of the
// unit normal n, lies on; nil for none.
func (t *tracer) wallLight(tri int32, p, n vec.Vec3) *ground.Map {
	if int(tri) < t.firstWall {
		return nil
	}
	for _, m := range t.wallMaps {
		if n.Dot(m.Normal) > 0.99 && math.Abs(p.Sub(m.Origin).Dot(m.Normal)) < contactGap*t.size {
			return m
		}
	}
	return nil
}
