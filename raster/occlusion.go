package raster

import (
	"math"
	"slices"
	"sync/atomic"

	"breakwater/raster/bvh"
	"breakwater/raster/camera"
	"breakwater/raster/filter"
	"breakwater/raster/ground"
	"breakwater/sim/num"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// occluders is all opaque solids except the sides of the tank. It computes which part of
// the sky they hide, independent of the liquid.
type occluders struct {
	tree *bvh.Tree
	tri  []int32 // of the tree's triangles, their index in the scene

	first  int             // vertex of the solids
	pos    []vec.Vec3      // of the vertices of the solids, raised off them
	normal []vec.Vec3      // of the vertices
	cached []atomic.Uint32 // per vertex, the bits of its occlusion as float32, plus 1; 0 if it is not yet known
}

// newOccluders returns the occluders of w, nil if nothing blocks light.
func newOccluders(w *scene) *occluders {
	s := &occluders{}
	var faces [][3]int32
	for tri := w.liquid; tri < w.firstWall; tri++ {
		if w.blocksLight(int32(tri)) {
			s.tri = append(s.tri, int32(tri))
			faces = append(faces, w.tri[tri])
		}
	}
	if len(faces) == 0 {
		return nil
	}
	s.tree = bvh.New(w.pos, faces)
	s.first = w.liquidVertices
	s.pos, s.normal = slices.Clone(w.pos[s.first:][:w.solidVertices]), make([]vec.Vec3, w.solidVertices)
	s.cached = make([]atomic.Uint32, w.solidVertices)
	for tri := w.liquid; tri < w.firstWall; tri++ { // without normals
		a, b, c := w.corners(int32(tri))
		n := b.Sub(a).Cross(c.Sub(a))
		for _, v := range w.tri[tri] {
			s.normal[int(v)-s.first] = s.normal[int(v)-s.first].Add(n)
		}
	}
	for i := range s.normal {
		if n := widen(&w.vertex[s.first+i].nrm); n != (vec.Vec3{}) {
			s.normal[i] = n
		}
		s.normal[i] = s.normal[i].Unit()
		s.pos[i] = s.pos[i].Add(s.normal[i].Mul(4 * w.epsilon))
	}
	return s
}

// occlusion returns the part of the sky that is hidden from a solid by solids, at the
// weights (u, v) of its triangle t. It is computed at the vertices, in the middle of the
// exposure.
func (s *occluders) occlusion(t [3]int32, u, v float64) float64 {
	return float64((1-u-v)*s.vertexOcclusion(t[0])) + float64(u*s.vertexOcclusion(t[1])) + float64(v*s.vertexOcclusion(t[2]))
}

// vertexOcclusion is occlusion at a vertex. It depends on the vertex alone, so it does not
// matter which goroutine asks first.
func (s *occluders) vertexOcclusion(v int32) float64 {
	i := int(v) - s.first
	if bits := s.cached[i].Load(); bits > 0 {
		return float64(math.Float32frombits(bits - 1))
	}
	n := s.normal[i]
	x := camera.Up(n).Cross(n).Unit()
	z := n.Cross(x)
	var rays [vertexRays]bvh.Ray
	var hits [vertexRays]bvh.Hit
	for k, d := range vertexDirections {
		rays[k] = bvh.Ray{O: s.pos[i], D: x.Mul(d.X).Add(n.Mul(d.Y)).Add(z.Mul(d.Z)), Max: math.Inf(1)}
	}
	s.tree.CastAll(rays[:], hits[:])
	share := float32(0)
	for _, h := range hits {
		if h.Tri >= 0 {
			share += 1. / vertexRays
		}
	}
	s.cached[i].Store(math.Float32bits(share) + 1)
	return float64(share)
}

// cast returns the first solid that a ray meets before tmax.
func (s *occluders) cast(o, d vec.Vec3, tmax float64) bvh.Hit {
	if s == nil {
		return bvh.Hit{T: tmax, Tri: -1}
	}
	h := s.tree.Cast(o, d, tmax)
	if h.Tri >= 0 {
		h.Tri = s.tri[h.Tri]
	}
	return h
}

const (
	occlusionPoints = 64 // along the longer side of the floor that is lit
	occlusionRays   = 48 // from each point
	vertexRays      = 32 // from each vertex of a solid
)

var floorDirections, vertexDirections = spiral(occlusionRays), spiral(vertexRays)

// spiral returns n directions in which a level surface sees its sky, with even
// shares of the irradiance of an even sky (Malley 1988), along a golden spiral.
func spiral(n int) []vec.Vec3 {
	d := make([]vec.Vec3, n)
	for i := range d {
		s := (float64(i) + 0.5) / float64(n)
		sin, cos := math.Sincos(2.399963 * float64(i))
		r := math.Sqrt(s)
		d[i] = vec.Vec3{X: r * cos, Y: math.Sqrt(1 - s), Z: r * sin}
	}
	return d
}

// floorOcclusion returns for each cell of m the share of an even sky that s hides from the
// floor there. It is worked out at points some cells apart, between which it
// hardly changes, and ends gradually at the border of m.
func (s *occluders) floorOcclusion(m *ground.Map, near float64) []float64 {
	hidden := make([]float64, m.W*m.H)
	if s == nil {
		return hidden
	}
	step := max(1, (max(m.W, m.H)+occlusionPoints-1)/occlusionPoints)
	w, h := (m.W+step-2)/step+1, (m.H+step-2)/step+1 // the last at or beyond the border
	point := make([]float64, w*h)
	par.Each(h, func(j int) {
		var rays [occlusionRays]bvh.Ray
		var hits [occlusionRays]bvh.Hit
		for i := range w {
			at := m.Point(i*step, j*step).Add(m.Normal.Mul(near))
			for k, d := range floorDirections {
				rays[k] = bvh.Ray{O: at, D: d, Max: math.Inf(1)}
			}
			s.tree.CastAll(rays[:], hits[:])
			for _, hit := range hits {
				if hit.Tri >= 0 {
					point[j*w+i] += 1. / occlusionRays
				}
			}
		}
	})
	filter.Blur(point, w, h, 0.7, 0)
	border := 0.15 * float64(min(m.W, m.H)) // cells
	par.Each(m.H, func(y int) {
		j, v := y/step, float64(y%step)/float64(step)
		for x := range m.W {
			i, u := x/step, float64(x%step)/float64(step)
			right, below := min(i+1, w-1), min(j+1, h-1)
			a := float64(point[j*w+i]*(1-u)) + float64(point[j*w+right]*u)
			b := float64(point[below*w+i]*(1-u)) + float64(point[below*w+right]*u)
			inside := float64(min(x, y, m.W-1-x, m.H-1-y))
			hidden[y*m.W+x] = (float64(a*(1-v)) + float64(b*v)) * num.Smoothstep(0, border, inside)
		}
	})
	return hidden
}
