package grains

import (
	"math"
	"slices"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// Frame is the picture that a pinhole camera takes. A point in the direction d from the eye
// has the pixel coordinates X·d / Ahead·d and Y·d / Ahead·d.
type Frame struct {
	X, Y, Ahead   vec.Vec3 // Ahead is of unit length
	Width, Height int      // px
}

// tileSide is the side of a tile of a frame, px: large enough that most grains are in few
// tiles, and small enough that most grains of a tile are near each of its rays.
const tileSide = 4

// sighting has the grains of a cloud by the tiles of a frame that see them, so that a ray
// from the eye needs no walk through the cells.
type sighting struct {
	*Frame
	eye        vec.Vec3
	cols, rows int     // tiles
	start      []int32 // of the tiles: first of list
	list       []int32 // numbers in near, ascending in each tile
	near       []near
	from, to   []float32 // of the tiles: the distances from the eye between which there are blocks
}

// near is a grain as the frame sees it: no more than a strip about a line. Grains are in the
// order of from.
type near struct {
	from   float32 // lower bound for the distance from the eye at which it is seen, m
	i      int32   // number of the grain
	x, y   float32 // middle of the line, px
	dx, dy float32 // from its begin to its end, px
	per    float32 // 1 over the square of its length; 0 for a point
	half2  float32 // square of half the width of the strip, px²
}

// misses reports whether a ray through the point (x, y) of the frame is far from the grain.
func (a *near) misses(x, y float32) bool {
	px, py := x-a.x, y-a.y
	along := min(0.5, max(-0.5, (float32(px*a.dx)+float32(py*a.dy))*a.per))
	px, py = px-float32(along*a.dx), py-float32(along*a.dy)
	return float32(px*px)+float32(py*py) > a.half2
}

// tileRow are the tiles from lo to hi, both included, of a row.
type tileRow struct {
	from        int32 // number in near
	row, lo, hi int16
}

// newSighting returns the sighting of a list of grains, which are in g.
func newSighting(v *View, list []grain, g *grid) *sighting {
	s := &sighting{Frame: v.Frame, eye: v.Eye}
	s.cols, s.rows = (s.Width+tileSide-1)/tileSide, (s.Height+tileSide-1)/tileSide
	s.bound(g)
	order := make([]uint64, 0, len(list))
	for i := range list {
		a := &list[i]
		if a.reach < 0 {
			continue
		}
		from := float32(max(0, a.x.Sub(v.Eye).Len()-float64(a.way.Len()/2)-a.reach))
		order = append(order, uint64(math.Float32bits(from))<<32|uint64(i))
	}
	slices.Sort(order)
	s.near = make([]near, len(order))
	spans := make([][]tileRow, (len(order)+255)/256)
	par.For(len(order), func(lo, hi int) {
		var spanned []tileRow
		ends := make([][2]int16, s.rows)
		for r := range ends {
			ends[r] = unseenRow
		}
		for k := lo; k < hi; k++ {
			i := int32(uint32(order[k]))
			n := &s.near[k]
			n.from, n.i = math.Float32frombits(uint32(order[k]>>32)), i
			spanned = s.span(&list[i], v.Spread, int32(k), ends, spanned)
		}
		spans[lo/256] = spanned
	})
	s.start = make([]int32, s.cols*s.rows+1)
	for _, list := range spans {
		for _, r := range list {
			for x := int(r.lo); x <= int(r.hi); x++ {
				s.start[int(r.row)*s.cols+x+1]++
			}
		}
	}
	for i := range s.cols * s.rows {
		s.start[i+1] += s.start[i]
	}
	s.list = make([]int32, s.start[s.cols*s.rows])
	next := slices.Clone(s.start[:s.cols*s.rows])
	for _, list := range spans {
		for _, r := range list {
			for x := int(r.lo); x <= int(r.hi); x++ {
				at := int(r.row)*s.cols + x
				s.list[next[at]] = r.from
				next[at]++
			}
		}
	}
	return s
}

// unseenRow is the extent of a grain in a row that it is not in.
var unseenRow = [2]int16{math.MaxInt16, -1}

// span appends the tiles whose rays may meet a, and fills in the strip of its number k in
// near. ends has unseenRow for all rows, before and after.
func (s *sighting) span(a *grain, spread float64, k int32, ends [][2]int16, list []tileRow) []tileRow {
	x := a.x.Sub(s.eye)
	// As large as gathering draws it, at the farthest place on its way.
	width := float64(spread * (x.Len() + a.way.Len()))
	reach := min(a.reach, max(a.r+width, float64(wide*width)))
	lo, hi := x.Sub(a.way.Mul(0.5)), x.Add(a.way.Mul(0.5))
	if max(lo.Dot(s.Ahead), hi.Dot(s.Ahead)) < -reach {
		return list
	}
	top, bottom := s.rows, -1
	// Piece by piece, each about as long as a tile.
	u0, u1, v0, v1 := s.box(lo, reach)
	u2, u3, v2, v3 := s.box(hi, reach)
	s.near[k].narrow(u0, u1, u2, u3, v0, v1, v2, v3, lo.Unit().Dot(s.Ahead), hi.Unit().Dot(s.Ahead))
	n := 1
	if long := max(math.Abs(u1-u3), math.Abs(v1-v3)); long < mostPieces {
		n += int(long)
	}
	for p := range n {
		if n > 1 {
			u2, u3, v2, v3 = s.box(lo.Lerp(hi, float64(p+1)/float64(n)), reach)
		}
		left, right := within(min(u0, u2), max(u1, u3), s.cols)
		upper, lower := within(min(v0, v2), max(v1, v3), s.rows)
		if left <= right && upper <= lower {
			for r := upper; r <= lower; r++ {
				ends[r][0], ends[r][1] = min(ends[r][0], int16(left)), max(ends[r][1], int16(right))
			}
			top, bottom = min(top, upper), max(bottom, lower)
		}
		u0, u1, v0, v1 = u2, u3, v2, v3
	}
	for r := top; r <= bottom; r++ {
		list = append(list, tileRow{k, int16(r), ends[r][0], ends[r][1]})
		ends[r] = unseenRow
	}
	return list
}

// narrow fills in the strip of a ball that goes from one box to another, in tiles, and is seen
// at angles of given cosines from straight ahead.
func (a *near) narrow(u0, u1, u2, u3, v0, v1, v2, v3, cos0, cos1 float64) {
	// A ball is seen as an ellipse, whose axes are in the ratio of the cosine but for balls about as
	// far as they are large.
	half := func(u, v, cos float64) float64 { return (float64(u*u) + float64(v*v)) / (1 + float64(cos*cos)) }
	const room = 1.05
	half2 := tileSide * tileSide / 4 * room * max(half(u1-u0, v1-v0, cos0), half(u3-u2, v3-v2, cos1))
	if !(half2 < wholeStrips) {
		a.half2 = math.MaxFloat32
		return
	}
	a.x, a.y = float32((u0+u1+u2+u3)*tileSide/4), float32((v0+v1+v2+v3)*tileSide/4)
	dx, dy := (u2+u3-u0-u1)*tileSide/2, (v2+v3-v0-v1)*tileSide/2
	a.dx, a.dy, a.half2 = float32(dx), float32(dy), float32(half2)
	if long2 := float64(dx*dx) + float64(dy*dy); long2 > 0 {
		a.per = float32(1 / long2)
	}
}

// wholeStrips is the square of half the width of strips, px², from which on they count as all of
// the frame.
const wholeStrips = 64 * 64

// mostPieces is how many pieces a way that is in more tiles is not worth to be cut into.
const mostPieces = 64

// within returns the first and the last of n tiles that an extent reaches into; the last is
// before the first for none.
func within(lo, hi float64, n int) (first, last int) {
	return int(min(float64(n), max(0, math.Floor(lo)))), int(max(-1, min(float64(n-1), math.Floor(hi))))
}

// box returns the tiles that the ball of a radius about x from the eye is seen in: columns
// from u0 to u1 and rows from v0 to v1. They may lie outside the frame.
func (s *sighting) box(x vec.Vec3, radius float64) (u0, u1, v0, v1 float64) {
	u0, u1 = s.extent(x, s.X, radius)
	v0, v1 = s.extent(x, s.Y, radius)
	return u0, u1, v0, v1
}

// extent returns the extent of a ball along one coordinate of the frame, in tiles, with
// some room for rounding. The plane through the eye of the points of the coordinate u has
// the normal axis − u Ahead, and touches the ball where
//
//	((axis − u Ahead)·x)² = radius² |axis − u Ahead|²
func (s *sighting) extent(x, axis vec.Vec3, radius float64) (lo, hi float64) {
	const room = 0.01
	r2, ax, fx, af := float64(radius*radius), axis.Dot(x), s.Ahead.Dot(x), axis.Dot(s.Ahead)
	a2 := axis.Dot(axis)
	bottom := float64(fx*fx) - r2
	if bottom <= 0 || fx <= 0 { // beside or around the eye
		return math.Inf(-1), math.Inf(1)
	}
	middle := float64(ax*fx) - float64(r2*af)
	half := float64(radius * math.Sqrt(max(0, float64(a2*fx*fx)-float64(2*af*ax*fx)+float64(ax*ax)-float64(r2*(a2-float64(af*af))))))
	const scale = 1. / tileSide
	return float64((middle-half)/bottom*scale) - room, float64((middle+half)/bottom*scale) + room
}

// bound fills in the distances between which the tiles see blocks of g.
func (s *sighting) bound(g *grid) {
	s.from, s.to = make([]float32, s.cols*s.rows), make([]float32, s.cols*s.rows)
	for i := range s.from {
		s.from[i] = math.MaxFloat32
	}
	size := side * g.cell
	for _, p := range g.place {
		low := vec.Vec3{X: float64(p[0]), Y: float64(p[1]), Z: float64(p[2])}.Mul(size).Sub(s.eye)
		half := vec.Vec3{X: size / 2, Y: size / 2, Z: size / 2}
		middle := low.Add(half)
		u0, u1, v0, v1 := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
		for _, c := range (vec.Box{Min: low, Max: low.Add(vec.Vec3{X: size, Y: size, Z: size})}).Corners() {
			a, b, x, y := s.box(c, 0)
			u0, u1, v0, v1 = min(u0, a), max(u1, b), min(v0, x), max(v1, y)
		}
		near, far := float32(middle.Len()-half.Len()), float32(middle.Len()+half.Len())
		left, right := within(u0, u1, s.cols)
		upper, lower := within(v0, v1, s.rows)
		for y := upper; y <= lower; y++ {
			for x := left; x <= right; x++ {
				at := y*s.cols + x
				s.from[at], s.to[at] = min(s.from[at], near), max(s.to[at], far)
			}
		}
	}
}

// at returns the point of the frame that a ray along d from the eye goes through. d is not across
// the frame's axis.
func (s *sighting) at(d vec.Vec3) (x, y float64) {
	ahead := 1 / s.Ahead.Dot(d)
	return s.X.Dot(d) * ahead, s.Y.Dot(d) * ahead
}

// tile returns the grains that a ray through the point (x, y) may meet, and the distances
// between which there is anything on it.
func (s *sighting) tile(x, y float64) (list []int32, from, to float64) {
	// At the edge of the frame a ray may be rounded out.
	u := min(s.cols-1, max(0, int(x/tileSide)))
	v := min(s.rows-1, max(0, int(y/tileSide)))
	at := v*s.cols + u
	return s.list[s.start[at]:s.start[at+1]], float64(s.from[at]), float64(s.to[at])
}
