package raster

import (
	"image"
	"math"

	"github.com/fogleman/fauxgl"

	"breakwater/raster/camera"
	"breakwater/raster/color"
	"breakwater/raster/coverage"
	"breakwater/raster/filter"
	"breakwater/raster/ground"
	"breakwater/raster/optics"
	"breakwater/raster/sky"
	"breakwater/sim/num"
	"breakwater/sim/vec"
)

// scene is all that is drawn, prepared for rendering.
type scene struct {
	*geometry
	view       *View
	lens       *camera.Lens
	sky        *sky.Sky
	floor      *ground.Floor
	tank       *Tank
	tankMotion vec.Vec3 // motion of the tank during the current cast, see moveOver, m
	water      optics.Medium
	// opaqueLiquid makes the liquid a solid body to light.
	opaqueLiquid bool
	size         float64    // longest side of all there is, m
	epsilon      float64    // distance at which two surfaces count as one, m
	firstWall    int        // first triangle of the tank's solid sides, which come after the solids
	panes        *panes     // of the vessels; nil for none
	occluders    *occluders // from the sky; nil for none
	media
	region image.Rectangle // of the picture that is worked out
}

func newScene(v *View, water optics.Medium) *scene {
	v, sides := v.withWalls()
	w := &scene{geometry: newGeometry(v), view: v, lens: camera.NewLens(v.Camera, v.Width, v.Height), sky: sky.New(v.Light, v.Paving.Mean()), tank: v.Tank, water: water}
	w.region = v.part()
	w.firstWall = w.liquid + w.solids - sides
	box := w.bounds
	if v.Tank != nil {
		box = box.Union(v.Tank.Box)
	}
	if v.Ground != nil {
		box = box.Union(*v.Ground)
	}
	if box.IsEmpty() { // nothing but the floor: the camera's target
		c := v.Camera.Target
		box = vec.Box{Min: c, Max: c}.Grow(v.Camera.Eye.Sub(c).Len() / 4)
	}
	s := box.Size()
	w.size = max(s.X, s.Y, s.Z)
	w.epsilon = 5e-6 * w.size
	w.shrinkSolids(4 * w.epsilon)
	// The floor's layout depends on objects at rest, so that it does not swim under a
	// splash.
	still := box
	if v.Tank != nil {
		still = v.Tank.Box
	}
	if v.Ground != nil {
		still = *v.Ground
	}
	w.floor = ground.New(v.Floor, still, v.Paving, w.sky)
	w.geometry.floor = w.floor
	w.panes, w.occluders = newPanes(v.Vessels), newOccluders(w)
	return w
}

// newFloorMap returns a map for the light on the floor, finer for larger
// pictures.
func (w *scene) newFloorMap() *ground.Map {
	box := w.shadowBounds()
	if len(w.lamps) > 0 { // which throw shadows to all sides
		size := box.Size()
		box = box.Grow(0.5 * max(size.X, size.Z))
		if w.sky.Sun() == (color.RGB{}) { // no shadow depends on the height
			box.Min.Y, box.Max.Y = w.floor.Y, w.floor.Y
		}
	}
	return ground.NewMap(box, w.floor.Y, w.sky.ToSun, int(w.lightCells()))
}

// lightCells returns the number of cells along the lit surface.
func (w *scene) lightCells() float64 {
	cells := w.lens.Width / 2
	switch w.view.Quality {
	case Draft:
		cells /= 2
	case Final:
		cells *= 1.5
	}
	return min(1024, max(64, cells))
}

// shadowBounds returns the box of all that may throw a shadow.
func (w *scene) shadowBounds() vec.Box {
	b := w.bounds
	if w.tank != nil {
		b = b.Union(w.tank.Box)
	}
	if !w.smoke.Empty() {
		b = b.Union(w.smoke.Bounds())
	}
	if b.IsEmpty() {
		b = vec.Box{Min: w.floor.Center, Max: w.floor.Center}.Grow(w.size / 2)
	}
	return b
}

// mapPass returns a pass whose pixels are the cells of m, each looked at along
// the line through its middle towards the direction to. From below it sees
// the undersides.
func (w *scene) mapPass(m *ground.Map, to vec.Vec3, below, layers bool) *coverage.Pass {
	// A point is first sheared along to onto the floor; then x and z are
	// spread over the map, and the height becomes the depth.
	low, high := w.floor.Y-w.size, w.bounds.Max.Y+w.size
	width, height := float64(m.Cell*float64(m.W)), float64(m.Cell*float64(m.H))
	x0, z0 := m.X-float64(m.Cell/2), m.Z-float64(m.Cell/2)
	sx, sz := to.X/to.Y, to.Z/to.Y
	turn := 1.0 // which way the height counts
	if below {
		turn = -1
	}
	y := w.floor.Y
	matrix := fauxgl.Matrix{
		X00: 2 / width, X01: float64(-2 / width * sx), X03: float64(2/width*(float64(sx*y)-x0)) - 1,
		X11: float64(2 / height * sz), X12: -2 / height, X13: 1 - float64(2/height*(float64(sz*y)-z0)),
		X21: -turn * 2 / (high - low), X23: turn * (high + low) / (high - low),
		X33: 1,
	}
	view := to.Mul(-turn)
	return &coverage.Pass{Width: m.W, Height: m.H, Matrix: matrix, Layers: layers, Sight: func(vec.Vec3) vec.Vec3 { return view }}
}

// addOcclusion darkens the sky's light on the floor: by as much of the sky as solids
// hide, and under and beside liquid that stands or floats low over it.
func (w *scene) addOcclusion(m *ground.Map) {
	up := vec.Vec3{Y: 1}
	covered := make([]float64, len(m.SkyVisibility))
	w.mapPass(m, up, true, false).Draw(len(w.tri), w.corners, func(tri int32, _ bool, x, y int) {
		dense := 1.0
		switch {
		case !w.blocksLight(tri): // light finds its way through water and glass
			dense = 0.6
		case w.kind(tri) == solid && int(tri) < w.firstWall: // of the shelter
			return
		}
		height := w.intersectPlane(m.Point(x, y), up, tri).T
		covered[y*m.W+x] = dense * num.Exp(-max(0, height)/(0.08*w.size))
	})
	copy(m.SkyVisibility, covered)
	filter.Blur(m.SkyVisibility, m.W, m.H, 0.035*w.size/m.Cell, 0)
	hidden := w.occluders.floorOcclusion(m, w.epsilon)
	for i, c := range m.SkyVisibility {
		m.SkyVisibility[i] = (1 - float64(0.75*c)) * (1 - float64(occlusionStrength*hidden[i]))
	}
}

// occlusionStrength is how much of the sky's light is missing where a solid hides it: the solid
// reflects a little of the light that it receives.
const occlusionStrength = 0.9

// crossing is where a ray passes a side of the tank.
type crossing struct {
	t      float64 // metres along the ray
	normal vec.Vec3
	cos    float64 // of incidence
	vessel bool    // it is of a vessel
}

// crossings returns the sides of tank and vessels that r passes before tmax,
// nearest first, and their number.
func (w *scene) crossings(r *ray, tmax float64) (c [mostPanes]crossing, n int) {
	o, d := r.o, r.d
	if w.panes != nil {
		n = w.panes.crossings(&c, n, o, d, tmax, w.epsilon)
	}
	if w.tank == nil {
		return c, n
	}
	o = w.relativeToTank(o, r.time)
	b := w.tank
	const slack = 1e-9 // the side's own coordinate, after rounding
	e := slack * w.size
	side := func(which int, t float64, normal vec.Vec3, cos float64) {
		if !b.hasPane(which) || !(t > 0 && t < tmax) {
			return
		}
		p := o.Add(d.Mul(t))
		if p.Y < b.Min.Y-e || p.Y > b.Max.Y+e || p.X < b.Min.X-e || p.X > b.Max.X+e || p.Z < b.Min.Z-e || p.Z > b.Max.Z+e {
			return
		}
		n = insert(&c, n, crossing{t: t, normal: normal, cos: math.Abs(cos)})
	}
	if d.X != 0 {
		side(0, (b.Min.X-o.X)/d.X, vec.Vec3{X: 1}, d.X)
		side(1, (b.Max.X-o.X)/d.X, vec.Vec3{X: 1}, d.X)
	}
	if d.Z != 0 {
		side(2, (b.Min.Z-o.Z)/d.Z, vec.Vec3{Z: 1}, d.Z)
		side(3, (b.Max.Z-o.Z)/d.Z, vec.Vec3{Z: 1}, d.Z)
	}
	return c, n
}

// relativeToTank returns p relative to the tank at the middle of its motion, where a ray sees the
// tank at the ray's own time.
func (w *scene) relativeToTank(p vec.Vec3, when float64) vec.Vec3 {
	return p.Sub(w.tankMotion.Mul(when - 0.5))
}

// onPane reports whether the liquid wets the glass at p: whether p touches a side of the
// tank or of a vessel. n is the surface normal at p, and when is the time of the ray.
func (w *scene) onPane(p, n vec.Vec3, when float64) bool {
	if w.panes != nil && w.panes.touches(p, n, contactGap*w.size) {
		return true
	}
	if w.tank == nil {
		return false
	}
	p = w.relativeToTank(p, when)
	b, e := w.tank, wetGap*w.size
	touches := func(which int, d float64) bool { return b.hasPane(which) && math.Abs(d) < e }
	x := math.Abs(n.X) > 0.99 && (touches(0, p.X-b.Min.X) || touches(1, p.X-b.Max.X))
	z := math.Abs(n.Z) > 0.99 && (touches(2, p.Z-b.Min.Z) || touches(3, p.Z-b.Max.Z))
	return x || z
}

// wetGap is how near to a glass side the liquid's wall counts as touching
// it, over the size of the scene: more than the rounding of mesh files.
const wetGap = 2e-4

var (
	glassTint = color.New(0.975, 0.988, 0.98) // of a pane
	barTint   = color.New(0.56, 0.77, 0.73)   // of the path along a pane, from edge to edge
)

// background returns the light from the direction d if only the floor and the sky are
// there.
func (w *scene) background(o, d vec.Vec3, width float64) color.RGB {
	t := w.floor.Distance(o, d)
	if math.IsInf(t, 1) {
		return w.sky.Radiance(d)
	}
	return w.floor.Radiance(o.Add(d.Mul(t)), d, width+float64(t*w.lens.PixelAngle()))
}

// shadeBar returns the colour of a bar of glass at p, where behind comes through. The edges
// of panes are ground round: no part of a bar mirrors as a face that is seen edge on does,
// which would come out as a dotted line where the bar is thinner than a pixel.
func (w *scene) shadeBar(p, d, n vec.Vec3, width float64, behind color.RGB) color.RGB {
	cos := max(0.4, math.Abs(d.Dot(n)))
	r, _ := optics.Fresnel(cos, 1/optics.GlassIndex)
	mirror := w.background(p, optics.Reflect(d, n), width)
	glow := w.sky.Irradiance(vec.Vec3{Y: 1}).Mul(barTint) // light led along the pane
	inner := behind.Mul(barTint).Lerp(glow, 0.3)
	return inner.Lerp(mirror, r)
}

// irradiance returns the radiance of a white matte surface with the unit normal n,
// which the given shares of the light of the sun and of the sky reach.
func (w *scene) irradiance(n vec.Vec3, sun color.RGB, open float64) color.RGB {
	e := w.sky.Irradiance(n).Scale(open)
	if c := n.Dot(w.sky.ToSun); c > 0 {
		e = e.Add(w.sky.Sun().Mul(sun).Scale(c))
	}
	return e
}

// blocksLight reports whether a triangle stops light.
func (w *scene) blocksLight(tri int32) bool {
	k := w.kind(tri)
	return k == solid && w.material(tri).Substance != Glass || k == liquid && w.opaqueLiquid
}
