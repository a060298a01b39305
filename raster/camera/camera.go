// Package camera places cameras, and maps the points of a picture to rays and back.
package camera

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

// A Viewpoint is where a camera that is placed automatically stands.
type Viewpoint struct {
	Elevation float64 // above the target, degrees
	Fill      float64 // share of the picture's width or height that the tank takes up
	Focal     float64 // mm
}

// Viewpoints are the viewpoints by name. "" is "whole".
var Viewpoints = map[string]Viewpoint{
	"":      {15, 0.80, 40},
	"whole": {15, 0.80, 40},
	"low":   {2, 0.94, 32},  // as from the ground: waves stand against the sky
	"hero":  {7, 1.18, 60},  // close, with a longer lens: the ends are cut off
	"high":  {42, 0.86, 40}, // from a ladder
	"top":   {90, 0.86, 50}, // straight down
}

// Behind returns the direction from the target of a camera of FrameRound to the camera.
func (v Viewpoint) Behind(azimuth float64) vec.Vec3 {
	sin, cos := math.Sincos(v.Elevation * math.Pi / 180)
	if v.Elevation == 90 {
		sin, cos = 1, 0
	}
	return vec.Vec3{
		X: math.Sin(azimuth*math.Pi/180) * cos,
		Y: sin,
		Z: math.Cos(azimuth*math.Pi/180) * cos,
	}
}

// FrameRound returns a camera at the viewpoint v, whose picture tank fills as far as v
// says. azimuth is its direction from the tank in degrees, and focal its focal length in
// mm. The tank takes up no more of the picture after orbiting its centre by up to turn
// degrees.
func FrameRound(tank vec.Box, v Viewpoint, focal, turn, azimuth float64, width, height int) Camera {
	back := v.Behind(azimuth)
	// A camera that goes round sees the tank turn the other way.
	turn = math.Copysign(min(360, math.Abs(turn)), turn)
	steps := int(math.Ceil(math.Abs(turn) / 5))
	middle := tank.Center()
	var seen []vec.Vec3
	for k := range steps + 1 {
		sin, cos := math.Sincos(-turn * float64(k) / float64(max(1, steps)) * math.Pi / 180)
		for _, p := range tank.Corners() {
			p = p.Sub(middle)
			seen = append(seen, middle.Add(vec.Vec3{X: float64(p.X*cos) + float64(p.Z*sin), Y: p.Y, Z: float64(p.Z*cos) - float64(p.X*sin)}))
		}
	}
	c := Camera{Target: middle, Focal: focal}
	dist := float64(3 * tank.Size().Len() * max(1, focal/40))
	// Each round centres the tank's outline and scales the distance to fit.
	for range 12 {
		c.Eye = c.Target.Add(back.Mul(dist))
		l := NewLens(c, width, height)
		x0, x1, y0, y1 := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
		for _, p := range seen {
			x, y, _ := l.Project(p)
			x0, x1, y0, y1 = min(x0, x), max(x1, x), min(y0, y), max(y1, y)
		}
		w, h := float64(width), float64(height)
		perPixel := 2 * l.tanX * dist / w // metres at the target
		c.Target = c.Target.Add(l.Right.Mul(float64((float64((x0+x1)/2) - float64(w/2)) * perPixel))).Add(l.Up.Mul(float64((float64(h/2) - float64((y0+y1)/2)) * perPixel)))
		dist *= max((x1-x0)/w, (y1-y0)/h) / v.Fill
	}
	c.Eye = c.Target.Add(back.Mul(dist))
	return c
}

// Lens is a camera prepared for pictures of one size.
type Lens struct {
	Eye             vec.Vec3
	Right, Up, Back vec.Vec3 // unit
	tanX, tanY      float64  // of half the field of view
	Width, Height   float64  // px
	Aperture        float64  // radius of the lens, m; 0 for a pinhole
	Focus           float64  // distance along the axis at which it is sharp, m
}

// NewLens returns the lens of c for pictures of width × height pixels.
func NewLens(c Camera, width, height int) *Lens {
	l := &Lens{Eye: c.Eye, Width: float64(width), Height: float64(height)}
	l.Back = c.Eye.Sub(c.Target).Unit()
	l.Right = Up(l.Back).Cross(l.Back).Unit()
	l.Up = l.Back.Cross(l.Right)
	sin, cos := math.Sincos(c.Roll * math.Pi / 180)
	l.Right, l.Up = l.Right.Mul(cos).Sub(l.Up.Mul(sin)), l.Up.Mul(cos).Add(l.Right.Mul(sin))
	l.tanX = sensor / 2 / c.Focal
	l.tanY = l.tanX * l.Height / l.Width
	if c.Aperture > 0 {
		l.Aperture = c.Focal / 1000 / c.Aperture / 2
		if l.Focus = c.Focus; l.Focus == 0 {
			l.Focus = c.Target.Sub(c.Eye).Len()
		}
	}
	return l
}

// Up returns the direction that is up in a picture taken along -back. It is never
// parallel to back.
func Up(back vec.Vec3) vec.Vec3 {
	if math.Abs(back.Y) > 0.9999 { // straight down: north is up
		return vec.Vec3{Z: -1}
	}
	return vec.Vec3{Y: 1}
}

// Ray returns the unit direction in which the point (x, y) of the picture is
// seen. Pixels are unit squares; (0, 0) is the upper left corner.
func (l *Lens) Ray(x, y float64) vec.Vec3 {
	u, v := (2*x/l.Width-1)*l.tanX, (1-2*y/l.Height)*l.tanY
	return l.Right.Mul(u).Add(l.Up.Mul(v)).Sub(l.Back).Unit()
}

// Project returns the position of p in the picture, in pixels, and its depth along the
// optical axis, in metres.
func (l *Lens) Project(p vec.Vec3) (x, y, depth float64) {
	q := p.Sub(l.Eye)
	depth = -q.Dot(l.Back)
	x = (q.Dot(l.Right)/(depth*l.tanX) + 1) / 2 * l.Width
	y = (1 - q.Dot(l.Up)/(depth*l.tanY)) / 2 * l.Height
	return x, y, depth
}

// Homography returns vectors by which a point in the direction d from the eye has the pixel
// coordinates x·d / ahead·d and y·d / ahead·d. ahead is of unit length.
func (l *Lens) Homography() (x, y, ahead vec.Vec3) {
	ahead = l.Back.Neg()
	x = l.Right.Mul(l.Width / (2 * l.tanX)).Add(ahead.Mul(l.Width / 2))
	y = ahead.Mul(l.Height / 2).Sub(l.Up.Mul(l.Height / (2 * l.tanY)))
	return x, y, ahead
}

// PixelAngle returns the angle that a pixel covers, in radians.
func (l *Lens) PixelAngle() float64 { return 2 * l.tanX / l.Width }

// Matrix returns fauxgl's matrix from the world to clip space.
func (l *Lens) Matrix(near, far float64) fauxgl.Matrix {
	look := fauxgl.LookAt(fauxgl.Vector(l.Eye), fauxgl.Vector(l.Eye.Sub(l.Back)), fauxgl.Vector(l.Up))
	x, y := near*l.tanX, near*l.tanY
	return look.Frustum(-x, x, -y, y, near, far)
}

// Point returns the position of p in a picture of the given size, in pixels from the
// upper left corner.
func (c Camera) Point(p vec.Vec3, width, height int) (x, y float64) {
	x, y, _ = NewLens(c, width, height).Project(p)
	return x, y
}

// Axes returns the unit vectors to the right and up in the picture, and back
// towards the viewer.
func (c Camera) Axes() (right, up, back vec.Vec3) {
	l := NewLens(c, 1, 1)
	return l.Right, l.Up, l.Back
}

// Sharpness returns the focus distance, m.
func (c Camera) Sharpness() float64 {
	if c.Focus > 0 {
		return c.Focus
	}
	return c.Target.Sub(c.Eye).Len()
}
