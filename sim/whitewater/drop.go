package whitewater

import (
	"math"

	"breakwater/sim/dice"
	"breakwater/sim/num"
	"breakwater/sim/vec"
)

// Air at 20 °C.
const (
	airDensity   = 1.204   // kg/m³
	airViscosity = 1.82e-5 // Pa·s
)

const (
	bounce      = 0.2  // of the speed onto a wall
	rub         = 0.5  // of the speed along a wall
	clingSpeed  = 0.3  // m/s: slower drops stay on the wall they hit
	slideSpeed  = 0.1  // m/s: of drops on a wall, per unit of r²/s² − 1; see runDown
	slideMost   = 0.5  // m/s
	dense       = 1e-3 // share of the volume from which drops drag the air along
	splashSize  = 1e-3 // m: radius of drops that may take air under
	splashShare = 0.5  // of the air caught where liquid meets liquid: a drop makes a cavity that mostly opens again
	splashFast  = 1.0  // m/s: speed of these downwards, relative to the liquid
)

// dragRate returns the rate at which a drop of radius r loses its speed, 1/s, by the drag of a
// ball; see ballDrag.
func dragRate(r, speed, rho float64) float64 {
	re := 2 * r * speed * airDensity / airViscosity
	if re > newton {
		return 0.375 * newtonDrag * airDensity / rho * speed / r
	}
	return 4.5 * airViscosity / (rho * r * r) * ballDrag(re)
}

// From the Reynolds number newton on, the drag coefficient of a ball is nearly constant.
const newton, newtonDrag = 1500, 0.44

// ballDrag returns C_D Re/24 for 0 ≤ Re ≤ newton, to 4e-4 of it, by a table over the root of
// Re. C_D is by Schiller and Naumann up to Re = 90, where it meets the fits of Clift, Grace and
// Weber, Bubbles, Drops, and Particles, 1978, table 5.2, which are closer to measured drags
// above:
//
//	C_D = 24/Re (1 + 0.15 Re^0.687)                       up to Re = 90
//	C_D = 24/Re (1 + 0.1935 Re^0.6305)                    up to Re = 260
//	log₁₀ C_D = 1.6435 − 1.1242 w + 0.1558 w², w = log₁₀ Re   up to Re = 1500
func ballDrag(re float64) float64 {
	at := float64(math.Sqrt(re) * dragSteps)
	k := int(at)
	return dragTable[k] + float64((at-float64(k))*(dragTable[k+1]-dragTable[k]))
}

// dragSteps is the number of entries of dragTable in a unit of the root of Re.
const dragSteps = 16

var dragTable = func() (table [40*dragSteps + 1]float64) {
	for k := range table {
		re := float64(float64(k*k) / (dragSteps * dragSteps))
		switch {
		case re <= 90:
			table[k] = 1 + float64(0.15*num.Pow(re, 0.687))
		case re <= 260:
			table[k] = 1 + float64(0.1935*num.Pow(re, 0.6305))
		default:
			w := log10(re)
			table[k] = re / 24 * num.Pow(10, 1.6435-float64(1.1242*w)+float64(0.1558*w*w))
		}
	}
	return table
}()

// log10 returns the logarithm of x to base 10, for x from 100 to 10,000, with the same bits on every
// processor: by Newton's method from the logarithm of 1000.
func log10(x float64) float64 {
	ln := 3 * math.Ln10
	for range 8 {
		ln += float64(x*num.Exp(-ln)) - 1
	}
	return ln / math.Ln10
}

// drop moves a drop of spray or of mist.
func (m *mover) drop(i int, dt float64) {
	w, p := m.w, &m.w.state.Parcels
	x, v := p.At(i), p.Velocity(i)
	if p.Kind[i]&clinging != 0 {
		m.slide(i, x, v, dt)
		return
	}
	r := float64(p.R[i])
	air := w.set.Wind
	drag := 1.
	if q := w.voxels.at(x, &m.voxel); q != nil && q.spray > 0 {
		if p.Kind[i].Kind() == Mist {
			air = air.Add(wide(q.flux).Mul(0.5 / float64(q.spray))) // drops pull the air along
		} else {
			others := max(0, float64(q.spray)-volume(p.R[i], 1))
			loading := others / (dense * w.voxels.edge * w.voxels.edge * w.voxels.edge)
			drag = 1 / (1 + float64(loading*(1+float64(loading/2)))) // nearly e^(−loading)
		}
	}
	k := float64(drag * dt * dragRate(r, v.Sub(air).Len(), w.scene.Rho0))
	u := v.Add(w.scene.Gravity.Mul(dt)).Add(air.Mul(k)).Mul(1 / (1 + k))
	y := x.Add(v.Add(u).Mul(float64(0.5 * dt)))
	if k > 1 { // it has long lost its speed
		y = x.Add(u.Mul(dt))
	}
	hit := m.to(i, x, y)
	if p.Kind[i].fate() != alive {
		return
	}
	if hit.hit {
		rel := u.Sub(hit.v)
		onto := rel.Dot(hit.n)
		along := rel.Sub(hit.n.Mul(onto))
		if onto < 0 {
			rel = along.Mul(rub).Sub(hit.n.Mul(float64(bounce * onto)))
		}
		u = rel.Add(hit.v)
		if rel.Len() < clingSpeed {
			p.Kind[i] |= clinging
			p.Age[i] = 0
		}
	}
	p.V[i] = narrow(u)
	at := p.At(i)
	if w.nodes.at(at, &m.liquid, &m.near) && m.near.fill > 0.5 && m.near.w > 0.1 {
		m.land(i, max(0, u.Sub(m.near.v).Dot(w.scene.Gravity.Unit())))
	}
}

// land ends a drop that comes down onto the liquid at a speed, or makes bubbles of it. What liquid that
// flows along only takes up brings no air under.
func (m *mover) land(i int, speed float64) {
	w, p := m.w, &m.w.state.Parcels
	m.end(i, landed)
	if p.Kind[i].Kind() == Mist || float64(p.R[i]) < splashSize || speed < splashFast {
		return
	}
	die := dice.New(uint64(w.set.Seed), purposeSplash, p.ID[i])
	if die.Float(0) < splashShare*min(1, w.set.Air)*w.gate(speed) {
		p.Kind[i] |= splashed
	}
}

// slide moves a drop that clings to a wall down along it. A drop on a floor stays. One whose
// wall has gone falls.
func (m *mover) slide(i int, x, v vec.Vec3, dt float64) {
	w, p := m.w, &m.w.state.Parcels
	if p.Age[i] >= clingTime {
		m.end(i, clung)
		return
	}
	r := float64(p.R[i])
	d, n, wall := clearance(m.w.walls.about(&m.walls, x, w.voxels.block, r+w.scene.Spacing), x)
	if wall == nil || d-r > clingGap+float64(clingSlip*v.Len()*dt) {
		p.Kind[i] &^= clinging
		p.Age[i] = 0
		return
	}
	down := w.scene.Gravity.Sub(n.Mul(w.scene.Gravity.Dot(n)))
	moved := wall.Vel(x)
	v = moved.Add(down.Unit().Mul(runDown(r, down.Len(), &w.scene)))
	m.to(i, x, x.Add(v.Mul(dt)).Sub(n.Mul(max(0, d-r))))
	p.V[i] = narrow(v)
	if g := w.scene.Gravity; g.Dot(n) < -0.7*g.Len() {
		p.Age[i] = 0
	}
	if w.nodes.at(p.At(i), &m.liquid, &m.near) && m.near.fill > 0.5 && m.near.w > 0.1 {
		m.end(i, landed)
	}
}

// A drop clings as long as it is nearer to its wall than clingGap, m, and clingSlip of its way
// in the sub-step, in which the wall has moved as well.
const (
	clingGap  = 0.2e-3
	clingSlip = 2
)

// runDown returns the speed of a drop that runs down a wall, m/s, where gravity along the wall is g.
// It stays below the radius s at which the contact line holds its weight, 4π/3 ρ g s³ = w σ hold
// (Furmidge 1962), where w = 2 flat s is its width. Above, the speed is linear in r²/s² − 1
// (Podgorski, Flesselles and Limat 2001). Drops of water up to 1.4 mm stay on upright glass.
func runDown(r, g float64, scene *Scene) float64 {
	s2 := 3 * FlatDrop * clingHold * scene.SurfaceTension / (2 * math.Pi * scene.Rho0 * g)
	if !(r*r > s2) {
		return 0
	}
	return min(slideMost, slideSpeed*(r*r/s2-1))
}

// FlatDrop is the radius of the wet spot of a drop on a wall over the radius of the drop in the
// air: of a spherical cap with a contact angle of 40°, between clean and greasy glass.
const FlatDrop = 1.9

// clingHold is the difference of the cosines of the receding and the advancing contact angle.
const clingHold = 0.3
