package whitewater

import (
	"math"

	"breakwater/sim/dice"
	"breakwater/sim/neighbor"
	"breakwater/sim/par"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

func init() {
	Sources.Register(registry.Entry[Source]{
		Name: "ihmsen", Doc: "trapped air, wave crests and kinetic energy, for comparison: the amount depends on the spacing",
		Cite: "Ihmsen et al. 2012",
		New: func(d registry.Decode) (Source, error) {
			s := &ihmsen{}
			return s, d(s)
		},
	})
}

// ihmsen is the source of Ihmsen, Akinci, Akinci and Teschner (Unified spray, foam and air
// bubbles for particle-based fluids, The Visual Computer 28, 2012), with the automatic limits
// and the rate that the FoamGenerator of SPlisHSPlasH has by default (Bender, Koschier,
// Kugelstadt and Weiler, Turbulent micropolar SPH fluids with foam, IEEE Trans. Vis. Comput.
// Graph. 25, 2019). A potential is full at the mean over the frames of its largest value in
// each, and begins at a tenth of this. FoamGenerator reads all frames first; here the mean is
// over the frames so far, so that later frames do not change earlier ones. Potentials are sums
// in m/s, and energies are in J per particle. The particles that it makes have no volume; each
// is a bubble or a drop of ihmsenRadius here.
type ihmsen struct {
	cells  neighbor.Cells
	normal []vec.Vec3
	found  [][potentials]float64
	count  []int32             // neighbours
	limits [potentials]float64 // where each potential is full
	parts  [][]Parcel
}

// The potentials, in the order of State.peaks.
const (
	trappedAir = iota
	waveCrest
	kineticEnergy
	potentials
)

const (
	ihmsenRadius = 1e-3 // m: of the drops and bubbles
	ihmsenRate   = 1000 // 1/s: FoamGenerator's foamscale
	ihmsenLeast  = 0.1  // share of a limit from which a potential counts
)

// clamped is Φ of equation 1, with the limits that follow from the one where it is full.
func clamped(x, full float64) float64 {
	if full == 0 {
		return 0
	}
	least := float64(ihmsenLeast * full)
	return (min(x, full) - min(x, least)) / (full - least)
}

// Emit implements Source.
func (s *ihmsen) Emit(w *Whitewater) {
	f := &w.flow
	if w.part.k+1 < w.part.n {
		return // the method reads frames only
	}
	n := f.next.Len()
	h := 2 * w.scene.Spacing
	s.cells.Build(f.next.X, h)
	s.normal, s.found, s.count = par.Resize(s.normal, n), par.Resize(s.found, n), par.Resize(s.count, n)
	par.For(n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			s.normal[i] = vec.Vec3{}
			if !w.survey.top[i] {
				continue // within the liquid, the direction is noise
			}
			var sum vec.Vec3
			s.near(f.next.X[i], f, h, func(j int, x vec.Vec3, r, weight float64) {
				sum = sum.Add(x.Mul(weight / r))
			})
			s.normal[i] = sum.Unit()
		}
	})
	par.For(n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			s.found[i], s.count[i] = s.potentials(w, i, h)
		}
	})
	var top [potentials]float64
	for i := range s.found {
		for k, v := range s.found[i] {
			top[k] = max(top[k], v)
		}
	}
	for k, v := range top {
		w.state.peaks[k] += v
		s.limits[k] = w.state.peaks[k] / float64(w.state.Steps+1)
	}
	const chunk = 4096
	s.parts = par.Resize(s.parts, (n+chunk-1)/chunk)
	par.Each(len(s.parts), func(c int) {
		list := s.parts[c][:0]
		for i := c * chunk; i < min(n, (c+1)*chunk); i++ {
			list = s.emit(w, list, i, h)
		}
		s.parts[c] = list
	})
	for _, list := range s.parts {
		w.births = append(w.births, list...)
	}
}

// near calls do for all particles j closer to at than h, with the position of at relative to
// j, its length, and the weight 1 − r/h.
func (s *ihmsen) near(at vec.Vec3, f *flow, h float64, do func(j int, x vec.Vec3, r, weight float64)) {
	var rows [9][2]int32
	s.cells.Rows(s.cells.Nearest(at), &rows)
	for _, run := range rows {
		for _, j := range s.cells.Order()[run[0]:run[1]] {
			x := at.Sub(f.next.X[j])
			if r := x.Len(); r < h && r > 0 {
				do(int(j), x, r, 1-r/h)
			}
		}
	}
}

// potentials returns the potentials of particle i, equations 2 to 7, and how many neighbours
// it has.
func (s *ihmsen) potentials(w *Whitewater, i int, h float64) (of [potentials]float64, near int32) {
	f := &w.flow
	d := w.scene.Spacing
	v := f.next.V[i]
	s.near(f.next.X[i], f, h, func(j int, x vec.Vec3, r, weight float64) {
		near++
		u := v.Sub(f.next.V[j])
		of[trappedAir] += float64((u.Len() - u.Dot(x)/r) * weight)
		if n := s.normal[j]; n != (vec.Vec3{}) && -x.Dot(s.normal[i]) < 0 { // of the convex side
			of[waveCrest] += float64((1 - s.normal[i].Dot(n)) * weight)
		}
	})
	if v.Unit().Dot(s.normal[i]) < 0.6 {
		of[waveCrest] = 0
	}
	of[kineticEnergy] = 0.5 * w.scene.Rho0 * d * d * d * v.Dot(v)
	return of, near
}

// emit appends the parcels of particle i, equation 8.
func (s *ihmsen) emit(w *Whitewater, list []Parcel, i int, h float64) []Parcel {
	if s.count[i] < leastNeighbors {
		return list
	}
	f := &w.flow
	of := &s.found[i]
	rate := ihmsenRate * clamped(of[kineticEnergy], s.limits[kineticEnergy]) *
		(clamped(of[trappedAir], s.limits[trappedAir]) + clamped(of[waveCrest], s.limits[waveCrest]))
	if rate == 0 {
		return list
	}
	die := dice.New(uint64(w.set.Seed), purposeIhmsen, uint64(f.next.ID[i]), w.state.Steps)
	axis := f.next.V[i].Unit()
	e1, e2 := axis.Basis()
	for k := range int(float64(rate*f.dt) + die.Float(0)) {
		q := die.Of(uint64(k))
		r, angle := w.scene.Spacing/2*math.Sqrt(q.Float(0)), 2*math.Pi*q.Float(1)
		out := e1.Mul(r * math.Cos(angle)).Add(e2.Mul(r * math.Sin(angle)))
		near := 0
		s.near(f.next.X[i].Add(out), f, h, func(int, vec.Vec3, float64, float64) { near++ })
		kind := Bubble
		switch {
		case near < 6:
			kind = Spray
		case near <= 20:
			kind = Foam
		}
		share := q.Float(2)
		x := f.at(i, share).Add(out)
		list = append(list, Parcel{
			X: w.walls.inside(x, ihmsenRadius), V: f.velocity(i, share).Add(out), // metres added to m/s, as in the paper
			R: ihmsenRadius, N: 1, Age: -share * f.dt, Kind: kind,
		})
	}
	return list
}
