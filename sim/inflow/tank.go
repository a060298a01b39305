package inflow

import (
	"math"
	"slices"

	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/kernel"
	"breakwater/sim/vec"
)

// inletTolerance is how far, in spacings, an opening may be off the side of a tank to
// lie in it.
const inletTolerance = 1e-3

// Host returns the wall in whose side the opening lies, as the number in walls, and -1
// if it stands in the tank at the end of a pipe. Such a wall is a box that holds liquid
// and does not move. Particles are d apart.
func (in *Inflow) Host(walls []boundary.Boundary, d float64) int {
	for k, wall := range walls {
		if b := hostBox(wall); b != nil && in.sideOf(b, d) >= 0 {
			return k
		}
	}
	return -1
}

// hostBox returns the box of a wall that an opening may lie in, nil if none may.
func hostBox(wall boundary.Boundary) *boundary.Box {
	shape, mover := body.Unwrap(wall)
	b, ok := shape.(*boundary.Box)
	if !ok || !b.Inside || mover != nil && (mover.Free != nil || mover.Particles || !mover.Motion.Still()) {
		return nil
	}
	return b
}

// sideOf returns the side of the tank that the opening lies in: 2a for the lower one
// along axis a and 2a+1 for the upper one, and -1 for none.
func (in *Inflow) sideOf(b *boundary.Box, d float64) int {
	lo, hi, at, dir := b.Min.Array(), b.Max.Array(), in.Position.Array(), in.Direction.Unit().Array()
	slack := float64(inletTolerance * d)
	for a := range 3 {
		var side int
		switch {
		case dir[a] > 1-1e-9 && math.Abs(at[a]-lo[a]) <= slack:
			side = 2 * a
		case dir[a] < -1+1e-9 && math.Abs(at[a]-hi[a]) <= slack:
			side = 2*a + 1
		default:
			continue
		}
		for _, open := range b.Open {
			if open == sideNames[side] {
				return -1
			}
		}
		for _, p := range in.outline() {
			for c, v := range p.Array() {
				if c != a && (v < lo[c]-slack || v > hi[c]+slack) {
					return -1
				}
			}
		}
		return side
	}
	return -1
}

// sideNames are the names of a box's sides.
var sideNames = [6]string{"x-", "x+", "y-", "y+", "z-", "z+"}

// outline returns the corners of the opening in its place.
func (in *Inflow) outline() (list []vec.Vec3) {
	u, v := in.Direction.Unit().LevelBasis()
	for _, p := range in.Opening.Outline() {
		list = append(list, in.Position.Add(u.Mul(p[0])).Add(v.Mul(p[1])))
	}
	return list
}

// Tank is a box with openings in its sides, as seen by the particles: at an opening
// there is the buffer instead of a wall.
type Tank struct {
	*boundary.Box // without the openings, for all else
	d             float64
	list          []inlet
}

// inlet is an opening in a side of a tank.
type inlet struct {
	*Nozzle
	axis int
	u, v vec.Vec3
	hole hole
}

// hole is an opening. Edges that coincide with edges of the tank's side are extended
// beyond it.
type hole interface {
	Dist(a, b float64) (d, na, nb float64)
}

// slot is a rectangular hole.
type slot struct{ lo, hi [2]float64 }

// Dist implements hole.
func (s slot) Dist(a, b float64) (d, na, nb float64) {
	x, nx := between(a, s.lo[0], s.hi[0])
	y, ny := between(b, s.lo[1], s.hi[1])
	switch {
	case x > 0 && y > 0:
		d = math.Hypot(x, y)
		return d, nx * x / d, ny * y / d
	case x > y:
		return x, nx, 0
	}
	return y, 0, ny
}

// between returns the signed distance from x to an interval, positive outside, and the
// direction in which it grows.
func between(x, lo, hi float64) (d, n float64) {
	if lo-x > x-hi {
		return lo - x, -1
	}
	return x - hi, 1
}

// addInlet makes the opening in of nozzle n a part of wall, its host, and returns that.
func addInlet(wall boundary.Boundary, in *Inflow, n *Nozzle, d float64) boundary.Boundary {
	shape, mover := body.Unwrap(wall)
	tank, ok := shape.(*Tank)
	if !ok {
		tank = &Tank{Box: shape.(*boundary.Box), d: d}
	}
	u, v := n.Dir.LevelBasis()
	i := inlet{Nozzle: n, axis: in.sideOf(tank.Box, d) / 2, u: u, v: v, hole: in.Opening}
	switch o := in.Opening.(type) {
	case *Rectangle:
		i.hole = tank.slot(&i, slot{[2]float64{-o.Width / 2, -o.Height / 2}, [2]float64{o.Width / 2, o.Height / 2}})
	case *Slit: // endless along z
		s := slot{[2]float64{math.Inf(-1), math.Inf(-1)}, [2]float64{math.Inf(1), math.Inf(1)}}
		c := 1
		if o.level {
			c = 0
		}
		s.lo[c], s.hi[c] = -o.Width/2, o.Width/2
		i.hole = tank.slot(&i, s)
	}
	tank.list = append(tank.list, i)
	if mover == nil {
		return tank
	}
	moved := *mover
	moved.Boundary = tank
	return &moved
}

// slot returns s for an opening in the tank. An edge that no particle fits beside is one of the
// tank's side.
func (b *Tank) slot(i *inlet, s slot) slot {
	box := vec.Box{Min: b.Min, Max: b.Max}
	for c, dir := range [2]vec.Vec3{i.u, i.v} {
		lo, hi := box.Span(dir)
		at := i.At.Dot(dir)
		if at+s.lo[c]-lo < b.d/2 {
			s.lo[c] = math.Inf(-1)
		}
		if hi-at-s.hi[c] < b.d/2 {
			s.hi[c] = math.Inf(1)
		}
	}
	return s
}

// place returns how far x is before the opening, and outside the bore to the side, and
// the direction in which the second grows.
func (i *inlet) place(x vec.Vec3, d float64) (front, within float64, n vec.Vec3) {
	r := x.Sub(i.At)
	side, na, nb := i.hole.Dist(r.Dot(i.u), r.Dot(i.v))
	return r.Dot(i.Dir), side - float64(pipeGap*d), i.u.Mul(na).Add(i.v.Mul(nb))
}

// Dist implements Boundary. In an opening the wall is as far behind it as particles are
// held off it, as in a pipe.
func (b *Tank) Dist(x vec.Vec3) (float64, vec.Vec3) {
	d, n := b.Box.Dist(x)
	for k := range b.list {
		i := &b.list[k]
		front, within, out := i.place(x, b.d)
		if within >= 0 {
			continue
		}
		sides := b.without(i)
		d, n = sides.Dist(x)
		d, n = -d, n.Neg()
		if t := front + float64(boundary.ParticleGap*b.d); t < d {
			d, n = t, i.Dir
		}
		if rim := math.Hypot(within, front); front > 0 && rim < d {
			return rim, out.Mul(within).Add(i.Dir.Mul(front)).Mul(1 / rim)
		}
		return d, n
	}
	return d, n
}

// without returns the walls without the side that has the opening.
func (b *Tank) without(i *inlet) vec.Box {
	s := b.Sides()
	far := i.Dir.Mul(-boundary.Endless)
	switch {
	case i.Dir.X+i.Dir.Y+i.Dir.Z > 0:
		s.Min = s.Min.Add(far)
	default:
		s.Max = s.Max.Add(far)
	}
	return s
}

// Init implements Boundary.
func (b *Tank) Init(k kernel.Kernel) error { return b.Box.Init(k) }

// Wall implements Boundary.
func (b *Tank) Wall(x vec.Vec3) (float64, vec.Vec3) {
	share, grad := b.Box.Wall(x)
	return b.open(x, share, grad, b.Layers().HalfSpace)
}

// Mirror implements Boundary.
func (b *Tank) Mirror(x vec.Vec3) (float64, vec.Vec3) {
	share, grad := b.Box.Mirror(x)
	return b.open(x, share, grad, b.Layers().Mirror)
}

// open subtracts the openings from the share of the tank and from its gradient. An
// opening has the share beyond the side, times the share of the bore and of the tank's
// section.
func (b *Tank) open(x vec.Vec3, share float64, grad vec.Vec3, beyond func(t float64) (share, slope float64)) (float64, vec.Vec3) {
	if share == 0 {
		return share, grad
	}
	sides := b.Sides()
	lo, hi := x.Sub(sides.Min).Array(), sides.Max.Sub(x).Array()
	var s, ds [3]float64 // of the box, along each axis
	for a := range 3 {
		below, dlo := beyond(lo[a])
		above, dhi := beyond(hi[a])
		s[a], ds[a] = max(0, 1-below-above), dhi-dlo
	}
	for k := range b.list {
		i := &b.list[k]
		front, within, n := i.place(x, b.d)
		side, dSide := beyond(front)
		bore, dBore := b.Layers().HalfSpace(within)
		if side == 0 || bore == 0 {
			continue
		}
		c, e := (i.axis+1)%3, (i.axis+2)%3
		section := s[c] * s[e]
		var dSection [3]float64
		dSection[c], dSection[e] = ds[c]*s[e], s[c]*ds[e]
		share -= float64(side * bore * section)
		grad = grad.Sub(i.Dir.Mul(dSide * bore * section)).Sub(n.Mul(side * dBore * section)).
			Sub(vec.New(dSection[0], dSection[1], dSection[2]).Mul(side * bore))
	}
	return max(0, share), grad
}

// sameDirection is the least cosine between a side's normal and the direction of an
// opening in it.
const sameDirection = 0.8

// OpensAt reports whether x is before an opening in the side with the normal n.
func (b *Tank) OpensAt(x, n vec.Vec3) bool {
	return slices.ContainsFunc(b.list, func(i inlet) bool {
		_, within, _ := i.place(x, b.d)
		return within < 0 && n.Dot(i.Dir) > sameDirection
	})
}
