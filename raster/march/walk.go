package march

import (
	"math"

	"breakwater/sim/vec"
)

// walk goes through the bricks along a ray (Amanatides and Woo 1987). Its lengths are in
// leaves: the edge of a leaf is 1.
type walk struct {
	o, d     [3]float64 // in leaves from the first brick on
	at, step [3]int
	far, gap [3]float64 // distance to the next plane of an axis, and from plane to plane
	t, end   float64    // where the walk is, and where it ends
	c        *Cloud
}

// newWalk returns a walk along the ray from o in the direction d, from t0 to t1 metres. It
// reports whether the ray meets the box of the bricks.
func (c *Cloud) newWalk(o, d vec.Vec3, t0, t1 float64) (w walk, ok bool) {
	size := Side * c.edge
	w.c, w.o, w.d = c, o.Sub(c.origin).Array(), d.Array()
	w.t, w.end = max(0, t0/size), t1/size
	for a := range w.o {
		w.o[a] = w.o[a]/size - float64(c.lo[a])
		n := float64(c.n[a])
		if w.d[a] == 0 {
			if w.o[a] < 0 || w.o[a] >= n {
				return w, false
			}
			continue
		}
		near, far := -w.o[a]/w.d[a], (n-w.o[a])/w.d[a]
		if near > far {
			near, far = far, near
		}
		w.t, w.end = max(w.t, near), min(w.end, far)
	}
	if !(w.t < w.end) {
		return w, false
	}
	for a := range w.o {
		x := w.o[a] + float64(w.t*w.d[a])
		w.at[a] = min(c.n[a]-1, max(0, int(math.Floor(x))))
		switch {
		case w.d[a] > 0:
			w.step[a], w.gap[a] = 1, 1/w.d[a]
			w.far[a] = (float64(w.at[a]+1) - w.o[a]) / w.d[a]
		case w.d[a] < 0:
			w.step[a], w.gap[a] = -1, -1/w.d[a]
			w.far[a] = (float64(w.at[a]) - w.o[a]) / w.d[a]
		default:
			w.far[a] = math.Inf(1)
		}
	}
	return w, true
}

// next returns the next brick and the part of the ray in it, or -1 at the end.
func (w *walk) next() (brick int32, from, to float64) {
	for w.t < w.end {
		p := w.c.place(w.at[0], w.at[1], w.at[2])
		a := 0
		if w.far[1] < w.far[a] {
			a = 1
		}
		if w.far[2] < w.far[a] {
			a = 2
		}
		from, to = w.t, min(w.far[a], w.end)
		w.t = max(w.t, w.far[a])
		w.far[a] += w.gap[a]
		w.at[a] += w.step[a]
		if w.at[a] < 0 || w.at[a] >= w.c.n[a] {
			w.t = w.end
		}
		if brick = w.c.index[p]; brick >= 0 && to > from {
			return brick, from, to
		}
	}
	return -1, 0, 0
}

// spot is a point between eight nodes of a brick.
type spot struct {
	i          int // the first of them
	fx, fy, fz float32
}

// spot returns the point at the distance t, in leaves, in a brick.
func (w *walk) spot(t float64, at *[3]int32) spot {
	x := float64((w.o[0]+float64(t*w.d[0])+float64(w.c.lo[0]))*Side) - float64(at[0])
	y := float64((w.o[1]+float64(t*w.d[1])+float64(w.c.lo[1]))*Side) - float64(at[1])
	z := float64((w.o[2]+float64(t*w.d[2])+float64(w.c.lo[2]))*Side) - float64(at[2])
	i, j, k := min(Side-1, max(0, int(x))), min(Side-1, max(0, int(y))), min(Side-1, max(0, int(z)))
	return spot{(i*brickSide+j)*brickSide + k, float32(x - float64(i)), float32(y - float64(j)), float32(z - float64(k))}
}

// points returns the middle of the first of the steps dt from the distance from on, and the step,
// in voxels from the first node of a brick. The last numbers are 0.
func (w *walk) points(from, dt float64, at *[3]int32) (first, step [4]float32) {
	for a := range w.o {
		first[a] = float32(float64((w.o[a]+float64((from+float64(dt/2))*w.d[a])+float64(w.c.lo[a]))*Side) - float64(at[a]))
		step[a] = float32(dt * w.d[a] * Side)
	}
	return first, step
}

const (
	strideX = brickSide * brickSide
	strideY = brickSide
)

// value returns the value of b at s, linear between the nodes.
func (s *spot) value(b *[brickNodes]float32) float32 {
	v := b[s.i : s.i+strideX+strideY+2]
	a0 := v[0] + float32(s.fz*(v[1]-v[0]))
	a1 := v[strideY] + float32(s.fz*(v[strideY+1]-v[strideY]))
	b0 := v[strideX] + float32(s.fz*(v[strideX+1]-v[strideX]))
	b1 := v[strideX+strideY] + float32(s.fz*(v[strideX+strideY+1]-v[strideX+strideY]))
	a0 += float32(s.fy * (a1 - a0))
	b0 += float32(s.fy * (b1 - b0))
	return a0 + float32(s.fx*(b0-a0))
}
