package raster

import (
	"math"
	"sync/atomic"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// movingTiles are the tiles of a picture in which something moves by more than stillLimit
// while the shutter is open.
type movingTiles struct {
	cols int
	tile []atomic.Bool // nil if nothing moves
}

const (
	movingTile = 4   // px, side of a tile
	stillLimit = 0.5 // px
)

// at reports whether something moves at a pixel.
func (m *movingTiles) at(x, y int) bool {
	return m.tile != nil && m.tile[y/movingTile*m.cols+x/movingTile].Load()
}

// movingTiles finds where triangles move, whether or not others hide them. Bars move with
// the tank, of which all panes mirror.
func (t *tracer) movingTiles() *movingTiles {
	m := &movingTiles{}
	if t.motion == nil {
		return m
	}
	w, h := int(t.lens.Width), int(t.lens.Height)
	m.cols = (w + movingTile - 1) / movingTile
	m.tile = make([]atomic.Bool, m.cols*((h+movingTile-1)/movingTile))
	f := t.frame()
	at := func(p vec.Vec3) (x, y float64) {
		p = p.Sub(t.lens.Eye)
		ahead := p.Dot(f.Ahead)
		if ahead <= t.epsilon { // beside or behind the eye: anywhere
			return math.NaN(), 0
		}
		return f.X.Dot(p) / ahead, f.Y.Dot(p) / ahead
	}
	n := t.liquid + t.solids
	par.For(n, func(lo, hi int) {
		for _, tri := range t.tri[lo:hi] {
			x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
			moves := false
			for _, v := range tri {
				by := t.motion.velocity[v].Mul(t.view.Shutter / 2)
				if by == (vec.Vec3{}) {
					x, y := at(t.motion.middle[v])
					x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x), max(y1, y)
					continue
				}
				a, b := at(t.motion.middle[v].Sub(by))
				c, d := at(t.motion.middle[v].Add(by))
				x0, y0, x1, y1 = min(x0, a, c), min(y0, b, d), max(x1, a, c), max(y1, b, d)
				moves = moves || !(max(math.Abs(a-c), math.Abs(b-d)) <= stillLimit)
			}
			if moves {
				m.mark(x0, y0, x1, y1, w, h)
			}
		}
	})
	for _, u := range t.barVel {
		if u != (vec.Vec3{}) {
			m.mark(0, 0, float64(w), float64(h), w, h)
			break
		}
	}
	return m
}

// mark marks the tiles of a box, and of the pixels about it. A box with a NaN is everywhere.
func (m *movingTiles) mark(x0, y0, x1, y1 float64, w, h int) {
	if !(x0-x1 <= 0 && y0-y1 <= 0) {
		x0, y0, x1, y1 = 0, 0, float64(w), float64(h)
	}
	left, right := int(max(0, x0-1)), int(min(float64(w-1), x1+1))
	for y := int(max(0, y0-1)) / movingTile; y <= int(min(float64(h-1), y1+1))/movingTile; y++ {
		for x := left / movingTile; x <= right/movingTile && right >= left; x++ {
			if tile := &m.tile[y*m.cols+x]; !tile.Load() {
				tile.Store(true)
			}
		}
	}
}
