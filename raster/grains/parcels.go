package grains

import (
	"fmt"
	"math"

	"breakwater/sim/num"
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
	Spacing float64 // of the flow that they come from: about how far they are spread, m
}

// Len returns the number of parcels.
func (p *Parcels) Len() int { return len(p.X) }

// Check returns a fault of p.
func (p *Parcels) Check() error {
	n := len(p.X)
	if len(p.V) != n || len(p.Radius) != n || len(p.Count) != n || len(p.ID) != n || len(p.Kind) != n {
		return fmt.Errorf("%d positions, %d velocities, %d radii, %d counts, %d ids and %d kinds",
			n, len(p.V), len(p.Radius), len(p.Count), len(p.ID), len(p.Kind))
	}
	if !(p.Spacing > 0) || math.IsInf(p.Spacing, 1) {
		return fmt.Errorf("a spacing of %g m; it must be above 0", p.Spacing)
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

// most is how many grains of a parcel are drawn apart.
const most = 8

// Apart is the largest part of the spacing that the grains of one parcel are from its
// middle.
const Apart = 0.3

// farther is how much longer than the straight way a path from the eye may be, by
// reflections, until its grains are drawn finer than its rays.
const farther = 1.2

// grain is one drop or bubble, or several that are drawn as one.
type grain struct {
	x     vec.Vec3
	way   vec.Vec3 // that it goes while the shutter is open
	r     float64  // radius, m
	n     float64  // how many
	reach float64  // largest radius that it is drawn with, m; below 0 if it is in the voxels alone: misty or faint
}

// The reach of grains that are in the voxels alone.
const (
	misty = -1 // mist
	faint = -2 // streaks that cannot be seen one by one
)

// faintest is the cover of a streak, in its middle, below which it is not seen alone.
const faintest = 0.015

// fades reports whether a leaves only a faint streak, where a pixel is width wide.
func (a *grain) fades(width float64) bool {
	long := a.way.Len()
	return a.n*math.Pi*a.r*a.r < faintest*2*max(a.r, wide*width)*long
}

// spread returns the grains of some kinds. Where a pixel could tell, a parcel of several
// is drawn as up to eight grains about its place. largest is the largest radius that a
// small grain is drawn with, m.
func (p *Parcels) spread(v View, largest float64, kinds ...Kind) []grain {
	var want [Mist + 1]bool
	for _, k := range kinds {
		want[k] = true
	}
	around := Apart * p.Spacing
	list := make([]grain, 0, len(p.X))
	for i, k := range p.Kind {
		r, n := float64(p.Radius[i]), float64(p.Count[i])
		if !want[k] || r == 0 || n == 0 {
			continue
		}
		width := v.Spread * p.X[i].Sub(v.Eye).Len()
		g := grain{x: p.X[i], way: p.V[i].Mul(v.Shutter), r: r, n: n, reach: max(r+width, min(largest, wide*farther*width))}
		parts := 1.0
		if k == Mist {
			g.way, g.reach = vec.Vec3{}, misty
		} else if n >= 2 && width < around {
			// No more than there are pixels where they may be.
			parts = min(most, math.Floor(n), math.Ceil(around*around/(width*width)))
		}
		if g.n = n / parts; g.reach >= 0 && g.fades(width) {
			g.n, g.reach, parts = n, faint, 1
		}
		if parts <= 1 {
			list = append(list, g)
			continue
		}
		for k := range int(parts) {
			g.x = p.X[i].Add(Offset(p.ID[i], k).Mul(around))
			list = append(list, g)
		}
	}
	return list
}

// Offset returns where grain k of a parcel is about the place of the parcel, as a point of the
// unit ball that depends on the arguments alone.
func Offset(id uint64, k int) vec.Vec3 {
	h := num.SplitMix64(id*num.Golden + uint64(k)*0xd1342543de82ef95 + 1)
	part := func(shift uint) float64 { return (float64(h>>shift&0x1fffff) + 0.5) / (1 << 21) }
	y := 2*part(0) - 1
	sin, cos := math.Sincos(2 * math.Pi * part(21))
	level, far := math.Sqrt(1-y*y), math.Cbrt(part(42))
	return vec.Vec3{X: far * level * sin, Y: far * y, Z: far * level * cos}
}
