// Package coverage finds the triangles that cover the pixels of a picture, with fauxgl.
package coverage

import (
	"image"
	"math"
	"sync"

	"github.com/fogleman/fauxgl"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// Pass is one run of fauxgl over triangles.
//
// The picture is cut into tiles. Every tile has its own Context and goroutine, and takes
// the triangles that touch it in their order. No pixel has two writers, and no result
// depends on the number of threads. A pass says only which triangle covers which pixel;
// depth and normal are then found from the pixel's own ray, and so do not depend on the
// tiles either.
type Pass struct {
	Width, Height int             // pixels
	Part          image.Rectangle // of the picture that is wanted; empty for all
	Matrix        fauxgl.Matrix   // from the world to the clip space of the whole picture
	// Sight returns the direction, of any length, in which a point is seen.
	Sight func(p vec.Vec3) vec.Vec3
	// Layers makes every triangle count, seen from either side; otherwise
	// only the nearest one seen from the front does.
	Layers bool
	Tile   int // side of a tile in pixels; 0 for DefaultTile
}

// DefaultTile is large enough that few triangles fall into two tiles and small
// enough that a tile's buffers stay in the cache.
const DefaultTile = 256

// Draw calls emit for every pixel (x, y) that one of n triangles with the given corners
// covers, in the order of the triangles; without Layers the last call for a pixel is the nearest.
// Calls for one pixel come from one goroutine.
func (p *Pass) Draw(n int, corners func(tri int32) (a, b, c vec.Vec3), emit func(tri int32, front bool, x, y int)) {
	tile := p.Tile
	if tile == 0 {
		tile = DefaultTile
	}
	cols, rows := (p.Width+tile-1)/tile, (p.Height+tile-1)/tile
	start, list, facing := p.sort(n, corners, tile, cols, rows)
	contexts := sync.Pool{New: func() any {
		dc := fauxgl.NewContext(tile, tile)
		dc.WriteColor = false
		dc.Cull = fauxgl.CullNone // sort leaves out back faces
		if p.Layers {
			dc.ReadDepth, dc.WriteDepth = false, false
		}
		return dc
	}}
	par.Each(cols*rows, func(i int) {
		x0, y0 := i%cols*tile, i/cols*tile
		if start[i] == start[i+1] || !p.Part.Empty() && !p.Part.Overlaps(image.Rect(x0, y0, x0+tile, y0+tile)) {
			return
		}
		dc := contexts.Get().(*fauxgl.Context)
		defer contexts.Put(dc)
		dc.ClearDepthBuffer()
		s := &tileShader{size: float64(tile), matrix: p.tileMatrix(tile, x0, y0)}
		s.emit = func(x, y int) bool {
			x, y = x+x0, y+y0
			if x >= p.Width || y >= p.Height {
				return false
			}
			emit(s.tri, facing[s.tri] == front, x, y)
			return true
		}
		dc.Shader = s
		var t fauxgl.Triangle
		for _, id := range list[start[i]:start[i+1]] {
			s.tri = id
			a, b, c := corners(id)
			t.V1.Position, t.V2.Position, t.V3.Position = fauxgl.Vector(a), fauxgl.Vector(b), fauxgl.Vector(c)
			dc.DrawTriangle(&t)
		}
	})
}

// tileMatrix maps the world to the clip space of the tile whose upper left
// pixel is (x0, y0).
func (p *Pass) tileMatrix(tile, x0, y0 int) fauxgl.Matrix {
	w, h, t := float64(p.Width), float64(p.Height), float64(tile)
	zoom := fauxgl.Scale(fauxgl.Vector{X: w / t, Y: h / t, Z: 1})
	zoom = zoom.Translate(fauxgl.Vector{X: (w-float64(2*float64(x0)))/t - 1, Y: 1 - (h-float64(2*float64(y0)))/t})
	return zoom.Mul(p.Matrix)
}

// How a triangle is turned.
const (
	edgeOn uint8 = iota // covers nothing, or has no area
	front
	back
)

// sort returns the triangles of every tile, in their order: tile i has
// list[start[i]:start[i+1]]. Triangles that cannot be seen are left out.
func (p *Pass) sort(n int, corners func(tri int32) (a, b, c vec.Vec3), tile, cols, rows int) (start, list []int32, facing []uint8) {
	type rect struct{ x0, y0, x1, y1 int16 } // tiles, inclusive
	rects := make([]rect, n)
	facing = make([]uint8, n)
	w, h, t := float64(p.Width), float64(p.Height), float64(tile)
	par.For(n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			a, b, c := corners(int32(i))
			facing[i] = facingOf(b.Sub(a).Cross(c.Sub(a)), p.Sight(a))
			if facing[i] == edgeOn || facing[i] == back && !p.Layers {
				facing[i] = edgeOn
				continue
			}
			x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
			for _, q := range [3]vec.Vec3{a, b, c} {
				o := p.Matrix.MulPositionW(fauxgl.Vector(q))
				if o.Z < -o.W { // before the near plane: may be seen anywhere
					x0, y0, x1, y1 = 0, 0, w, h
					break
				}
				x, y := (o.X/o.W+1)/2*w, (1-o.Y/o.W)/2*h
				x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x), max(y1, y)
			}
			if x1 < 0 || y1 < 0 || x0 > w || y0 > h || between(x0, x1) || between(y0, y1) {
				facing[i] = edgeOn
				continue
			}
			// A pixel more on each side takes care of rounding.
			rects[i] = rect{
				int16(max(0, (x0-1)/t)), int16(max(0, (y0-1)/t)),
				int16(min(float64(cols-1), (x1+1)/t)), int16(min(float64(rows-1), (y1+1)/t)),
			}
		}
	})
	start = make([]int32, cols*rows+1)
	visit := func(f func(tile int, tri int32)) {
		for i, r := range rects {
			if facing[i] == edgeOn {
				continue
			}
			for y := int(r.y0); y <= int(r.y1); y++ {
				for x := int(r.x0); x <= int(r.x1); x++ {
					f(y*cols+x, int32(i))
				}
			}
		}
	}
	visit(func(tile int, _ int32) { start[tile+1]++ })
	for i := 1; i < len(start); i++ {
		start[i] += start[i-1]
	}
	list = make([]int32, start[len(start)-1])
	next := append([]int32(nil), start...)
	visit(func(tile int, tri int32) {
		list[next[tile]] = tri
		next[tile]++
	})
	return start, list, facing
}

// between reports whether [a, b] lies between the middles of two pixels, well beyond
// rounding errors.
func between(a, b float64) bool {
	const margin = 1e-3
	return math.Floor(b-0.5+margin) < math.Ceil(a-0.5-margin)
}

// facingOf reports which side of a triangle with the normal n, of any length, is seen
// along d. A triangle within 1e-9 rad of edge-on would be narrower than a rounding error
// in the picture.
func facingOf(n, d vec.Vec3) uint8 {
	c := n.Dot(d)
	if !(c*c > 1e-18*n.Dot(n)*d.Dot(d)) {
		return edgeOn
	}
	if c < 0 {
		return front
	}
	return back
}

// tileShader is the fauxgl.Shader of a tile. It calls emit for the pixels that the
// current triangle covers.
type tileShader struct {
	matrix fauxgl.Matrix
	size   float64 // of the tile in pixels
	tri    int32
	emit   func(x, y int) bool
}

func (s *tileShader) Vertex(v fauxgl.Vertex) fauxgl.Vertex {
	v.Output = s.matrix.MulPositionW(v.Position)
	return v
}

// Fragment finds the pixel from the clip position. A pixel outside the tile,
// which fauxgl would write into the next row, and the NaN of a sliver are
// discarded.
func (s *tileShader) Fragment(v fauxgl.Vertex) fauxgl.Color {
	x := (v.Output.X/v.Output.W + 1) / 2 * s.size
	y := (1 - v.Output.Y/v.Output.W) / 2 * s.size
	if !(x >= 0 && x < s.size && y >= 0 && y < s.size) || !s.emit(int(x), int(y)) {
		return fauxgl.Discard
	}
	return fauxgl.White
}
