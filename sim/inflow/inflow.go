// Package inflow implements the openings through which liquid comes, and the particles
// behind them.
//
//   - inflow.go: an inflow and its nozzle; disc.go and rectangle.go, shapes of openings; slit.go, in two dimensions
//   - pipe.go: a nozzle with a pipe of its own; tank.go: an opening in a side of a tank
//   - buffers.go: the particles behind the openings; jet.go, the suction in a jet
package inflow

import (
	"errors"
	"fmt"
	"math"

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
	n := &Nozzle{At: in.Position, Dir: dir, Start: in.Start, Stop: in.Stop, HalfWidth: in.Opening.Across() / 2}
	n.Outline = in.outline()
	for _, x := range n.Outline {
		n.reach = max(n.reach, x.Sub(n.At).Len())
	}
	area := in.Opening.Area()
	if across := in.Opening.Across() / d; across < LeastColumns*(1-1e-9) {
		return nil, fmt.Errorf("the opening is %.3g m wide, %.2g spacings; expected %d or more", in.Opening.Across(), across, LeastColumns)
	}
	slit, flat := in.Opening.(*Slit)
	if count := area / (d * d); !flat && !(count <= MostColumns) {
		return nil, fmt.Errorf("the opening has room for %.2g particles side by side; expected at most %.2g", count, float64(MostColumns))
	}
	if flat {
		slit.columns(n, d, in.Speed, in.Parabolic)
		n.pipe = max(in.Pipe, n.shortest(d))
		return n, nil
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
// The buffer is a lattice of particles in columns along the flow, a layer behind the
// other, three layers deep. Each column moves on at its own speed; a particle that passes
// the opening is let go, and one follows at the end. Until then it is part of the liquid
// in all sums, but keeps its course. So the first particle that is let go has neighbours
// on all sides, in their exact places, and the density is right from the opening on. (The
// emitters of SPlisHSPlasH do likewise with one layer at a time, in time to the step;
// Bender et al., github.com/InteractiveComputerGraphics/SPlisHSPlasH.)
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

	HalfWidth float64 // half the least width of the opening, m

	// Flush reports that the opening lies in the side of a tank, so that no pipe is in
	// the tank.
	Flush bool

	pipe  float64 // length of the pipe behind the opening, m
	reach float64 // from the middle to the farthest corner, m
	first uint32  // number of the first particle of the first column
	step  uint32  // from a layer to the next
}

// Column is where particles come one behind the other.
type Column struct {
	At    vec.Vec3 // where it passes the opening, m
	Speed float64  // m/s

	phase float64 // of its first particle, from 0 to 1: how far behind the opening it starts, in layers
}

// bufferLayers is the depth of the buffer, in layers: the kernel reaches over two.
const bufferLayers = 3

// length returns the depth of the buffer, m.
func (n *Nozzle) length() float64 { return float64(bufferLayers * n.Layer) }

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

// distance returns how far beyond the opening the particle of a layer is at time t,
// as long as it has not been let go, m.
func (n *Nozzle) distance(c *Column, layer uint32, t float64) float64 {
	return float64(c.Speed*n.open(t)) - float64((float64(layer)+c.phase)*n.Layer)
}

// delay returns how long after the start of the flow a particle passes the opening, s.
func (n *Nozzle) delay(c *Column, layer uint32) float64 {
	return (float64(layer) + c.phase) * n.Layer / c.Speed
}

// layers returns how many particles of a column have come by the time t, those
// in the buffer among them.
func (n *Nozzle) layers(c *Column, t float64) uint32 {
	return uint32(max(0, math.Ceil((n.length()+float64(c.Speed*n.open(t)))/n.Layer-c.phase)))
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
	const trials, many = 60, 100_000
	stride := 1 + int(area/(d*d))/many
	var best lattice
	least := math.Inf(1)
	for i := -(trials / stride * stride); i <= trials; i += stride {
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
// starts, in layers. The steps are the inverse of the plastic number and of its square,
// whose multiples fill the unit interval evenly for every patch of columns (Roberts, The
// unreasonable effectiveness of quasirandom sequences, 2018).
func phaseOf(i, j int) float64 {
	const a, b = 0.7548776662466927, 0.5698402909980532
	p := 0.5 + float64(a*float64(i)) + float64(b*float64(j))
	return p - math.Floor(p)
}

// IsBefore reports whether x is before the opening, no farther than r from it.
func (n *Nozzle) IsBefore(x vec.Vec3, r float64) bool {
	front := x.Sub(n.At).Dot(n.Dir)
	return 0 <= front && front < r && x.Sub(n.At).Len() < n.reach+r
}
