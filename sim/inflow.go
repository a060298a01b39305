package sim

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"breakwater/sim/par"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

// Inflow lets liquid into the world through an opening.
type Inflow struct {
	Opening   Opening
	Position  vec.Vec3 // middle of the opening, m
	Direction vec.Vec3 // of the flow, of any length
	Speed     float64  // mean over the opening, m/s
	Pipe      float64  // length of the pipe behind the opening, m; 0 for the shortest
	Parabolic bool     // whether the speed falls from the middle to 0 at the edge
	Start     float64  // s
	Stop      float64  // s
}

// Opening is the shape of an inflow's opening, in a plane with its middle at the
// origin; b is up if the flow is level.
type Opening interface {
	// Area returns the area, m², and Across the least width, m.
	Area() float64
	Across() float64
	// Outline returns the corners, to the left about.
	Outline() [][2]float64
	// Dist returns the signed distance from a point to the edge, m, positive
	// outside, and the direction in which it grows.
	Dist(a, b float64) (d, na, nb float64)
	// Parabola returns how fast a slow flow in a pipe of this shape is at a
	// point, for one in the middle: above 0 in the opening and 0 outside.
	Parabola(a, b float64) float64
}

// Openings are the known shapes.
var Openings = registry.Set[Opening]{Kind: "inflow"}

// Nozzle returns the opening as particles d apart pass it. It fails for one too
// narrow for them, or so wide that they are too many.
func (in *Inflow) Nozzle(d float64) (*Nozzle, error) {
	dir := in.Direction.Unit()
	if dir == (vec.Vec3{}) || !dir.Finite() {
		return nil, errors.New("the direction is zero")
	}
	n := &Nozzle{At: in.Position, Dir: dir, Start: in.Start, Stop: in.Stop, halfWidth: in.Opening.Across() / 2}
	n.Outline = in.outline()
	for _, x := range n.Outline {
		n.reach = max(n.reach, x.Sub(n.At).Len())
	}
	area := in.Opening.Area()
	if across := in.Opening.Across() / d; across < LeastColumns*(1-1e-9) {
		return nil, fmt.Errorf("the opening is %.3g m wide, %.2g spacings; expected %d or more", in.Opening.Across(), across, LeastColumns)
	}
	if count := area / (d * d); !(count <= MostColumns) {
		return nil, fmt.Errorf("the opening has room for %.2g particles side by side; expected at most %.2g", count, float64(MostColumns))
	}
	n.cross(d, area, in.Speed, in.Opening.Outline(), func(a, b float64) float64 {
		p := in.Opening.Parabola(a, b)
		if p > 0 && !in.Parabolic {
			return 1
		}
		return p
	})
	n.pipe = max(in.Pipe, n.shortest(d))
	return n, nil
}

// LeastColumns is the least width of an opening in particles. With fewer, the jet is a
// thread, whose density is meaningless.
const LeastColumns = 3

// MostColumns is how many particles may pass an opening side by side: a larger one
// is a slip of the pen, and its buffer alone millions of particles.
const MostColumns = 1_000_000

// Nozzle is an opening and the buffer of liquid behind it.
//
// The buffer is a lattice of particles in columns along the flow, a layer behind
// the other, three layers deep. Each column moves on at its own speed; a
// particle that passes the opening is let go, and one follows at the end. Until
// then it is part of the liquid in all sums, but nothing moves it off its way:
// so the first that is let go has its neighbours on all sides, at their places
// to the fraction of a step, and the density is right from the opening on. (The
// emitters of SPlisHSPlasH do likewise with one layer at a time, in time to the
// step; Bender et al., github.com/InteractiveComputerGraphics/SPlisHSPlasH.)
//
// Before the flow starts and after it stops the buffer stands still and closes the
// opening. The flow is a function of time alone, and a particle's number determines its
// column and layer, so a resumed run needs no other state.
type Nozzle struct {
	At      vec.Vec3   // middle of the opening, m
	Dir     vec.Vec3   // where the liquid flows, of unit length
	Outline []vec.Vec3 // of the opening, to the left about Dir, m
	Columns []Column
	Layer   float64 // distance of the layers, m
	Start   float64 // s
	Stop    float64 // s
	Flow    float64 // m³/s

	// Flush reports that the opening lies in the side of a tank, so that no pipe is in
	// the tank.
	Flush bool

	pipe      float64 // length of the pipe behind the opening, m
	halfWidth float64 // half the least width, m
	reach     float64 // from the middle to the farthest corner, m
	first     uint32  // number of the first particle of the first column
	step      uint32  // from a layer to the next
}

// Column is where particles come one behind the other.
type Column struct {
	At    vec.Vec3 // where it passes the opening, m
	Speed float64  // m/s

	phase float64 // of its first particle, from 0 to 1: how far behind the opening it starts, in layers
}

// bufferLayers is the depth of the buffer, in layers: the kernel reaches over two.
const bufferLayers = 3

// Length returns the depth of the buffer, m.
func (n *Nozzle) Length() float64 { return bufferLayers * n.Layer }

// Speed returns the highest speed in the opening, m/s.
func (n *Nozzle) Speed() (top float64) {
	for _, c := range n.Columns {
		top = max(top, c.Speed)
	}
	return top
}

// Volume returns how much liquid has passed at time t, m³.
func (n *Nozzle) Volume(t float64) float64 { return n.Flow * n.open(t) }

// open returns for how long the nozzle has been open at time t.
func (n *Nozzle) open(t float64) float64 { return max(0, min(t, n.Stop)-n.Start) }

// way returns how far beyond the opening the particle of a layer is at time t,
// as long as it has not been let go, m.
func (n *Nozzle) way(c *Column, layer uint32, t float64) float64 {
	return c.Speed*n.open(t) - (float64(layer)+c.phase)*n.Layer
}

// layers returns how many particles of a column have come by the time t, those
// in the buffer among them.
func (n *Nozzle) layers(c *Column, t float64) uint32 {
	return uint32(max(0, math.Ceil((n.Length()+c.Speed*n.open(t))/n.Layer-c.phase)))
}

// within returns the share of the time from t to t+dt in which the nozzle is open.
func (n *Nozzle) within(t, dt float64) float64 {
	return max(0, min(1, (min(t+dt, n.Stop)-max(t, n.Start))/dt))
}

// cross lays columns over an opening of the given area, whose flow has the mean speed and
// is spread by profile, which is 0 outside the opening. The columns are about a spacing
// apart. The lattice's squares have the area of the opening, or the lattice fills a
// rectangle. The distance of the layers compensates for the remaining difference, so that
// the volume is right.
//
// Each column has a phase of its own along the flow: the buffer is a sheared lattice
// without planes across the flow. Planes would be torn apart where the stream gets
// faster, and a jet would fall as a string of discs. The density is 0.2 % less than
// in a cubic lattice.
func (n *Nozzle) cross(d, area, speed float64, outline [][2]float64, profile func(a, b float64) float64) {
	u, v := n.Dir.LevelBasis()
	wide, high := 0., 0.
	for _, p := range outline {
		wide, high = max(wide, math.Abs(p[0])), max(high, math.Abs(p[1]))
	}
	type lattice struct{ s, t, shiftA, shiftB float64 }
	points := func(l lattice, each func(a, b, phase float64)) {
		m, k := int(math.Ceil(wide/l.s))+1, int(math.Ceil(high/l.t))+1
		for i := -m; i <= m; i++ {
			for j := -k; j <= k; j++ {
				if a, b := (float64(i)+l.shiftA)*l.s, (float64(j)+l.shiftB)*l.t; profile(a, b) > 0 {
					each(a, b, phaseOf(i, j))
				}
			}
		}
	}
	// Where there are many columns, the lattices have nearly the same area, and
	// fewer are tried.
	const most, many = 60, 100_000
	stride := 1 + int(area/(d*d))/many
	var best lattice
	least := math.Inf(1)
	for i := -(most / stride * stride); i <= most; i += stride {
		for _, shift := range []float64{0, 0.5} {
			s := d * (1 + float64(i)/1000)
			l := lattice{s, s, shift, shift}
			count := 0
			points(l, func(_, _, _ float64) { count++ })
			cost := math.Abs(float64(count)*s*s/area-1) + math.Abs(s/d-1)/10
			if cost < least {
				least, best = cost, l
			}
		}
	}
	if math.Abs(4*wide*high/area-1) < 1e-9 { // a rectangle, which columns fill to the edges
		best.s, best.shiftA = columnsAcross(2*wide, d)
		best.t, best.shiftB = columnsAcross(2*high, d)
	}
	sum := 0.
	points(best, func(a, b, phase float64) {
		n.Columns = append(n.Columns, Column{n.At.Add(u.Mul(a)).Add(v.Mul(b)), profile(a, b), phase})
		sum += profile(a, b)
	})
	count := float64(len(n.Columns))
	for i := range n.Columns {
		n.Columns[i].Speed *= speed * count / sum
	}
	n.Layer, n.Flow = d*d*d*count/area, area*speed
}

// columnsAcross returns the distance, m, of columns about d apart that fill a width, and
// their offset from the middle as a share of it.
func columnsAcross(width, d float64) (s, shift float64) {
	n := math.Round(width / d)
	if int(n)%2 == 0 {
		shift = 0.5
	}
	return width / n, shift
}

// phaseOf returns how far behind the opening the first particle of the column (i, j)
// starts, in layers. The steps are the inverse of the plastic number and its square,
// whose multiples fill the unit interval evenly for every patch of columns (Roberts,
// The unreasonable effectiveness of quasirandom sequences, 2018).
func phaseOf(i, j int) float64 {
	const a, b = 0.7548776662466927, 0.5698402909980532
	p := 0.5 + a*float64(i) + b*float64(j)
	return p - math.Floor(p)
}

// openNozzles makes the nozzles of the inflows, if it has not yet: with pipes,
// which are walls, or as openings in the sides of tanks.
func (w *World) openNozzles() error {
	if len(w.nozzles) == len(w.Inflows) {
		return nil
	}
	if w.Closed {
		return errors.New("sim: nothing can flow into a closed liquid")
	}
	if w.Dim() != 3 {
		return errors.New("sim: inflows are not supported in two dimensions")
	}
	w.nozzles = w.nozzles[:0]
	columns := 0
	for i, in := range w.Inflows {
		n, err := in.Nozzle(w.Spacing)
		if err != nil {
			return fmt.Errorf("sim: inflow %d: %w", i+1, err)
		}
		n.first = uint32(columns)
		columns += len(n.Columns)
		w.nozzles = append(w.nozzles, n)
	}
	w.Walls = slices.Clone(w.Walls)
	still := slices.Clone(w.Walls)
	for i, n := range w.nozzles {
		n.step = uint32(columns)
		if k := w.Inflows[i].Host(still, w.Spacing); k >= 0 {
			n.Flush = true
			w.Walls[k] = addInlet(w.Walls[k], &w.Inflows[i], n, w.Spacing)
			continue
		}
		u, v := n.Dir.LevelBasis()
		w.Walls = append(w.Walls, &pipe{Nozzle: n, opening: w.Inflows[i].Opening, u: u, v: v, d: w.Spacing})
	}
	return nil
}

// Nozzles returns the openings of the inflows. They are there after Init.
func (w *World) Nozzles() []*Nozzle { return w.nozzles }

// fillNozzles puts the buffers in their places at the start.
func (w *World) fillNozzles() error {
	if err := w.openNozzles(); err != nil {
		return err
	}
	w.native = 0
	for _, id := range w.ID {
		w.native = max(w.native, id+1)
	}
	_, err := w.feed(math.Inf(-1), 0)
	return err
}

// feed adds the particles that have come after time from and up to time to, and
// returns their number.
func (w *World) feed(from, to float64) (added int, err error) {
	for _, n := range w.nozzles {
		for i := range n.Columns {
			c := &n.Columns[i]
			layer := uint32(0)
			if !math.IsInf(from, -1) {
				layer = n.layers(c, from)
			}
			for end := n.layers(c, to); layer < end; layer++ {
				id := uint64(w.native) + uint64(n.first) + uint64(i) + uint64(layer)*uint64(n.step)
				if id > math.MaxUint32 {
					return added, fmt.Errorf("sim: at %g s: the inflows have used up all particle numbers", to)
				}
				v := 0.
				if n.Start <= to && to < n.Stop {
					v = c.Speed
				}
				w.Add(c.At.Add(n.Dir.Mul(n.way(c, layer, to))), n.Dir.Mul(v), w.Rho0, uint32(id))
				added++
			}
		}
	}
	return added, nil
}

// column returns the nozzle and the column that the particle with this number
// has come by, and its layer; nil for one that was there at the start.
func (w *World) column(id uint32) (*Nozzle, *Column, uint32) {
	if len(w.nozzles) == 0 || id < w.native {
		return nil, nil, 0
	}
	k := (id - w.native) % w.nozzles[0].step
	layer := (id - w.native) / w.nozzles[0].step
	i := len(w.nozzles) - 1
	for w.nozzles[i].first > k {
		i--
	}
	n := w.nozzles[i]
	return n, &n.Columns[k-n.first], layer
}

// buffered returns the nozzle in whose buffer the particle with this number is at
// time t, and its column; nil for one that is free.
func (w *World) buffered(id uint32, t float64) (*Nozzle, *Column) {
	if n, c, layer := w.column(id); n != nil && n.way(c, layer, t) < 0 {
		return n, c
	}
	return nil, nil
}

// driveBuffers sets the velocities of the particles in the buffers for a step of dt.
func (w *World) driveBuffers(dt float64) {
	if len(w.nozzles) == 0 {
		return
	}
	par.For(w.Len(), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if n, _ := w.buffered(w.ID[i], w.Time); n != nil {
				w.V[i] = w.bufferVelocity(i, dt)
			}
		}
	})
}

// bufferVelocity returns the velocity, m/s, of a particle in a buffer in a step of dt.
func (w *World) bufferVelocity(i int, dt float64) vec.Vec3 {
	n, c := w.buffered(w.ID[i], w.Time)
	return n.Dir.Mul(c.Speed * n.within(w.Time, dt))
}

// leaving returns the velocity, m/s, with which a particle that was in a buffer ends a
// step of dt. A particle that leaves it has the speed of its column, however short a part
// of the step the flow was on. Otherwise the next particles would push it aside.
func (w *World) leaving(i int, dt float64) vec.Vec3 {
	n, c, layer := w.column(w.ID[i])
	if n.way(c, layer, w.Time+dt) >= 0 {
		return n.Dir.Mul(c.Speed)
	}
	return w.bufferVelocity(i, dt)
}

// InBuffer reports whether the particle with this number is in a nozzle at time t,
// in seconds, and not yet free.
func (w *World) InBuffer(id uint32, t float64) bool {
	n, _ := w.buffered(id, t)
	return n != nil
}

// driven appends to dst the particles lo ≤ i < hi that are in a buffer.
func (w *World) driven(dst []int32, lo, hi int) []int32 {
	for i := lo; i < hi; i++ {
		if n, _ := w.buffered(w.ID[i], w.Time); n != nil {
			dst = append(dst, int32(i))
		}
	}
	return dst
}

// faceNozzles makes the buffers walls to the particles lo ≤ i < hi of block b that are
// just before an opening. The buffer is an image of the liquid that has its pressure and
// moves with it, and so is in balance with it; see layers.Mirror. Without pressure in the
// buffer the liquid would sink towards it, and the jet would be thrown on when it has
// passed.
func (p *Pairs) faceNozzles(w *World, b, lo, hi int) {
	h := float64(p.h)
	blk := &p.blocks[b]
	for i := lo; i < hi; i++ {
		if !slices.ContainsFunc(w.nozzles, func(n *Nozzle) bool { return n.faces(w.X[i], h) }) {
			continue
		}
		if n, _ := w.buffered(w.ID[i], w.Time); n != nil {
			continue
		}
		var all, buffer Vec4 // Σ V∇W_ij, 1/m; of buffer also the rate −Σ v·V∇W_ij, 1/s
		var square float32
		for j, f := range blk.Of(i - lo) {
			f /= p.h
			x, y, z := f*(p.At[j].X-p.At[i].X), f*(p.At[j].Y-p.At[i].Y), f*(p.At[j].Z-p.At[i].Z)
			all.X, all.Y, all.Z = all.X+x, all.Y+y, all.Z+z
			square += float32(x*x) + float32(y*y) + float32(z*z)
			if n, c := w.buffered(w.ID[j], w.Time); n != nil {
				buffer.X, buffer.Y, buffer.Z = buffer.X+x, buffer.Y+y, buffer.Z+z
				if n.Start <= w.Time && w.Time < n.Stop {
					buffer.S -= float32(c.Speed) * float32(n.Dir.Dot(vec.New(float64(x), float64(y), float64(z))))
				}
			}
		}
		if buffer == (Vec4{}) {
			continue
		}
		if len(blk.walls) == 0 {
			blk.walls = append(blk.walls, zeros[:hi-lo]...)
		}
		wall := &blk.walls[i-lo]
		wall.X, wall.Y, wall.Z, wall.S = wall.X+buffer.X, wall.Y+buffer.Y, wall.Z+buffer.Z, wall.S+buffer.S
		x, y, z := all.X+wall.X, all.Y+wall.Y, all.Z+wall.Z
		p.Diagonal[i] = float32(x*x) + float32(y*y) + float32(z*z) + square
	}
}

// faces reports whether x is before the opening, no farther than r from it.
func (n *Nozzle) faces(x vec.Vec3, r float64) bool {
	front := x.Sub(n.At).Dot(n.Dir)
	return 0 <= front && front < r && x.Sub(n.At).Len() < n.reach+r
}
