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
			s := &ihmsen{
				TrappedAir: [2]float64{5, 20}, WaveCrest: [2]float64{2, 8}, Energy: [2]float64{5, 50},
				PerAir: 4000, PerCrest: 50000,
			}
			return s, d(s)
		},
	})
}

// ihmsen is the source of Ihmsen, Akinci, Akinci and Teschner (Unified spray, foam and air
// bubbles for particle-based fluids, The Visual Computer 28, 2012), with the limits and the
// rates that the FoamGenerator of SPlisHSPlasH has by default. Its potentials are sums in
// m/s and energies in J per particle, and its particles have no volume; each is a bubble or
// a drop of ihmsenRadius here.
type ihmsen struct {
	TrappedAir, WaveCrest, Energy [2]float64 // where each potential begins and is full
	PerAir, PerCrest              float64    // particles per second

	cells  neighbor.Cells
	normal []vec.Vec3
	parts  [][]Parcel
}

// ihmsenRadius is the radius of the drops and bubbles, m.
const ihmsenRadius = 1e-3

// clamped is Φ of equation 1.
func clamped(x float64, limits [2]float64) float64 {
	return (min(x, limits[1]) - min(x, limits[0])) / (limits[1] - limits[0])
}

// Emit implements Source.
func (s *ihmsen) Emit(w *Whitewater) {
	f := &w.flow
	n := f.next.Len()
	h := 2 * w.scene.Spacing
	s.cells.Build(f.next.X, h)
	s.normal = par.Resize(s.normal, n)
	par.For(n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			var sum vec.Vec3
			s.near(f, i, h, func(j int, x vec.Vec3, r, weight float64) {
				sum = sum.Add(x.Mul(weight / r))
			})
			s.normal[i] = sum.Unit()
		}
	})
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

// near calls do for all neighbours j of particle i, with the position of i relative to j,
// its length, and the weight 1 − r/h.
func (s *ihmsen) near(f *flow, i int, h float64, do func(j int, x vec.Vec3, r, weight float64)) {
	var rows [9][2]int32
	s.cells.Rows(s.cells.Cell(f.next.X[i]), &rows)
	for _, run := range rows {
		for _, j := range s.cells.Order()[run[0]:run[1]] {
			x := f.next.X[i].Sub(f.next.X[j])
			if r := x.Len(); r < h && r > 0 {
				do(int(j), x, r, 1-r/h)
			}
		}
	}
}

// emit appends the parcels of particle i: equations 2 to 8.
func (s *ihmsen) emit(w *Whitewater, list []Parcel, i int, h float64) []Parcel {
	f := &w.flow
	d := w.scene.Spacing
	v := f.next.V[i]
	energy := clamped(0.5*w.scene.Rho0*d*d*d*v.Dot(v), s.Energy)
	if energy == 0 {
		return list
	}
	var air, crest float64
	near := 0
	s.near(f, i, h, func(j int, x vec.Vec3, r, weight float64) {
		near++
		u := v.Sub(f.next.V[j])
		air += (u.Len() - u.Dot(x)/r) * weight
		if -x.Dot(s.normal[i]) < 0 { // of the convex side
			crest += (1 - s.normal[i].Dot(s.normal[j])) * weight
		}
	})
	if v.Unit().Dot(s.normal[i]) < 0.6 {
		crest = 0
	}
	rate := energy * (s.PerAir*clamped(air, s.TrappedAir) + s.PerCrest*clamped(crest, s.WaveCrest))
	if rate == 0 {
		return list
	}
	kind := Bubble
	switch {
	case near < 6:
		kind = Spray
	case near <= 20:
		kind = Foam
	}
	die := dice.New(uint64(w.set.Seed), purposeIhmsen, uint64(f.next.ID[i]), w.state.Steps)
	axis := v.Unit()
	e1, e2 := axis.Basis()
	for k := range int(rate*f.dt + die.Float(0)) {
		q := die.Of(uint64(k))
		r, angle := d/2*math.Sqrt(q.Float(0)), 2*math.Pi*q.Float(1)
		out := e1.Mul(r * math.Cos(angle)).Add(e2.Mul(r * math.Sin(angle)))
		share := q.Float(2)
		x := f.at(i, share).Add(out)
		list = append(list, Parcel{
			X: w.walls.inside(x, ihmsenRadius), V: f.velocity(i, share).Add(out), // metres added to m/s, as in the paper
			R: ihmsenRadius, N: 1, Age: -share * f.dt, Kind: kind,
		})
	}
	return list
}
