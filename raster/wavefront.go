package raster

import (
	"math"
	"slices"
	"sync"

	"breakwater/raster/bvh"
	"breakwater/raster/color"
)

// A wavefront is many paths that are traced together, segment by segment, so that the
// tree intersects all their rays at once (Laine, Karras and Aila 2013, Megakernels
// considered harmful). The light of one path does not depend on the others.
type wavefront struct {
	segments, next []segment   // of the current depth, and of the next
	rays           []bvh.Ray   // of segments
	hits           []bvh.Hit   // of rays
	light          []color.RGB // of the paths
	pixel          []int32     // of the paths
	prefetched     float32     // see prefetch
	fast           []bool      // of the paths: whether the object leaves a streak
	cover          []float32   // of the paths: share of the first segment that grains cover
}

// branch is a ray that goes on from a surface.
type branch struct {
	ray
	throughput color.RGB // weight of its light in the light that leaves the surface; black if there is no ray
}

// segment is a segment of a path.
type segment struct {
	branch       // with its throughput from the camera on
	path   int32 // number of the path in the wavefront
}

var wavefronts = sync.Pool{New: func() any { return &wavefront{} }}

// withWavefront calls f with an empty wavefront from the pool.
func withWavefront(f func(w *wavefront)) {
	w := wavefronts.Get().(*wavefront)
	defer wavefronts.Put(w)
	w.clear()
	f(w)
}

func (w *wavefront) clear() {
	w.segments, w.hits, w.light, w.pixel, w.cover = w.segments[:0], w.hits[:0], w.light[:0], w.pixel[:0], w.cover[:0]
	w.fast = w.fast[:0]
}

// add adds a path that begins with r, whose first hit is h.
func (w *wavefront) add(r ray, h bvh.Hit, pixel int) {
	w.segments = append(w.segments, segment{branch{r, color.New(1, 1, 1)}, int32(len(w.light))})
	w.hits = append(w.hits, h)
	w.light, w.pixel, w.cover = append(w.light, color.RGB{}), append(w.pixel, int32(pixel)), append(w.cover, 0)
}

// intersectAll finds the first hits of the segments of w.
func (t *tracer) intersectAll(w *wavefront) {
	w.rays = w.rays[:0]
	for i := range w.segments {
		w.rays = append(w.rays, bvh.Ray{O: w.segments[i].o, D: w.segments[i].d, Max: math.Inf(1), Time: w.segments[i].time})
	}
	w.hits = slices.Grow(w.hits[:0], len(w.rays))[:len(w.rays)]
	t.tree.CastAll(w.rays, w.hits)
}

// prefetch reads some data of each vertex that shading the hits needs. Its short loops
// overlap the reads from memory. The result only keeps the compiler from removing the
// reads.
func (g *geometry) prefetch(hits []bvh.Hit) (x float32) {
	last := int32(0)
	for i := range hits {
		if k := hits[i].Tri; k >= 0 {
			last ^= g.tri[k][0] ^ g.tri[k][2]
		}
	}
	x = float32(last)
	for i := range hits {
		if k := hits[i].Tri; k >= 0 {
			for _, v := range g.tri[k] {
				x += g.vertex[v].pos[0]
			}
		}
	}
	return x
}

// tracePaths computes the light of the paths of w.
func (t *tracer) tracePaths(w *wavefront) {
	for i := range w.segments {
		l := &w.segments[i]
		w.light[i], l.throughput = t.tankGlass(l.ray, min(w.hits[i].T, t.floor.Distance(l.o, l.d)))
	}
	for len(w.segments) > 0 {
		w.next, w.prefetched = w.next[:0], t.prefetch(w.hits)
		for i := range w.segments {
			l, h := &w.segments[i], w.hits[i]
			sum := &w.light[l.path]
			light, next := t.traceSegment(&l.ray, h)
			*sum = sum.Add(light.Mul(l.throughput))
			if l.depth == 0 {
				w.cover[l.path] = float32(l.cover)
			}
			for k := range next {
				b := &next[k]
				if b.throughput = b.throughput.Mul(l.throughput); b.throughput != (color.RGB{}) {
					w.next = append(w.next, segment{*b, l.path})
				}
			}
		}
		w.segments, w.next = w.next, w.segments
		t.intersectAll(w)
	}
	for i, c := range w.light {
		w.light[i] = c.Each(func(x float64) float64 { return min(x, maxSample) })
	}
}
