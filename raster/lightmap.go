package raster

import (
	"math"

	"breakwater/raster/color"
	"breakwater/raster/filter"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// lightMap is the light that reaches the floor, or a side of the tank, relative to the
// open. It is a grid of cells over the part where it differs from 1.
type lightMap struct {
	plane
	x, z, cell    float64 // centre of cell (0, 0) and the cells' side, m
	w, h          int
	below         int                          // rows that no beam reaches, under the floor
	sun           []color.RGB                  // share of the sun's light; above 1 where water gathers it
	skyVisibility []float64                    // share of the sky's light
	lamps         []color.RGB                  // irradiance over π of flames; nil for none
	open          func(x, z float64) color.RGB // likewise beyond the map
}

// plane has coordinates x and z, as the floor does.
type plane struct {
	origin, u, v vec.Vec3 // where both are 0, and their unit directions
	normal       vec.Vec3 // to where the light comes from
}

// floorPlane returns the plane of the floor at the height y.
func floorPlane(y float64) plane {
	return plane{vec.Vec3{Y: y}, vec.Vec3{X: 1}, vec.Vec3{Z: 1}, vec.Vec3{Y: 1}}
}

// coordinates returns the coordinates of a point of the plane.
func (l *plane) coordinates(p vec.Vec3) (x, z float64) {
	p = p.Sub(l.origin)
	return p.Dot(l.u), p.Dot(l.v)
}

// distance returns how far the plane's front is from o along d, +Inf if it is not.
func (l *plane) distance(o, d vec.Vec3) float64 {
	c := d.Dot(l.normal)
	if c >= 0 {
		return math.Inf(1)
	}
	return max(0, l.origin.Sub(o).Dot(l.normal)/c)
}

// newLightMap returns a map wide enough for all shadows of the objects in box, with the
// given number of cells along its longer side, lit as in the open.
func newLightMap(box vec.Box, floor float64, toSun vec.Vec3, cells int) *lightMap {
	shade := vec.Empty()
	for _, p := range box.Corners() {
		shade = shade.Include(p).Include(p.Sub(toSun.Mul((p.Y - floor) / toSun.Y)))
	}
	s := box.Size()
	shade = shade.Grow(0.25 * max(s.X, s.Z)) // room for the shadow of the sky
	size := shade.Size()
	// Objects there may move from frame to frame; the cells stay where they are, and
	// change their size in steps of a fifth.
	m := &lightMap{plane: floorPlane(floor), cell: math.Exp2(math.Ceil(4*math.Log2(max(size.X, size.Z)/float64(cells))) / 4)}
	x0, z0 := math.Floor(shade.Min.X/m.cell), math.Floor(shade.Min.Z/m.cell)
	m.w, m.h = int(math.Ceil(shade.Max.X/m.cell)-x0), int(math.Ceil(shade.Max.Z/m.cell)-z0)
	m.x, m.z = (x0+0.5)*m.cell, (z0+0.5)*m.cell
	m.clear()
	return m
}

// clear lights m as in the open.
func (m *lightMap) clear() {
	m.sun, m.skyVisibility = make([]color.RGB, m.w*m.h), make([]float64, m.w*m.h)
	for i := range m.sun {
		m.sun[i], m.skyVisibility[i] = color.New(1, 1, 1), 1
	}
}

// at returns the light at (x, z), interpolated between the cells.
func (m *lightMap) at(x, z float64) (sun color.RGB, open float64) {
	u, v := (x-m.x)/m.cell, (z-m.z)/m.cell
	if !(u >= 0 && v >= 0 && u < float64(m.w-1) && v < float64(m.h-1)) {
		return color.New(1, 1, 1), 1
	}
	i, j := int(u), int(v)
	u, v = u-float64(i), v-float64(j)
	k := j*m.w + i
	sun = m.sun[k].Lerp(m.sun[k+1], u).Lerp(m.sun[k+m.w].Lerp(m.sun[k+m.w+1], u), v)
	a := m.skyVisibility[k] + float64(u*(m.skyVisibility[k+1]-m.skyVisibility[k]))
	b := m.skyVisibility[k+m.w] + float64(u*(m.skyVisibility[k+m.w+1]-m.skyVisibility[k+m.w]))
	return sun, a + float64(v*(b-a))
}

// lampsAt returns the irradiance over π of flames at (x, z).
func (m *lightMap) lampsAt(x, z float64) color.RGB {
	if m.lamps == nil {
		return color.RGB{}
	}
	u, v := (x-m.x)/m.cell, (z-m.z)/m.cell
	if !(u >= 0 && v >= 0 && u < float64(m.w-1) && v < float64(m.h-1)) {
		return m.open(x, z)
	}
	i, j := int(u), int(v)
	u, v = u-float64(i), v-float64(j)
	k := j*m.w + i
	return m.lamps[k].Lerp(m.lamps[k+1], u).Lerp(m.lamps[k+m.w].Lerp(m.lamps[k+m.w+1], u), v)
}

// point returns the middle of cell (i, j).
func (m *lightMap) point(i, j int) vec.Vec3 {
	return m.origin.Add(m.u.Mul(m.x + float64(float64(i)*m.cell))).Add(m.v.Mul(m.z + float64(float64(j)*m.cell)))
}

// each calls f for the cells of m, in parallel.
func (m *lightMap) each(f func(i, j int)) {
	par.Each(m.h, func(j int) {
		for i := range m.w {
			f(i, j)
		}
	})
}

// landing is where a sunbeam ends, and its remaining light.
type landing struct {
	x, z  float64   // in cells
	light color.RGB // zero if it never lands
}

// splat adds a share of the beams. Beam (i, j) would land in cell (i, j) if nothing
// deflected it. Its width is the distance to its neighbours' landings. The map is
// therefore exactly 1 where nothing bends the light, and has no gaps where water spreads
// it. This is photon mapping (Jensen 1996) with beams on a grid and no randomness, so
// that it stays still from frame to frame.
func (m *lightMap) splat(beams []landing, share float64) {
	const widest = 4 // cells; wider beams come from splinters of the surface
	var wx, wz [2*widest + 2]float64
	for j := range m.h {
		for i := range m.w {
			b := beams[j*m.w+i]
			if b.light == (color.RGB{}) {
				continue
			}
			width := 1.0
			for _, n := range [2][2]int{{min(i+1, m.w-1), j}, {i, min(j+1, m.h-1)}} {
				if o := beams[n[1]*m.w+n[0]]; o.light != (color.RGB{}) {
					width = max(width, math.Abs(o.x-b.x), math.Abs(o.z-b.z))
				}
			}
			width = min(width, widest)
			x0, nx := tent(wx[:], b.x, width)
			z0, nz := tent(wz[:], b.z, width)
			for v := range nz {
				z := z0 + v
				if z < 0 || z >= m.h {
					continue
				}
				for u := range nx {
					if x := x0 + u; x >= 0 && x < m.w {
						k := z*m.w + x
						m.sun[k] = m.sun[k].Add(b.light.Scale(share * wx[u] * wz[v]))
					}
				}
			}
		}
	}
}

// tent fills w with the weights, of sum 1, of a tent of the given half width
// about x, and returns the first cell and the number of cells.
func tent(w []float64, x, width float64) (first, n int) {
	first = int(math.Floor(x-width)) + 1
	sum := 0.0
	for float64(first+n) < x+width {
		w[n] = 1 - math.Abs(float64(first+n)-x)/width
		sum += w[n]
		n++
	}
	for i := range n {
		w[i] /= sum
	}
	return first, n
}

// unshadeBorder lights the outermost cells, which nothing shades, as in the open.
func (m *lightMap) unshadeBorder() {
	for i := range m.w {
		m.sun[i], m.sun[(m.h-1)*m.w+i] = color.New(1, 1, 1), color.New(1, 1, 1)
	}
	for j := range m.h {
		m.sun[j*m.w], m.sun[j*m.w+m.w-1] = color.New(1, 1, 1), color.New(1, 1, 1)
	}
}

// fillBelow lights everything under the floor like the points just above it.
func (m *lightMap) fillBelow() {
	for j := range m.below {
		copy(m.sun[j*m.w:][:m.w], m.sun[m.below*m.w:])
	}
}

// sunBlur is about how much, in cells, the width of the sun's disc blurs its
// light.
func (m *lightMap) sunBlur() float64 {
	return max(0.8, 0.002*float64(max(m.w, m.h))) // from the height of the scene: 0.5° over about a third of the map
}

// blurSun blurs the sun's light by sigma cells.
func (m *lightMap) blurSun(sigma float64) {
	channel := make([]float64, len(m.sun))
	for _, c := range []func(*color.RGB) *float64{
		func(c *color.RGB) *float64 { return &c.R }, func(c *color.RGB) *float64 { return &c.G }, func(c *color.RGB) *float64 { return &c.B },
	} {
		for i := range m.sun {
			channel[i] = *c(&m.sun[i])
		}
		filter.Blur(channel, m.w, m.h, sigma, 1)
		for i := range m.sun {
			*c(&m.sun[i]) = channel[i]
		}
	}
}
