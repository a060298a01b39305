package grains

import (
	"fmt"
	"math"
	"slices"

	"breakwater/sim/num"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// Kind is what a parcel is.
type Kind uint8

const (
	Spray  Kind = iota // drops in air
	Foam               // bubbles on the surface
	Bubble             // bubbles in the liquid
	Mist               // drops too small to be seen one by one
)

// Parcels are drops and bubbles. Each parcel stands for a number of equal ones about its
// place.
type Parcels struct {
	X, V    []vec.Vec3 // m, m/s
	Radius  []float32  // of each drop or bubble, m
	Count   []float32  // how many they are
	ID      []uint64
	Kind    []Kind
	Age     []float32 // s since they parted; nil for 0
	Sticks  []bool    // whether they are drops on a wall; nil for none
	Glow    []float32 // share of Light.Flame that each radiates; nil for none
	Whole   bool      // each is drawn as one, and not as several grains about its place
	Spacing float64   // of the flow that they come from: about how far they are spread, m
	Breakup float64   // time T in which threads of that width break into drops, s; 0 for drops from the start

	// Free returns a distance that x may be moved in any direction without meeting a wall, at
	// most far, m, and the unit normal of the nearest wall. Nil is without walls.
	Free func(x vec.Vec3, far float64) (d float64, n vec.Vec3)
}

// Len returns the number of parcels.
func (p *Parcels) Len() int { return len(p.X) }

// Check returns a fault of p.
func (p *Parcels) Check() error {
	n := len(p.X)
	if len(p.V) != n || len(p.Radius) != n || len(p.Count) != n || len(p.ID) != n || len(p.Kind) != n ||
		p.Age != nil && len(p.Age) != n || p.Sticks != nil && len(p.Sticks) != n {
		return fmt.Errorf("%d positions, %d velocities, %d radii, %d counts, %d ids, %d kinds, %d ages and %d that stick",
			n, len(p.V), len(p.Radius), len(p.Count), len(p.ID), len(p.Kind), len(p.Age), len(p.Sticks))
	}
	if p.Glow != nil && len(p.Glow) != n {
		return fmt.Errorf("%d positions and %d glows", n, len(p.Glow))
	}
	if !(p.Spacing > 0) || math.IsInf(p.Spacing, 1) {
		return fmt.Errorf("a spacing of %g m; it must be above 0", p.Spacing)
	}
	if !(p.Breakup >= 0) {
		return fmt.Errorf("a time of breakup of %g s; it must be at least 0", p.Breakup)
	}
	for i := range n {
		r, c := float64(p.Radius[i]), float64(p.Count[i])
		switch {
		case !p.X[i].Finite() || !p.V[i].Finite():
			return fmt.Errorf("parcel %d is at %v with the velocity %v", p.ID[i], p.X[i], p.V[i])
		case !(r >= 0 && c >= 0) || math.IsInf(r, 1) || math.IsInf(c, 1):
			return fmt.Errorf("parcel %d stands for %g grains with a radius of %g m", p.ID[i], c, r)
		case p.Kind[i] > Mist:
			return fmt.Errorf("parcel %d is of kind %d; the kinds are 0 to %d", p.ID[i], p.Kind[i], Mist)
		}
	}
	return nil
}

// Most is the number of grains of a parcel that are drawn apart, where all parcels have no
// more than All; more grains are too many to be told from each other.
const (
	Most = 8
	All  = 600_000
)

// limit returns the number of grains of parcel i that are drawn apart at most. It differs from
// parcel to parcel, so that it changes little by little as there are more of them.
func (p *Parcels) limit(i int) float64 {
	each := min(Most, All/float64(len(p.X)))
	const bits = 53
	chance := float64(float64(num.SplitMix64(uint64(p.ID[i]))>>(64-bits)) / (1 << bits))
	return max(1, math.Floor(each+chance))
}

// Apart is the largest part of the spacing that the grains of one parcel are from its middle, as long
// as they have not parted farther.
const Apart = 0.3

// The grains of one parcel are up to Apart times the spacing from its middle at first, and move
// away from it at a speed: drops at the speed of the parcels of a family, over the root of their
// number, and bubbles by turbulence. A parcel of drops that were thrown is so a part of a cloud,
// and no ball.
const (
	plume    = 1.0  // for bubbles, which are between the particles of the liquid
	dropsGo  = 0.15 // m/s
	bubbleGo = 0.05 // m/s
	farthest = 0.05 // m
)

// around returns how far the grains of parcel i are from its middle, m.
func (p *Parcels) around(i int) float64 {
	x := Apart * p.Spacing
	if p.Kind[i] == Bubble {
		x = plume * p.Spacing
	}
	if p.Age == nil || p.sticks(i) {
		return x
	}
	switch p.Kind[i] {
	case Spray:
		x += float64(dropsGo * float64(p.Age[i]))
	case Bubble:
		x += float64(bubbleGo * float64(p.Age[i]))
	}
	return min(x, max(farthest, plume*p.Spacing))
}

// parted returns the cross-section that parcel i shows, as a share of the cross-section of its drops. Liquid
// that has just left the rest hangs together in threads as thick as the spacing d, and is seen through as
// the liquid was. Per volume, threads of all directions have the mean cross-section 1/d (Cauchy 1841: a
// quarter of the surface), and drops 3/(4r). After the time t, threads are left with the share e^(−(t/T)²).
func (p *Parcels) parted(i int) float64 {
	if p.Breakup == 0 || p.Age == nil || p.Kind[i] != Spray || p.sticks(i) {
		return 1
	}
	thread := min(1, float64(4*float64(p.Radius[i])/(3*p.Spacing)))
	x := float64(p.Age[i]) / p.Breakup
	return 1 - float64((1-thread)*num.Exp(-x*x))
}

func (p *Parcels) sticks(i int) bool { return p.Sticks != nil && p.Sticks[i] }

// Drops on walls are caps: flat times as wide as in the air. They turn a part capped of the light
// on them off its way; the rest goes on as through the glass.
const (
	flat   = 1.9
	capped = 0.1
)

// farther is how much longer than the straight way a path from the eye may be, by
// reflections, until its grains are drawn finer than its rays.
const farther = 1.2

// grain is one drop or bubble, or several that are drawn as one.
type grain struct {
	x     vec.Vec3
	way   vec.Vec3 // that it goes while the shutter is open
	r     float64  // radius, m
	n     float64  // how many
	glow  float64  // share of Light.Flame
	reach float64  // largest radius that it is drawn with, m; below 0 if it is in the voxels alone: misty, bubbly or faint
}

// The reach of grains that are in the voxels alone.
const (
	misty  = -1 // mist
	bubbly = -2 // bubbles among many others
	faint  = -3 // streaks that cannot be seen one by one
)

// faintest is the cover of a streak, in its middle, below which it is not seen alone.
const faintest = 0.015

// fades reports whether a leaves only a faint streak, where a pixel is width wide.
func (a *grain) fades(width float64) bool {
	long := a.way.Len()
	return a.n*math.Pi*a.r*a.r < faintest*2*max(a.r, wide*width)*long
}

// portion is how a parcel is drawn: as equal grains about its place.
type portion struct {
	grain
	parts  int
	around float64 // how far they are from its middle, m
	hidden float64 // the n of grains of the same number in the voxels alone
}

// portion returns how parcel i is drawn; no parts if it is not seen. largest is the largest
// radius that a small grain is drawn with, m.
func (p *Parcels) portion(i int, v View, largest float64) (g portion) {
	k, r, n := p.Kind[i], float64(p.Radius[i]), float64(p.Count[i])
	if r == 0 || n == 0 {
		return g
	}
	n *= p.parted(i)
	if p.sticks(i) {
		r, n = float64(r*flat), float64(n*capped)
	}
	width := float64(v.Spread * p.X[i].Sub(v.Eye).Len())
	g.grain = grain{x: p.X[i], way: p.V[i].Mul(v.Shutter), r: r, n: n, reach: max(r+width, min(largest, float64(wide*farther*width)))}
	g.around = p.around(i)
	if p.Glow != nil {
		g.glow = float64(p.Glow[i])
	}
	parts := 1.0
	if k == Mist {
		g.way, g.reach = vec.Vec3{}, misty
	} else if n >= 2 && !p.Whole && width < g.around {
		// No more than there are pixels where they may be.
		parts = min(p.limit(i), math.Floor(n), math.Ceil(g.around*g.around/(width*width)))
	}
	if g.n = n / parts; g.reach >= 0 && g.fades(width) {
		g.n, g.reach, parts = n, faint, 1
	}
	if k == Bubble && g.reach >= 0 {
		// Many small bubbles are a cloud in which few are seen one by one.
		if some := visible * wide * wide * width * width / (2 * r * r); some < 0.9*g.n {
			some = max(1, some)
			g.hidden, g.n = max(0, g.n-some), some
		}
	}
	g.parts = int(parts)
	return g
}

// Grains returns how many grains the parcels of some kinds are drawn as.
func (p *Parcels) Grains(v View, kinds ...Kind) (n int) {
	for i, k := range p.Kind {
		if slices.Contains(kinds, k) {
			g := p.portion(i, v, 0)
			n += g.parts
			if g.hidden > 0 {
				n += g.parts
			}
		}
	}
	return n
}

// spread returns the grains of some kinds. Where a pixel could tell, a parcel of several
// is drawn as up to eight grains about its place. largest is the largest radius that a
// small grain is drawn with, m.
func (p *Parcels) spread(v View, largest float64, kinds ...Kind) []grain {
	parts := make([][]grain, p.blocks())
	par.Each(len(parts), func(b int) { parts[b] = p.spreadBlock(b, v, largest, kinds...) })
	return slices.Concat(parts...)
}

// parcelBlock is how many parcels are spread together.
const parcelBlock = 4096

// blocks returns the number of blocks of p.
func (p *Parcels) blocks() int { return (len(p.X) + parcelBlock - 1) / parcelBlock }

// spreadBlock returns what spread does, for block b.
func (p *Parcels) spreadBlock(b int, v View, largest float64, kinds ...Kind) (list []grain) {
	lo := b * parcelBlock
	for i := lo; i < min(lo+parcelBlock, len(p.X)); i++ {
		if !slices.Contains(kinds, p.Kind[i]) {
			continue
		}
		of := p.portion(i, v, largest)
		half := float64(of.way.Len() / 2)
		room := math.Inf(1)
		if p.Free != nil && (of.parts > 1 || half > 0) {
			room, _ = p.Free(p.X[i], of.around+half)
		}
		for k := range of.parts {
			g := of.grain
			if of.parts > 1 {
				g.x = p.beside(i, Offset(p.ID[i], k).Mul(of.around), room)
			}
			if room < of.around+half {
				p.stop(&g)
			}
			list = append(list, g)
			if of.hidden > 0 {
				g.n, g.reach = of.hidden, bubbly
				list = append(list, g)
			}
		}
	}
	return list
}

// visible is the largest cover, in its middle, of a grain of bubbles that are too small to be
// seen by themselves.
const visible = 0.35

// stop ends the way of g at walls.
func (p *Parcels) stop(g *grain) {
	half := float64(g.way.Len() / 2)
	if room, _ := p.Free(g.x, half); room >= half {
		return
	}
	dir := g.way.Mul(1 / (2 * half))
	ahead, back := p.free(g.x, dir, half), p.free(g.x, dir.Neg(), half)
	g.x, g.way = g.x.Add(dir.Mul(float64((ahead-back)/2))), dir.Mul(ahead+back)
}

// beside returns the place of a grain of parcel i that is off its middle, on the same side of
// all walls. room is the distance of the middle from the nearest wall.
func (p *Parcels) beside(i int, off vec.Vec3, room float64) vec.Vec3 {
	x, far := p.X[i], off.Len()
	if room < far || p.sticks(i) {
		if p.Free == nil {
			return x
		}
		_, n := p.Free(x, far)
		if c := off.Dot(n); p.sticks(i) {
			off = off.Sub(n.Mul(c)) // in the wall's plane
		} else if c < 0 {
			off = off.Sub(n.Mul(2 * c))
		}
		if far = off.Len(); far == 0 {
			return x
		}
		off = off.Mul(p.free(x, off.Mul(1/far), far) / far)
	}
	return x.Add(off)
}

// free returns how far the way from x along the unit direction dir is free of walls, at most far.
// It takes few steps, so near a wall it may return less.
func (p *Parcels) free(x, dir vec.Vec3, far float64) (gone float64) {
	for range 12 {
		d, _ := p.Free(x.Add(dir.Mul(gone)), far)
		if gone+d >= far {
			return far
		}
		if d < 1e-3*far {
			break
		}
		gone += d
	}
	return gone
}

// Offset returns where grain k of a parcel is about the place of the parcel, as a point of the
// unit ball that depends on the arguments alone.
func Offset(id uint64, k int) vec.Vec3 {
	h := num.SplitMix64(id*num.Golden + uint64(k)*0xd1342543de82ef95 + 1)
	part := func(shift uint) float64 { return float64((float64(h>>shift&0x1fffff) + 0.5) / (1 << 21)) }
	y := float64(2*part(0)) - 1
	sin, cos := math.Sincos(float64(2 * math.Pi * part(21)))
	level, far := math.Sqrt(1-float64(y*y)), math.Cbrt(part(42))
	return vec.Vec3{X: float64(far * level * sin), Y: float64(far * y), Z: float64(far * level * cos)}
}
