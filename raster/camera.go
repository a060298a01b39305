package raster

import (
	"math"

	"github.com/fogleman/fauxgl"

	"breakwater/sim/vec"
)

// Camera is a camera, level but for its roll. The scene's [camera] table decodes
// into it.
type Camera struct {
	Eye      vec.Vec3 `toml:"eye" unit:"m" doc:"Position of the camera."`
	Target   vec.Vec3 `toml:"target" unit:"m" doc:"Point that appears in the middle of the picture."`
	Focal    float64  `toml:"focal" unit:"mm" range:"[8, 400]" doc:"Focal length for a sensor 36 mm wide."`
	Aperture float64  `toml:"aperture" unit:"1" range:"[0, 64]" doc:"f-number of the lens, such as 2.8 for f/2.8. Objects away from the focus distance are blurred, except in draft quality. 0 keeps everything sharp."`
	Focus    float64  `toml:"focus" unit:"m" range:"[0, inf)" doc:"Distance along the line of sight at which the picture is sharp, if there is an aperture. 0 focuses on the target."`
	Roll     float64  `toml:"roll" unit:"deg" range:"[-180, 180]" doc:"Rotation of the camera about its line of sight, clockwise; 0 keeps the horizon level."`
}

// sensor is the width of the film that focal lengths refer to, mm.
const sensor = 36

// Azimuth is where a camera stands by default, in degrees from +z towards +x.
const Azimuth = 27

// Behind returns the direction from the target of a camera of FrameRound to the camera.
func Behind(azimuth float64) vec.Vec3 {
	const elevation = 15 * math.Pi / 180
	return vec.Vec3{
		X: math.Sin(azimuth*math.Pi/180) * math.Cos(elevation),
		Y: math.Sin(elevation),
		Z: math.Cos(azimuth*math.Pi/180) * math.Cos(elevation),
	}
}

// FrameRound returns a camera as Frame does, at an azimuth in degrees, with a lens of
// the given focal length in mm, that still shows all of tank after a turn about the
// vertical line through the tank's middle, by at most the given angle in degrees.
func FrameRound(tank vec.Box, focal, turn, azimuth float64, width, height int) Camera {
	const fill = 0.80 // of the picture's width or height
	back := Behind(azimuth)
	// A camera that goes round sees the tank turn the other way.
	turn = math.Copysign(min(360, math.Abs(turn)), turn)
	steps := int(math.Ceil(math.Abs(turn) / 5))
	middle := tank.Center()
	var seen []vec.Vec3
	for k := range steps + 1 {
		sin, cos := math.Sincos(-turn * float64(k) / float64(max(1, steps)) * math.Pi / 180)
		for i := range 8 {
			p := corner(tank, i).Sub(middle)
			seen = append(seen, middle.Add(vec.Vec3{X: p.X*cos + p.Z*sin, Y: p.Y, Z: p.Z*cos - p.X*sin}))
		}
	}
	c := Camera{Target: middle, Focal: focal}
	dist := 3 * tank.Size().Len() * max(1, focal/40)
	// Each round centres the tank's outline and scales the distance to fit.
	for range 12 {
		c.Eye = c.Target.Add(back.Mul(dist))
		l := newLens(c, width, height)
		x0, x1, y0, y1 := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
		for _, p := range seen {
			x, y, _ := l.project(p)
			x0, x1, y0, y1 = min(x0, x), max(x1, x), min(y0, y), max(y1, y)
		}
		w, h := float64(width), float64(height)
		perPixel := 2 * l.tanX * dist / w // metres at the target
		c.Target = c.Target.Add(l.right.Mul(((x0+x1)/2 - w/2) * perPixel)).Add(l.up.Mul((h/2 - (y0+y1)/2) * perPixel))
		dist *= max((x1-x0)/w, (y1-y0)/h) / fill
	}
	c.Eye = c.Target.Add(back.Mul(dist))
	return c
}

// corner returns the i-th of the eight corners of b.
func corner(b vec.Box, i int) vec.Vec3 {
	p := b.Min
	if i&1 != 0 {
		p.X = b.Max.X
	}
	if i&2 != 0 {
		p.Y = b.Max.Y
	}
	if i&4 != 0 {
		p.Z = b.Max.Z
	}
	return p
}

// lens is a camera made ready for pictures of one size.
type lens struct {
	eye             vec.Vec3
	right, up, back vec.Vec3 // unit
	tanX, tanY      float64  // of half the field of view
	width, height   float64  // px
	aperture        float64  // radius of the lens, m; 0 for a pinhole
	focus           float64  // distance along the axis at which it is sharp, m
}

func newLens(c Camera, width, height int) *lens {
	l := &lens{eye: c.Eye, width: float64(width), height: float64(height)}
	l.back = c.Eye.Sub(c.Target).Unit()
	l.right = upFor(l.back).Cross(l.back).Unit()
	l.up = l.back.Cross(l.right)
	sin, cos := math.Sincos(c.Roll * math.Pi / 180)
	l.right, l.up = l.right.Mul(cos).Sub(l.up.Mul(sin)), l.up.Mul(cos).Add(l.right.Mul(sin))
	l.tanX = sensor / 2 / c.Focal
	l.tanY = l.tanX * l.height / l.width
	if c.Aperture > 0 {
		l.aperture = c.Focal / 1000 / c.Aperture / 2
		if l.focus = c.Focus; l.focus == 0 {
			l.focus = c.Target.Sub(c.Eye).Len()
		}
	}
	return l
}

// upFor returns the up direction of a picture taken along -back.
func upFor(back vec.Vec3) vec.Vec3 {
	if math.Abs(back.Y) > 0.9999 { // straight down: north is up
		return vec.Vec3{Z: -1}
	}
	return vec.Vec3{Y: 1}
}

// ray returns the unit direction in which the point (x, y) of the picture is
// seen. Pixels are unit squares; (0, 0) is the upper left corner.
func (l *lens) ray(x, y float64) vec.Vec3 {
	u, v := (2*x/l.width-1)*l.tanX, (1-2*y/l.height)*l.tanY
	return l.right.Mul(u).Add(l.up.Mul(v)).Sub(l.back).Unit()
}

// project returns where p is in the picture, and how far before the eye, in
// metres along the optical axis.
func (l *lens) project(p vec.Vec3) (x, y, depth float64) {
	q := p.Sub(l.eye)
	depth = -q.Dot(l.back)
	x = (q.Dot(l.right)/(depth*l.tanX) + 1) / 2 * l.width
	y = (1 - q.Dot(l.up)/(depth*l.tanY)) / 2 * l.height
	return x, y, depth
}

// pixel returns the angle that a pixel covers, in radians.
func (l *lens) pixel() float64 { return 2 * l.tanX / l.width }

// matrix returns fauxgl's matrix from the world to clip space.
func (l *lens) matrix(near, far float64) fauxgl.Matrix {
	look := fauxgl.LookAt(vector(l.eye), vector(l.eye.Sub(l.back)), vector(l.up))
	x, y := near*l.tanX, near*l.tanY
	return look.Frustum(-x, x, -y, y, near, far)
}

func vector(p vec.Vec3) fauxgl.Vector { return fauxgl.Vector{X: p.X, Y: p.Y, Z: p.Z} }

// Point returns where p is in a picture of the given size, in pixels from the
// upper left corner.
func (c Camera) Point(p vec.Vec3, width, height int) (x, y float64) {
	x, y, _ = newLens(c, width, height).project(p)
	return x, y
}
