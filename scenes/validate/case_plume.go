package validate

import (
	"fmt"
	"math"

	"breakwater/raster/figure"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
	"breakwater/sim/vortex/vorticity"
)

func init() {
	register("plume", "a turbulent plume over a small source of warm gas: its width, speed and warmth over the height", "Morton, Taylor and Turner 1956", plume)
}

// plume compares the mean of a plume over time with Morton, Taylor and Turner, Turbulent
// gravitational convection from maintained and instantaneous sources, Proc. R. Soc. A 234, 1956.
// Gas flows into it at a speed that is the share α, the entrainment coefficient, of its own.
// Then its radius b, speed u and buoyancy g′ follow from the fluxes of volume, momentum and
// buoyancy,
//
//	Q = πb²u,  M = πb²u²,  F = πb²ug′,  b = 6/5 α z,  u ∝ z^(−1/3),  g′ ∝ z^(−5/3),
//
// at the height z above a virtual origin, which a line through b gives. The gas of the source is
// stirred, as it is in a turbulent flow, because a plume this coarse would stay steady far up.
func plume(r *Run) (*Result, error) {
	const (
		radius  = 0.1   // of the source, m
		give    = 0.006 // flow of the source, m³/s
		warm    = 0.01  // excess of its temperature, over the ambient one
		pull    = 100   // gravity, m/s²
		stir    = 5     // vorticity that the source gets at each sample, 1/s: a tenth of the speed of the plume over a cell
		high    = 2.2   // top of the box, m
		wide    = 0.75  // half of its width, m
		slab    = 0.12  // height over which the flow is averaged, m
		first   = 0.5   // lowest height that counts, m
		last    = 1.7   // highest
		samples = 15    // per second
	)
	cell, settle, end := r.pick(0.03, 0.06), r.pick(6, 5), r.pick(14, 8)
	gas := idealGas()
	gas.Gravity = vec.New(0, -pull, 0)
	f := &vortex.Flow{}
	// Vortons around the source, which has the gas there give off.
	f.Fill(&vorticity.Noise{Size: vec.New(4, 4, 4).Mul(radius), Amplitude: 0.01}, cell, gas.Density, vortex.Blend{})
	f.Sources = []vortex.Source{{
		Region: &shape.Sphere{Radius: radius}, Temperature: gas.Temperature * (1 + warm), Flow: give, Burner: true, Stop: math.Inf(1),
	}}
	s := mesh(cell)
	s.Expansion = true
	s.Low, s.High = vec.New(-wide, -0.3, -wide), vec.New(wide, high, wide)

	p := newProfile(slab, high, cell, wide)
	n := 0
	err := r.flow(f, s, gas, end, int(math.Round(end*samples)), func() {
		if f.Time > settle {
			p.add(f, gas)
		}
		f.Fill(&vorticity.Noise{Size: vec.New(2, 2, 2).Mul(radius), Amplitude: stir, Seed: n}, cell, gas.Density, vortex.Blend{})
		n++
	})
	if err != nil {
		return nil, err
	}
	var width, speed, warmth, whole, carried, mean series
	for k := range p.rows {
		if z := (float64(k) + 0.5) * slab; z > first && z < last {
			q, m, b, all := p.fluxes(k)
			width.add(z, q/math.Sqrt(math.Pi*m))
			speed.add(z, m/q)
			warmth.add(z, b/q)
			whole.add(z, all/q)
			carried.add(z, all)
			mean.add(z, b/all)
		}
	}
	slope, start := width.line()
	origin := -start / slope
	alpha := slope * 5 / 6
	given := give * pull * warm / (1 + warm)
	var fits [3]series // by Morton, Taylor and Turner, for a plume with the same origin
	for _, z := range width.x {
		far := z - origin
		u := 5 / (6 * alpha) * math.Cbrt(0.9*alpha*given/(math.Pi*far))
		fits[0].add(z, float64(slope*far))
		fits[1].add(z, u)
		fits[2].add(z, given/(math.Pi*float64(slope*far)*float64(slope*far)*u))
	}
	plot := &figure.Plot{Columns: 3}
	for k, panel := range []struct {
		name, label string
		got         *series
	}{{"radius", "radius b [m]", &width}, {"speed", "speed u [m/s]", &speed}, {"buoyancy", "buoyancy g′ [m/s²]", &warmth}} {
		plot.Panels = append(plot.Panels, figure.Panel{
			Name: panel.name, X: figure.Axis{Label: "height z [m]"}, Y: figure.Axis{Label: panel.label},
			Curve: []figure.Curve{{Name: "simulated", X: panel.got.x, Y: panel.got.y, Dots: true}, {Name: fmt.Sprintf("theory, α = %.3f", alpha), X: fits[k].x, Y: fits[k].y}},
		})
	}
	return r.gasResult(f, cell, plot,
		number("entrainment coefficient α", "", alpha, 0.12, 0.12, r.pick(0.25, 0.6)),
		number("exponent of the speed", "", speed.power(origin), -1./3, 1, r.pick(0.1, 0.5)),
		number("exponent of the buoyancy", "", warmth.power(origin), -5./3, 1, r.pick(0.1, 0.6)),
		number("flux of buoyancy", "m⁴/s³", carried.average(), given, given, r.pick(0.05, 0.2)),
		note("share of it that the mean flow carries", "", mean.average()),
		note("exponent of the whole flux of buoyancy over the flux of volume", "", whole.power(origin)),
		note("height of the virtual origin", "m", origin)), nil
}

// profile has sums over rings around the y axis, in slabs from the height 0 on.
type profile struct {
	slab, ring float64 // height of a slab and width of a ring, m
	rows       [][]ringSum
	times      float64 // how often sums were added
}

// ringSum is what vortons in a ring have, times their volume.
type ringSum struct{ up, buoyancy, flux float64 }

func newProfile(slab, high, ring, wide float64) *profile {
	p := &profile{slab: slab, ring: ring, rows: make([][]ringSum, int(high/slab))}
	for k := range p.rows {
		p.rows[k] = make([]ringSum, int(wide/ring))
	}
	return p
}

// add adds a moment of a flow.
func (p *profile) add(f *vortex.Flow, gas *vortex.Gas) {
	p.times++
	for i, x := range f.Vortons.X {
		k, n := int(math.Floor(x.Y/p.slab)), int(math.Hypot(x.X, x.Z)/p.ring)
		if k < 0 || k >= len(p.rows) || n >= len(p.rows[k]) {
			continue
		}
		s, up := &p.rows[k][n], float64(f.Vortons.V[i].Y*f.Vortons.Volume(i))
		light := -gas.Gravity.Y * (1 - f.Vortons.Density[i]/gas.Density)
		s.up += up
		s.buoyancy += float64(light * f.Vortons.Volume(i))
		s.flux += float64(up * light)
	}
}

// fluxes returns the fluxes of volume, momentum and buoyancy of the mean flow in a slab, out to
// where it is a fiftieth of its speed on the axis, and the mean flux of all buoyancy.
func (p *profile) fluxes(k int) (q, m, b, all float64) {
	inside := true
	axis := 0.
	for n, s := range p.rows[k] {
		area := float64(math.Pi * p.ring * p.ring * float64(2*n+1))
		room := area * p.slab * p.times
		all += float64(s.flux / room * area)
		u := s.up / room
		if n == 0 {
			axis = u
		}
		if inside = inside && u > axis/50; inside {
			q += float64(u * area)
			m += float64(u * u * area)
			b += float64(u * s.buoyancy / room * area)
		}
	}
	return q, m, b, all
}
