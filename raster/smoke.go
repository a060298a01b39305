package raster

import (
	"fmt"
	"image"
	"math"

	"breakwater/raster/bvh"
	"breakwater/raster/color"
	"breakwater/raster/ground"
	"breakwater/raster/march"
	"breakwater/raster/optics"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// Volume is a gas in voxels. The channels of its fields are the shares of the space that
// smoke, flames and the zone of reaction fill, and the share of the first two times their
// temperature in K.
type Volume struct {
	Edge   float64  // of a voxel, m
	Origin vec.Vec3 // the middle of the voxel 0, 0, 0
	Fields []march.Field

	Ambient float64 // temperature of the gas around, K; 0 for 293
}

// GasShares returns the channels of a Volume where smoke, flames and fuel fill the given
// shares of the space, and the first two have a temperature in K.
func GasShares(smoke, flame, fuel, kelvin float64) (of [march.Channels]float32) {
	if smoke+flame == 0 {
		return of
	}
	all := smoke + flame + fuel
	soot := flame * (smoke + flame) / all // it has not formed where fuel begins to burn
	of[smokeShare], of[flameShare] = float32(smoke), float32(soot)
	of[reactionShare], of[heatShare] = float32(4*fuel*flame/all), float32((smoke+soot)*kelvin)
	return of
}

// media is a gas in a picture, and the light that it gives.
type media struct {
	smoke *march.Cloud // nil for none
	step  float64      // of rays, in voxels
	lamps []march.Lamp
}

// smokeLight is how a medium scatters light.
type smokeLight struct {
	albedo     vec.Vec3
	anisotropy float64
}

// Steps along rays in voxels, by quality. The values between voxels are linear, so a
// shorter step than half a voxel shows nothing more.
var smokeSteps = map[Quality]float64{Draft: 1.5, Good: 1, Final: 0.5}

// smokeEfforts are the work for light that is scattered many times.
var smokeEfforts = map[Quality]march.Effort{Draft: march.Least, Good: march.Usual, Final: march.Most}

// drawSmoke draws v with a medium of leaves. Their voxels have the given edge in m, and the middle
// of the voxel 0, 0, 0 is at the origin.
func drawSmoke(v *View, leaves []march.Leaf, edge float64, origin vec.Vec3, s smokeLight) (*image.RGBA, error) {
	cloud, err := march.New(leaves, edge)
	if err != nil {
		return nil, fmt.Errorf("raster: %w", err)
	}
	cloud.MoveTo(origin)
	w := newScene(v, optics.Medium{Index: 1})
	w.opaqueLiquid = true
	if v.Quality == Draft {
		w.illuminate(cloud, s, nil)
		return color.Develop(w.draft(func(*scene, *buffers, int, ray) color.RGB { return color.RGB{} }), v.Width, v.Light.Gain()), nil
	}
	t := newTracer(w)
	t.shadeOpaque(func(ray, bvh.Hit) color.RGB { return color.RGB{} })
	var shade func(p vec.Vec3) float64
	if len(w.tri) > 0 {
		shade = func(p vec.Vec3) float64 { return t.sunTransmittance(p, 0.5).Luminance() }
	}
	w.illuminate(cloud, s, shade)
	return color.Develop(t.draw(), v.Width, v.Light.Gain()), nil
}

// illuminate lights a medium and puts it into the scene.
func (w *scene) illuminate(c *march.Cloud, s smokeLight, shade func(p vec.Vec3) float64) {
	q := w.view.Quality
	below := w.floor.Direct.Add(w.floor.Ambient).Mul(w.floor.Paving.Mean()).Vec()
	c.Illuminate(march.Light{
		ToSun: w.sky.ToSun,
		Sun:   w.sky.Sun().Scale(math.Pi).Vec(),
		Shade: shade,
		Around: func(d vec.Vec3) vec.Vec3 {
			if d.Y < 0 {
				return below
			}
			return w.sky.WithoutSun(d).Vec()
		},
		Albedo: s.albedo, Anisotropy: s.anisotropy, Effort: smokeEfforts[q],
	})
	if c.Empty() {
		return
	}
	w.smoke, w.step = c, smokeSteps[q]
	w.lamps = c.Lamps(smokeLamps[q], emberShare*w.size)
}

// emberShare is the edge of the cubes whose flames are in one lamp, over the size of the
// scene.
const emberShare = 0.02

// smokeLamps is the number of lamps that flames are for what is around them.
var smokeLamps = map[Quality]int{Draft: 8, Good: 16, Final: 32}

// overSmoke adds the medium before the distance end along r to the light behind it, and
// returns the share of that which comes through.
func (m *media) overSmoke(r *ray, end float64, behind color.RGB) (c color.RGB, left float64) {
	if m.smoke == nil {
		return behind, 1
	}
	light, left := m.smoke.Gather(r.o, r.d, 0, end, m.step)
	return behind.Scale(left).Add(rgb(light)), left
}

// smokeTransmittance returns the share of light that comes through the medium along a ray.
func (m *media) smokeTransmittance(o, d vec.Vec3, far float64) float64 {
	if m.smoke == nil {
		return 1
	}
	return m.smoke.Through(o, d, 0, far)
}

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
					to := &m.Lamps[z*m.W+x]
					if !smooth {
						*to = at(x, z).light
						continue
					}
					u, v := float64(x%lampStride)/lampStride, float64(z%lampStride)/lampStride
					*to = c[0].light.Lerp(c[1].light, u).Lerp(c[2].light.Lerp(c[3].light, u), v)
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
