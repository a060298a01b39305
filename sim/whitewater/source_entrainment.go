package whitewater

import (
	"fmt"
	"math"
	"slices"

	"breakwater/sim/dice"
	"breakwater/sim/num"
	"breakwater/sim/par"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

func init() {
	Sources.Register(registry.Entry[Source]{
		Name: "entrainment", Doc: "air is caught where liquid meets liquid fast, and becomes bubbles",
		Cite: "Biń 1993, Kiger and Duncan 2012, Deane and Stokes 2002",
		New:  func(d registry.Decode) (Source, error) { s := &entrainment{}; return s, d(s) },
	})
}

// entrainment catches air where the surfaces of liquids meet, or of the same liquid. An area
// that closes at the speed U catches
//
//	air min(depth, (U² − onset²)/2g) S(U depth/ν) (d/depth)^(1/3)      in m³ per m²
//
// once. A sheet that falls into a pool at a low speed thus takes air down with the third
// power of its speed, and at a high speed with the first, as plunging jets do (Biń, Chem. Eng.
// Sci. 48, 1993; Kiger and Duncan, Annu. Rev. Fluid Mech. 44, 2012). S closes the gate for
// thick liquids. Surfaces of turbulent liquids are fractals of dimension 7/3, so the area that particles d
// apart resolve grows with d^(−1/3) (Sreenivasan, Ramshankar and Meneveau, Proc. R. Soc. A 421,
// 1989); the last factor is the area that spacings of depth would have instead.
type entrainment struct {
	parts [][]Parcel
}

// leastNeighbors is the number of neighbours from which a particle is part of a body of
// liquid that can take air under.
const leastNeighbors = 15

// Reynolds numbers, of the speed of approach and Settings.Depth, from which a liquid catches
// any air, and all of it.
const (
	leastRe = 100
	fullRe  = 1000
)

// onset returns the speed of approach from which air is caught, m/s.
func (w *Whitewater) onset() float64 {
	if w.set.Onset > 0 {
		return w.set.Onset
	}
	// Diameter of the bubbles whose surface tension the liquid has to overcome, m. It gives
	// 0.80 m/s for water, at which rough jets begin to take down air (Ervine, McKeogh and
	// Elsawy, Proc. Inst. Civ. Eng. 69, 1980).
	const bubble = 0.9e-3
	return math.Sqrt(8 * w.scene.SurfaceTension / (w.scene.Rho0 * bubble))
}

// gate returns the share of air that a liquid takes under at a speed, which falls to 0 for
// thick liquids.
func (w *Whitewater) gate(speed float64) float64 {
	if w.scene.Viscosity == 0 {
		return 1
	}
	return num.Smoothstep(leastRe, fullRe, speed*w.set.Depth/w.scene.Viscosity)
}

// NoAir returns why liquid that meets liquid at no more than the given speed, m/s, catches no
// air, or "" if it may or if the settings ask for none.
func NoAir(set Settings, scene Scene, speed float64) string {
	if set.Air == 0 || !slices.Contains(set.Sources, "entrainment") {
		return ""
	}
	w := &Whitewater{set: set, scene: scene}
	switch onset := w.onset(); {
	case scene.Gravity == vec.Vec3{}:
		return "without gravity, no liquid falls onto liquid"
	case speed <= onset:
		return fmt.Sprintf("liquid should meet liquid at %.3g m/s at most, and air is caught above whitewater.onset, %.3g m/s", speed, onset)
	case w.gate(speed) == 0:
		return fmt.Sprintf("the liquid is too thick: at %.3g m/s, air is caught below a viscosity of %.3g m²/s, and it has %.3g m²/s", speed, speed*set.Depth/leastRe, scene.Viscosity)
	}
	return ""
}

// caught returns the volume of air that a particle catches between two samples, m³.
func (w *Whitewater) caught(i int, onset float64) float64 {
	s := &w.survey
	u := float64(s.approach[i])
	g := w.scene.Gravity.Len()
	if s.gain[i] == 0 || !(u > onset) || int(s.count[i]) < leastNeighbors || g == 0 || s.airborne[i] {
		return 0
	}
	d, depth := w.scene.Spacing, w.set.Depth
	area := d * d * float64(s.gain[i]) * fullCover / crossCover * math.Cbrt(d/depth)
	return w.set.Air * area * min(depth, (float64(u*u)-float64(onset*onset))/(2*g)) * w.gate(u)
}

// Emit implements Source.
func (e *entrainment) Emit(w *Whitewater) {
	if w.set.Air == 0 {
		return
	}
	mean := 4 / (w.set.Detail * 1e6) // m³ of air in a parcel
	onset := w.onset()
	n := len(w.part.x)
	const chunk = 4096
	e.parts = par.Resize(e.parts, (n+chunk-1)/chunk)
	par.Each(len(e.parts), func(c int) {
		list := e.parts[c][:0]
		for i := c * chunk; i < min(n, (c+1)*chunk); i++ {
			if v := w.caught(i, onset); v > 0 {
				list = w.catch(list, i, v/mean, mean)
			}
		}
		e.parts[c] = list
	})
	for _, list := range e.parts {
		w.births = append(w.births, list...)
	}
}

// catch appends the parcels that particle i catches in a step, of which the mean number is
// given: as many whole ones, and one more by chance, so that no length of a step changes the
// volume.
func (w *Whitewater) catch(list []Parcel, i int, number, mean float64) []Parcel {
	p := &w.part
	d := w.scene.Spacing
	die := dice.New(uint64(w.set.Seed), purposeAir, uint64(w.flow.next.ID[i]), w.state.Steps, uint64(p.k))
	a := float64(w.survey.approach[i])
	n := int(number + die.Float(0))
	for k := range n {
		q := die.Of(uint64(k))
		// Strata, from a start by chance, give even few bubbles the spread of sizes.
		u := math.Mod((float64(k)+q.Float(0))/float64(n)+die.Float(1), 1)
		r, count := w.sizes.bubble(mean, u, a*a*a/d)
		share := q.Float(1)
		at := vec.New(q.Float(2)-0.5, q.Float(3)-0.5, q.Float(4)-0.5)
		x := p.at(i, share).Add(at.Mul(d / 2)).Add(wide(w.survey.toward[i]).Mul(d / 4))
		list = append(list, Parcel{X: w.walls.inside(x, r), V: p.velocity(i, share), R: r, N: count, Age: p.age(share), Kind: Bubble})
	}
	return list
}
