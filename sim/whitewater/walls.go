package whitewater

import (
	"errors"
	"math"
	"slices"

	"breakwater/sim/boundary"
	"breakwater/sim/par"
	"breakwater/sim/particle"
	"breakwater/sim/vec"
)

// walls keep parcels out of walls and bodies.
type walls struct {
	still, moving []Wall
	place         func(t float64, free []particle.Body) error
	prev, next    Frame
	free          []particle.Body

	known map[blockKey]*[blockNodes]float32 // shares of walls that stand still; nil where no wall is near
	keys  []blockKey
	total []*[blockNodes]float32
}

// rough is a wall that knows a fast test, as boundary.Rough.
type rough interface {
	Beyond(x vec.Vec3, d float64) bool
}

func (w *walls) init(s *Scene) {
	*w = walls{still: s.Walls, moving: s.Bodies, place: s.Place, known: map[blockKey]*[blockNodes]float32{}}
}

// between prepares to place the bodies between two frames.
func (w *walls) between(prev, next Frame) { w.prev, w.next = prev, next }

// move puts the bodies where they are at the share s of the time between the frames.
func (w *walls) move(s float64) error {
	if len(w.moving) == 0 {
		return nil
	}
	dt := w.next.Time - w.prev.Time
	a, b := w.prev.Bodies, w.next.Bodies
	if len(a) != len(b) {
		return errors.New("whitewater: two frames have different numbers of free bodies")
	}
	w.free = w.free[:0]
	for i := range a {
		w.free = append(w.free, bodyBetween(a[i], b[i], s, dt))
	}
	return w.place(w.prev.Time+float64(s*dt), w.free)
}

// bodyBetween returns a body at the share s of the time dt between a and b.
func bodyBetween(a, b particle.Body, s, dt float64) particle.Body {
	if s == 1 {
		return b
	}
	s2, s3 := float64(s*s), float64(s*s*s)
	q := b.Turn
	if float64(a.Turn.W*q.W)+float64(a.Turn.X*q.X)+float64(a.Turn.Y*q.Y)+float64(a.Turn.Z*q.Z) < 0 {
		q = vec.Quat{W: -q.W, X: -q.X, Y: -q.Y, Z: -q.Z} // the shorter way
	}
	return particle.Body{
		X: a.X.Lerp(b.X, float64(3*s2)-float64(2*s3)).Add(a.V.Mul(float64((s - float64(2*s2) + s3) * dt))).Add(b.V.Mul(float64((s3 - s2) * dt))),
		V: a.V.Lerp(b.V, s),
		Turn: vec.Quat{
			W: a.Turn.W + float64(s*(q.W-a.Turn.W)), X: a.Turn.X + float64(s*(q.X-a.Turn.X)),
			Y: a.Turn.Y + float64(s*(q.Y-a.Turn.Y)), Z: a.Turn.Z + float64(s*(q.Z-a.Turn.Z)),
		}.Unit(),
		Spin: a.Spin.Lerp(b.Spin, s),
	}
}

// nearer reports whether wall may be nearer to x than d.
func nearer(wall Wall, x vec.Vec3, d float64) bool {
	if r, ok := wall.(rough); ok && r.Beyond(x, d) {
		return false
	}
	at, _ := wall.Dist(x)
	return at < d
}

// Free returns the distance of x from the nearest of some walls, at most far, and the unit normal of
// this wall. It is 0 in a wall.
func Free[W Wall](walls []W, x vec.Vec3, far float64) (d float64, n vec.Vec3) {
	d = far
	for _, wall := range walls {
		if r, ok := any(wall).(rough); ok && r.Beyond(x, d) {
			continue
		}
		if dw, nw := wall.Dist(x); dw < d {
			d, n = max(0, dw), nw
		}
	}
	return d, n
}

// within reports whether any wall is nearer to x than d.
func (w *walls) within(x vec.Vec3, d float64) bool {
	for _, list := range [2][]Wall{w.still, w.moving} {
		for _, wall := range list {
			if nearer(wall, x, d) {
				return true
			}
		}
	}
	return false
}

// near appends the walls that may be nearer to x than d.
func (w *walls) near(dst []Wall, x vec.Vec3, d float64) []Wall {
	for _, list := range [2][]Wall{w.still, w.moving} {
		for _, wall := range list {
			if nearer(wall, x, d) {
				dst = append(dst, wall)
			}
		}
	}
	return dst
}

// cover finds what share of the spline at each node of the blocks lies in walls.
func (w *walls) cover(keys []blockKey, edge float64) {
	if len(w.still)+len(w.moving) == 0 {
		return
	}
	var missing []blockKey
	for _, k := range keys {
		if _, ok := w.known[k]; !ok {
			missing = append(missing, k)
		}
	}
	found := make([]*[blockNodes]float32, len(missing))
	par.Each(len(missing), func(i int) { found[i] = shares(w.still, missing[i], edge) })
	for i, k := range missing {
		w.known[k] = found[i]
	}
	w.keys, w.total = keys, par.Resize(w.total, len(keys))
	for b, k := range keys {
		w.total[b] = w.known[k]
	}
	if len(w.moving) == 0 {
		return
	}
	par.Each(len(keys), func(b int) {
		m := shares(w.moving, keys[b], edge)
		if s := w.total[b]; m != nil && s != nil {
			for i := range m {
				m[i] = min(1, m[i]+s[i])
			}
		}
		if m != nil {
			w.total[b] = m
		}
	})
}

// solid returns the shares of block number b of the last cover, or nil.
func (w *walls) solid(b int) *[blockNodes]float32 {
	if len(w.still)+len(w.moving) == 0 {
		return nil
	}
	return w.total[b]
}

// blockRadius is half the diagonal of the nodes that the shares of a block depend on, in
// cells.
var blockRadius = math.Sqrt(3) * (blockEdge/2 + 1.5)

// shareSide is how many nodes on a side the shares of a block depend on, and shareCube a power of two
// that is no less.
const (
	shareSide = blockSide + 2
	shareCube = 16
)

// fill adds to in the shares of the cells about nodes that lie in the wall, and reports whether any
// cell does. It does so for the cube of n³ nodes that begins at node (x, y, z), where n is a power of
// two, as far as there are nodes. The point corner is node (1, 1, 1). All nodes of a cube are within
// half its diagonal of its middle, whose distance may show that all are in the wall, or none.
func fill(in *[shareSide * shareSide * shareSide]float32, wall Wall, corner vec.Vec3, edge float64, x, y, z, n int) (some bool) {
	at := func(x, y, z float64) vec.Vec3 { return corner.Add(vec.New(x-1, y-1, z-1).Mul(edge)) }
	if n == 1 {
		d, _ := wall.Dist(at(float64(x), float64(y), float64(z)))
		full := float32(min(1, max(0, 0.5-d/edge)))
		if full == 0 {
			return false
		}
		q := &in[(z*shareSide+y)*shareSide+x]
		*q = min(1, *q+full)
		return true
	}
	half := float64(float64(n-1) / 2)
	d, _ := wall.Dist(at(float64(x)+half, float64(y)+half, float64(z)+half))
	const margin = 1e-6 // for rounding
	reach := float64(math.Sqrt(3)*half) + 0.5 + margin
	if d >= reach*edge {
		return false
	}
	if d <= -reach*edge {
		for k := z; k < min(z+n, shareSide); k++ {
			for j := y; j < min(y+n, shareSide); j++ {
				for i := x; i < min(x+n, shareSide); i++ {
					in[(k*shareSide+j)*shareSide+i] = 1
				}
			}
		}
		return true
	}
	step := n / 2
	for k := z; k < min(z+n, shareSide); k += step {
		for j := y; j < min(y+n, shareSide); j += step {
			for i := x; i < min(x+n, shareSide); i += step {
				some = fill(in, wall, corner, edge, i, j, k, step) || some
			}
		}
	}
	return some
}

// shares returns the share of the quadratic B-spline at each node of a block that lies in
// walls, or nil if none does. A cell about a node is in a wall as far as the distance at
// the node says.
func shares(list []Wall, key blockKey, edge float64) *[blockNodes]float32 {
	bx, by, bz := key.coords()
	corner := vec.New(float64(bx), float64(by), float64(bz)).Mul(blockEdge * edge)
	middle := corner.Add(vec.New(1, 1, 1).Mul(blockEdge / 2 * edge))
	const side = shareSide
	var in [side * side * side]float32
	some := false
	for _, wall := range list {
		if nearer(wall, middle, (blockRadius+0.5)*edge) {
			some = fill(&in, wall, corner, edge, 0, 0, 0, shareCube) || some
		}
	}
	if !some {
		return nil
	}
	// The integrals of the spline over the cells of three nodes are 1/6, 4/6 and 1/6.
	along := func(step int) {
		var out [side * side * side]float32
		for i := step; i < len(in)-step; i++ {
			out[i] = (in[i-step] + float32(4*in[i]) + in[i+step]) / 6
		}
		in = out
	}
	along(1)
	along(side)
	along(side * side)
	out := new([blockNodes]float32)
	for z := range blockSide {
		for y := range blockSide {
			for x := range blockSide {
				out[(z*blockSide+y)*blockSide+x] = in[((z+1)*side+y+1)*side+x+1]
			}
		}
	}
	return out
}

// nearby are the walls about the block of the last parcel.
type nearby struct {
	key   blockKey
	valid bool
	reach float64 // how far from the block they were looked for, m
	list  []Wall

	block, inverse float64 // edge of the block, m, and 1 over it
}

// about returns the walls that may be within reach of a point of the block of x.
func (w *walls) about(n *nearby, x vec.Vec3, block, reach float64) []Wall {
	if len(w.still)+len(w.moving) == 0 {
		return nil
	}
	if block != n.block {
		n.block, n.inverse = block, 1/block
	}
	q := x.Mul(n.inverse)
	bx, by, bz := floorInt(q.X), floorInt(q.Y), floorInt(q.Z)
	k, _ := keyOf(bx, by, bz)
	if !n.valid || n.key != k || reach > n.reach {
		n.key, n.valid = k, true
		n.reach = max(float64(1.5*reach), float64(block/blockEdge)) // more than is asked for, as the next may reach farther
		middle := vec.New(float64(bx)+0.5, float64(by)+0.5, float64(bz)+0.5).Mul(block)
		n.list = w.near(n.list[:0], middle, n.reach+float64(block*math.Sqrt(3)/2))
	}
	return n.list
}

// touch is where a parcel met a wall.
type touch struct {
	hit bool
	n   vec.Vec3 // unit normal of the wall, into the liquid
	v   vec.Vec3 // velocity of the wall, m/s
}

// thinnest is the thickness of walls that sweep is sure to find, m.
const thinnest = 1e-3

// clearance returns the distance of x from the nearest of the walls, with its normal.
func clearance(list []Wall, x vec.Vec3) (d float64, n vec.Vec3, nearest Wall) {
	d = math.Inf(1)
	for _, wall := range list {
		if dw, nw := wall.Dist(x); dw < d {
			d, n, nearest = dw, nw, wall
		}
	}
	return d, n, nearest
}

// outOf moves a ball of radius r at x out of the walls, which takes more than one push in a
// corner. It returns its distance then, and the last wall that it touched.
func outOf(list []Wall, x vec.Vec3, r float64) (at vec.Vec3, d float64, n vec.Vec3, hit touch) {
	for try := 0; ; try++ {
		d, n, wall := clearance(list, x)
		if d >= r*(15./16) || try == 6 {
			return x, d, n, hit
		}
		x = x.Add(n.Mul(r - d))
		hit = touch{true, n, wall.Vel(x)}
	}
}

// sweep moves a ball of radius r from x to y. What would be in a wall then slides along it.
// It passes no wall, down to thinnest: see passes. What a wall has come over is put back
// first. It reports false for a ball that has no room.
func sweep(list []Wall, x, y vec.Vec3, r float64) (at vec.Vec3, hit touch, ok bool) {
	way := y.Sub(x).Len()
	if !slices.ContainsFunc(list, func(wall Wall) bool { return nearer(wall, y, way+r) }) {
		return y, hit, true
	}
	from, d, n, hit := outOf(list, x, r)
	if d < 0 {
		return from, hit, false
	}
	to, e, m, met := outOf(list, y.Add(from.Sub(x)), r)
	if met.hit {
		hit = met
	}
	if e >= 0 && passes(list, from, to, d, e, n, m) {
		return to, hit, true
	}
	// A wall lies between: as far as the nearest wall allows.
	length := to.Sub(from).Len()
	dir := to.Sub(from).Mul(1 / length)
	gone := 0.
	for range 16 {
		free, n, wall := clearance(list, from.Add(dir.Mul(gone)))
		hit = touch{true, n, wall.Vel(from)}
		if free-r < r/16 || gone+free-r > length {
			break
		}
		gone += free - r
	}
	return from.Add(dir.Mul(gone)), hit, true
}

// passes reports whether no wall lies between two points with the given distances to the
// nearest walls and normals of these.
func passes(list []Wall, a, b vec.Vec3, da, db float64, na, nb vec.Vec3) bool {
	if b.Sub(a).Len() <= da+db {
		return true
	}
	for _, wall := range list {
		if len(list) > 1 {
			da, na = wall.Dist(a)
			db, nb = wall.Dist(b)
		}
		if !passesOne(wall, a, b, da, db, na, nb) {
			return false
		}
	}
	return true
}

// passesOne is passes for one wall. If the distances add up to more than the way, it is not
// between the points. A convex wall, or one around a convex room, is not between them either if
// each is in front of the plane of the wall that is nearest to the other.
func passesOne(wall Wall, a, b vec.Vec3, da, db float64, na, nb vec.Vec3) bool {
	ab := b.Sub(a)
	way := ab.Len()
	if way <= da+db || way < thinnest {
		return true
	}
	if convex(wall) && da+ab.Dot(na) >= 0 && db-ab.Dot(nb) >= 0 {
		return true
	}
	m := a.Lerp(b, 0.5)
	dm, nm := wall.Dist(m)
	return dm >= 0 && passesOne(wall, a, m, da, dm, na, nm) && passesOne(wall, m, b, dm, db, nm, nb)
}

// convex reports whether a wall is surely convex, or around a convex room.
func convex(wall Wall) bool {
	switch wall.(type) {
	case *boundary.Plane, *boundary.Box, *boundary.Sphere, *boundary.Cylinder, *boundary.Capsule, *boundary.Polytope:
		return true
	}
	return false
}

// inside returns x, or the place nearest to it that is r off the walls.
func (w *walls) inside(x vec.Vec3, r float64) vec.Vec3 {
	for range 4 {
		moved := false
		for _, list := range [2][]Wall{w.still, w.moving} {
			for _, wall := range list {
				if !nearer(wall, x, r) {
					continue
				}
				d, n := wall.Dist(x)
				x = x.Add(n.Mul(r - d))
				moved = true
			}
		}
		if !moved {
			break
		}
	}
	return x
}
