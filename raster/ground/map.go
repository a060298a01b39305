package ground

import (
	"math"

	"breakwater/raster/color"
	"breakwater/raster/filter"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// Map is the light that reaches the floor, or a side of the tank, relative to the
// open. It is a grid of cells over the part where it differs from 1.
type Map struct {
	Plane
	X, Z, Cell    float64 // centre of cell (0, 0) and the cells' side, m
	W, H          int
	Below         int                          // rows that no beam reaches, under the floor
	Sun           []color.RGB                  // share of the sun's light; above 1 where water gathers it
	SkyVisibility []float64                    // share of the sky's light
	Lamps         []color.RGB                  // irradiance over π of flames; nil for none
	Open          func(x, z float64) color.RGB // likewise beyond the map
}

// Plane has coordinates x and z, as the floor does.
type Plane struct {
	Origin, U, V vec.Vec3 // where both are 0, and their unit directions
	Normal       vec.Vec3 // to where the light comes from
}

// floorPlane returns the plane of the floor at the height y.
func floorPlane(y float64) Plane {
	return Plane{vec.Vec3{Y: y}, vec.Vec3{X: 1}, vec.Vec3{Z: 1}, vec.Vec3{Y: 1}}
}

// Coordinates returns the coordinates of a point of the plane.
func (l *Plane) Coordinates(p vec.Vec3) (x, z float64) {
	p = p.Sub(l.Origin)
	return p.Dot(l.U), p.Dot(l.V)
}

// Distance returns how far the plane's front is from o along d, +Inf if it is not.
func (l *Plane) Distance(o, d vec.Vec3) float64 {
	c := d.Dot(l.Normal)
	if c >= 0 {
		return math.Inf(1)
	}
	return max(0, l.Origin.Sub(o).Dot(l.Normal)/c)
}

// NewMap returns a map wide enough for all shadows of the objects in box, with the
// given number of cells along its longer side, lit as in the open.
func NewMap(box vec.Box, floor float64, toSun vec.Vec3, cells int) *Map {
	shade := vec.Empty()
	for _, p := range box.Corners() {
		shade = shade.Include(p).Include(p.Sub(toSun.Mul((p.Y - floor) / toSun.Y)))
	}
	s := box.Size()
	shade = shade.Grow(0.25 * max(s.X, s.Z)) // room for the shadow of the sky
	size := shade.Size()
	// Objects there may move from frame to frame; the cells stay where they are, and
	// change their size in steps of a fifth.
	m := &Map{Plane: floorPlane(floor), Cell: math.Exp2(math.Ceil(4*math.Log2(max(size.X, size.Z)/float64(cells))) / 4)}
	x0, z0 := math.Floor(shade.Min.X/m.Cell), math.Floor(shade.Min.Z/m.Cell)
	m.W, m.H = int(math.Ceil(shade.Max.X/m.Cell)-x0), int(math.Ceil(shade.Max.Z/m.Cell)-z0)
	m.X, m.Z = (x0+0.5)*m.Cell, (z0+0.5)*m.Cell
	m.Clear()
	return m
}

// Clear lights m as in the open.
func (m *Map) Clear() {
	m.Sun, m.SkyVisibility = make([]color.RGB, m.W*m.H), make([]float64, m.W*m.H)
	for i := range m.Sun {
		m.Sun[i], m.SkyVisibility[i] = color.New(1, 1, 1), 1
	}
}

// At returns the light at (x, z), interpolated between the cells.
func (m *Map) At(x, z float64) (sun color.RGB, open float64) {
	u, v := (x-m.X)/m.Cell, (z-m.Z)/m.Cell
	if !(u >= 0 && v >= 0 && u < float64(m.W-1) && v < float64(m.H-1)) {
		return color.New(1, 1, 1), 1
	}
	i, j := int(u), int(v)
	u, v = u-float64(i), v-float64(j)
	k := j*m.W + i
	sun = m.Sun[k].Lerp(m.Sun[k+1], u).Lerp(m.Sun[k+m.W].Lerp(m.Sun[k+m.W+1], u), v)
	a := m.SkyVisibility[k] + float64(u*(m.SkyVisibility[k+1]-m.SkyVisibility[k]))
	b := m.SkyVisibility[k+m.W] + float64(u*(m.SkyVisibility[k+m.W+1]-m.SkyVisibility[k+m.W]))
	return sun, a + float64(v*(b-a))
}

// lampsAt returns the irradiance over π of flames at (x, z).
func (m *Map) lampsAt(x, z float64) color.RGB {
	if m.Lamps == nil {
		return color.RGB{}
	}
	u, v := (x-m.X)/m.Cell, (z-m.Z)/m.Cell
	if !(u >= 0 && v >= 0 && u < float64(m.W-1) && v < float64(m.H-1)) {
		return m.Open(x, z)
	}
	i, j := int(u), int(v)
	u, v = u-float64(i), v-float64(j)
	k := j*m.W + i
	return m.Lamps[k].Lerp(m.Lamps[k+1], u).Lerp(m.Lamps[k+m.W].Lerp(m.Lamps[k+m.W+1], u), v)
}

// Point returns the middle of cell (i, j).
func (m *Map) Point(i, j int) vec.Vec3 {
	return m.Origin.Add(m.U.Mul(m.X + float64(float64(i)*m.Cell))).Add(m.V.Mul(m.Z + float64(float64(j)*m.Cell)))
}

// Each calls f for the cells of m, in parallel.
func (m *Map) Each(f func(i, j int)) {
	par.Each(m.H, func(j int) {
		for i := range m.W {
			f(i, j)
		}
	})
}

// Landing is where a sunbeam ends, and its remaining light.
type Landing struct {
	X, Z  float64   // in cells
	Light color.RGB // zero if it never lands
}

// Splat adds a share of the beams. Beam (i, j) would land in cell (i, j) if nothing
// deflected it. Its width is the distance to its neighbours' landings. The map is
// therefore exactly 1 where nothing bends the light, and has no gaps where water spreads
// it. This is photon mapping (Jensen 1996) with beams on a grid and no randomness, so
// that it stays still from frame to frame.
func (m *Map) Splat(beams []Landing, share float64) {
	const widest = 4 // cells; wider beams come from splinters of the surface
	var wx, wz [2*widest + 2]float64
	for j := range m.H {
		for i := range m.W {
			b := beams[j*m.W+i]
			if b.Light == (color.RGB{}) {
				continue
			}
			width := 1.0
			for _, n := range [2][2]int{{min(i+1, m.W-1), j}, {i, min(j+1, m.H-1)}} {
				if o := beams[n[1]*m.W+n[0]]; o.Light != (color.RGB{}) {
					width = max(width, math.Abs(o.X-b.X), math.Abs(o.Z-b.Z))
				}
			}
			width = min(width, widest)
			x0, nx := tent(wx[:], b.X, width)
			z0, nz := tent(wz[:], b.Z, width)
			for v := range nz {
				z := z0 + v
				if z < 0 || z >= m.H {
					continue
				}
				for u := range nx {
					if x := x0 + u; x >= 0 && x < m.W {
						k := z*m.W + x
						m.Sun[k] = m.Sun[k].Add(b.Light.Scale(share * wx[u] * wz[v]))
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

// UnshadeBorder lights the outermost cells, which nothing shades, as in the open.
func (m *Map) UnshadeBorder() {
	for i := range m.W {
		m.Sun[i], m.Sun[(m.H-1)*m.W+i] = color.New(1, 1, 1), color.New(1, 1, 1)
	}
	for j := range m.H {
		m.Sun[j*m.W], m.Sun[j*m.W+m.W-1] = color.New(1, 1, 1), color.New(1, 1, 1)
	}
}

// FillBelow lights everything under the floor like the points just above it.
func (m *Map) FillBelow() {
	for j := range m.Below {
		copy(m.Sun[j*m.W:][:m.W], m.Sun[m.Below*m.W:])
	}
}

// SunBlur is about how much, in cells, the width of the sun's disc blurs its
// light.
func (m *Map) SunBlur() float64 {
	return max(0.8, 0.002*float64(max(m.W, m.H))) // from the height of the scene: 0.5° over about a third of the map
}

// BlurSun blurs the sun's light by sigma cells.
func (m *Map) BlurSun(sigma float64) {
	channel := make([]float64, len(m.Sun))
	for _, c := range []func(*color.RGB) *float64{
		func(c *color.RGB) *float64 { return &c.R }, func(c *color.RGB) *float64 { return &c.G }, func(c *color.RGB) *float64 { return &c.B },
	} {
		for i := range m.Sun {
			channel[i] = *c(&m.Sun[i])
		}
		filter.Blur(channel, m.W, m.H, sigma, 1)
		for i := range m.Sun {
			*c(&m.Sun[i]) = channel[i]
		}
	}
}
