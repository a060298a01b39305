package raster

import (
	"math"

	"breakwater/raster/color"
	"breakwater/raster/ground"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// emberShare is the edge of the cubes whose flames are in one lamp, over the size of the
// scene.
const emberShare = 0.02

// smokeLamps is the number of lamps that flames are for what is around them.
var smokeLamps = map[Quality]int{Draft: 8, Good: 16, Final: 32}

// lampLight returns the irradiance over π of the lamps on a surface at p with the unit
// normal n. Solids shade them if clear is given, which reports whether a way is free.
func (m *media) lampLight(p, n vec.Vec3, clear func(p, d vec.Vec3, far float64) bool) color.RGB {
	sum, _ := m.lampsSeen(p, n, clear)
	return sum
}

// lampsSeen returns what lampLight does, and a bit for each lamp that solids do not shade.
func (m *media) lampsSeen(p, n vec.Vec3, clear func(p, d vec.Vec3, far float64) bool) (sum color.RGB, seen uint64) {
	for i := range m.lamps {
		l := &m.lamps[i]
		e := l.Irradiance(p, n)
		if e == (vec.Vec3{}) {
			continue
		}
		way := l.At.Sub(p)
		far := way.Len()
		d := way.Mul(1 / far)
		if clear != nil && !clear(p, d, far) {
			continue
		}
		seen |= 1 << i
		sum = sum.Add(rgb(e).Scale(m.smokeTransmittance(p, d, far)))
	}
	return sum, seen
}

// The light of lamps on the floor is known at each lampStride-th cell of its map along both
// sides. In the square between four of them it is interpolated if the same lamps light the
// four, and their luminances differ by at most a share of lampContrast. Elsewhere it is
// computed at each cell, so that shadows keep their edges.
const (
	lampStride   = 4
	lampContrast = 0.25
)

// addLamps adds the light of the lamps to the map of the floor.
func (w *scene) addLamps(m *ground.Map, clear func(p, d vec.Vec3, far float64) bool) {
	if len(w.lamps) == 0 {
		return
	}
	type node struct {
		light color.RGB
		seen  uint64
	}
	up := m.Normal
	at := func(i, j int) (n node) {
		n.light, n.seen = w.lampsSeen(m.Point(i, j).Add(up.Mul(w.epsilon)), up, clear)
		return n
	}
	// The nodes are the corners of squares, which may reach beyond the map.
	wide, deep := (m.W+lampStride-1)/lampStride, (m.H+lampStride-1)/lampStride
	nodes := make([]node, (wide+1)*(deep+1))
	par.Each(deep+1, func(j int) {
		for i := range wide + 1 {
			nodes[j*(wide+1)+i] = at(i*lampStride, j*lampStride)
		}
	})
	m.Lamps = make([]color.RGB, m.W*m.H)
	par.Each(deep, func(j int) {
		for i := range wide {
			row, next := nodes[j*(wide+1)+i:], nodes[(j+1)*(wide+1)+i:]
			c := [4]node{row[0], row[1], next[0], next[1]}
			low, high, smooth := math.Inf(1), 0.0, true
			for _, n := range c {
				y := n.light.Luminance()
				low, high, smooth = min(low, y), max(high, y), smooth && n.seen == c[0].seen
			}
			smooth = smooth && high-low <= lampContrast*high
			for z := j * lampStride; z < min(m.H, (j+1)*lampStride); z++ {
				for x := i * lampStride; x < min(m.W, (i+1)*lampStride); x++ {
					to, u, v := &m.Lamps[z*m.W+x], float64(x%lampStride)/lampStride, float64(z%lampStride)/lampStride
					switch {
					case u == 0 && v == 0:
						*to = c[0].light
					case smooth:
						*to = c[0].light.Lerp(c[1].light, u).Lerp(c[2].light.Lerp(c[3].light, u), v)
					default:
						*to = at(x, z).light
					}
				}
			}
		}
	})
	m.Open = w.farLamps(m, clear)
}

// The table of the light beyond a map of the floor: circles, the last of which is infinitely
// far away, and points on each.
const farRings, farSpokes = 48, 128

// farLamps returns the light of the lamps beyond the map m. It is smooth there, but for the
// edges of wide shadows: a table over circles about the middle of the map has it within a
// few parts in a thousand of the light at the map's edge.
func (w *scene) farLamps(m *ground.Map, clear func(p, d vec.Vec3, far float64) bool) func(x, z float64) color.RGB {
	wide, deep := float64(m.Cell*float64(m.W-1)/2), float64(m.Cell*float64(m.H-1)/2)
	cx, cz, unit := m.X+wide, m.Z+deep, math.Hypot(wide, deep)
	near := min(wide, deep)
	first := near / (near + unit) // circle k is at the distance r with r/(r + unit) in even steps to 1
	table := make([]color.RGB, (farRings+1)*farSpokes)
	par.Each(farRings, func(k int) {
		u := first + (1-first)*float64(k)/farRings
		r := unit * u / (1 - u)
		for s := range farSpokes {
			sin, cos := math.Sincos(float64(2 * math.Pi * float64(s) / farSpokes))
			p := m.Origin.Add(m.U.Mul(cx + float64(r*cos))).Add(m.V.Mul(cz + float64(r*sin)))
			table[k*farSpokes+s] = w.lampLight(p.Add(m.Normal.Mul(w.epsilon)), m.Normal, clear)
		}
	})
	return func(x, z float64) color.RGB {
		x, z = x-cx, z-cz
		r := math.Hypot(x, z)
		k := min(farRings-1e-9, max(0, float64((r/(r+unit)-first)/(1-first)*farRings)))
		s := float64(math.Atan2(z, x) / (2 * math.Pi) * farSpokes)
		if s < 0 {
			s += farSpokes
		}
		i, j := int(k), int(s)
		u, v := k-float64(i), s-float64(j)
		row, next := table[i*farSpokes:][:farSpokes], table[(i+1)*farSpokes:][:farSpokes]
		j, l := j%farSpokes, (j+1)%farSpokes
		return row[j].Lerp(row[l], v).Lerp(next[j].Lerp(next[l], v), u)
	}
}
