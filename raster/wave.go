package raster

import (
	"math"
	"slices"
	"sync"

	"breakwater/raster/bvh"
)

// A wave is many rays that are followed together, surface by surface, so that
// the tree casts them all at once (wavefront tracing, Laine, Karras and Aila 2013).
// The light along one ray from the eye does not depend on the others.
type wave struct {
	legs, next []leg
	rays       []bvh.Ray // of legs
	hits       []bvh.Hit
	sums       []rgb   // the light along the rays from the eye
	pixel      []int32 // of the rays
	read       float32 // by fetch
	fast       []bool  // of pixel: its object leaves a streak
}

// branch is a ray that goes on from a surface.
type branch struct {
	ray
	share rgb // weight of its light in the light that leaves the surface; black without a ray
}

// leg is a piece of a path.
type leg struct {
	branch       // with its share of the light along the ray from the eye
	of     int32 // number of that
}

var waves = sync.Pool{New: func() any { return &wave{} }}

// ripple calls f with a wave that no one else has, and is empty.
func ripple(f func(w *wave)) {
	w := waves.Get().(*wave)
	defer waves.Put(w)
	w.clear()
	f(w)
}

func (w *wave) clear() {
	w.legs, w.hits, w.sums, w.pixel = w.legs[:0], w.hits[:0], w.sums[:0], w.pixel[:0]
}

// add adds a ray from the eye, which meets h first.
func (w *wave) add(r ray, h bvh.Hit, pixel int) {
	w.legs = append(w.legs, leg{branch{r, rgb{1, 1, 1}}, int32(len(w.sums))})
	w.hits = append(w.hits, h)
	w.sums, w.pixel = append(w.sums, rgb{}), append(w.pixel, int32(pixel))
}

// cast finds the first hits of the rays of w.
func (t *tracer) cast(w *wave) {
	w.rays = w.rays[:0]
	for i := range w.legs {
		w.rays = append(w.rays, bvh.Ray{O: w.legs[i].o, D: w.legs[i].d, Max: math.Inf(1), When: w.legs[i].when})
	}
	w.hits = slices.Grow(w.hits[:0], len(w.rays))[:len(w.rays)]
	t.tree.CastAll(w.rays, w.hits)
}

// fetch reads some data of each vertex that shading the hits needs, in short loops whose
// reads wait for memory all together. The result only keeps the compiler from removing
// the reads.
func (g *geometry) fetch(hits []bvh.Hit) (x float32) {
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

// eyes finds the light along the rays of w from the eye.
func (t *tracer) eyes(w *wave) {
	for i := range w.legs {
		l := &w.legs[i]
		w.sums[i], l.share = t.throughTank(l.ray, min(w.hits[i].T, t.floor.distance(l.o, l.d)))
	}
	for len(w.legs) > 0 {
		w.next, w.read = w.next[:0], t.fetch(w.hits)
		for i := range w.legs {
			l, h := &w.legs[i], w.hits[i]
			sum := &w.sums[l.of]
			if t.split == nil || t.kind(h.Tri) != liquid || t.floor.distance(l.o, l.d) <= h.T+t.near {
				*sum = sum.add(t.follow(l.ray, h).mul(l.share))
				continue
			}
			own, on := t.split(l.ray, h)
			*sum = sum.add(own.mul(l.share))
			for _, b := range on {
				if b.share = b.share.mul(l.share); b.share != (rgb{}) {
					w.next = append(w.next, leg{b, l.of})
				}
			}
		}
		w.legs, w.next = w.next, w.legs
		t.cast(w)
	}
	for i, c := range w.sums {
		w.sums[i] = c.each(func(x float64) float64 { return min(x, brightest) })
	}
}
