package raster

import (
	"bufio"
	"fmt"
	"io"
	"math"

	"breakwater/sim/vec"
)

// The contents of a picture, in terms of other programs, so that a scene opens there much
// as it is drawn here.

// Appearance describes a look as a material of other programs.
type Appearance struct {
	Kind  string   // clear, gloss, matte, metal or glow
	Index float64  // refractive index of clear or glossy materials
	Color vec.Vec3 // linear: reflectance, or transmittance over Distance
	// Distance is the path length through a clear material, m.
	Distance float64
	Glow     vec.Vec3 // radiance of glowing materials
}

// AppearanceOf returns the appearance of l. A look that measures or draws lines is matte:
// other programs have no equivalent.
func AppearanceOf(l Look) Appearance {
	if a, ok := l.(interface{ appearance() Appearance }); ok {
		return a.appearance()
	}
	return Appearance{Kind: "matte", Index: 1, Color: vec.Vec3{X: 0.48, Y: 0.36, Z: 0.28}}
}

func (l *water) appearance() Appearance {
	return Appearance{Kind: "clear", Index: l.Index, Color: l.Color, Distance: l.Distance}
}

func (l *clay) appearance() Appearance { return Appearance{Kind: "matte", Index: 1, Color: l.Color} }

func (l *milk) appearance() Appearance {
	return Appearance{Kind: "gloss", Index: l.Index, Color: l.Color}
}

func (l *metal) appearance() Appearance { return Appearance{Kind: "metal", Index: 1, Color: l.Color} }

func (l *lava) appearance() Appearance {
	return Appearance{Kind: "glow", Index: 1, Color: basalt.vec(), Glow: l.glow(l.Depth).vec()}
}

// Appearance returns the appearance of a solid of the material. Its longest side is size
// metres, over which glass transmits its colour.
func (m Material) Appearance(size float64) Appearance {
	switch m.Substance {
	case Metal:
		return Appearance{Kind: "metal", Index: 1, Color: m.Color}
	case Glass:
		return Appearance{Kind: "clear", Index: glassIndex, Color: m.Color, Distance: size}
	case Wood:
		return Appearance{Kind: "gloss", Index: glassIndex, Color: m.Color}
	}
	return Appearance{Kind: "matte", Index: 1, Color: m.Color}
}

func (c rgb) vec() vec.Vec3 { return vec.Vec3{X: c.R, Y: c.G, Z: c.B} }

// Mean returns the floor's colour from far away, linear.
func (p Paving) Mean() vec.Vec3 { return p.mean().vec() }

// PaneTint returns the transmittance of a pane of a tank, linear.
func PaneTint() vec.Vec3 { return glassTint.vec() }

// Gain returns the factor of the picture's radiance before it becomes shades.
func (l Light) Gain() float64 { return exposure * math.Exp2(l.Exposure) }

// Sunlight returns the unit direction to the sun, its irradiance on a surface
// that faces it, linear, and the radius of its disc in radians.
func (l Light) Sunlight() (toSun, irradiance vec.Vec3, radius float64) {
	s := newSky(l, rgb{})
	return s.toSun, s.beam.scale(math.Pi).vec(), s.radius
}

// WriteSurroundings writes the light from all around except the sun as a Radiance picture
// by longitude and latitude: the zenith at its upper edge, +z in its left one, and −x a
// quarter to the right. Below the horizon it continues the horizon's light.
func (l Light) WriteSurroundings(w io.Writer, width, height int) error {
	s := newSky(l, rgb{})
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y %d +X %d\n", height, width)
	for y := range height {
		sin, cos := math.Sincos((float64(y) + 0.5) / float64(height) * math.Pi)
		cos = max(cos, 0)
		if cos == 0 {
			sin = 1
		}
		for x := range width {
			ts, tc := math.Sincos((float64(x) + 0.5) / float64(width) * 2 * math.Pi)
			p := shared(s.still(vec.Vec3{X: -ts * sin, Y: cos, Z: tc * sin}))
			if _, err := b.Write(p[:]); err != nil {
				return err
			}
		}
	}
	return b.Flush()
}

// shared returns three mantissas and their exponent for c: the opposite of
// radiance. It never begins as a run does, which 2, 2 would, since a mantissa
// is 128 or more.
func shared(c rgb) (p [4]byte) {
	most := c.max()
	if most < 1e-30 {
		return p
	}
	f, e := math.Frexp(most)
	scale := f * 256 / most
	part := func(x float64) byte { return byte(min(255, max(0, x*scale))) }
	return [4]byte{part(c.R), part(c.G), part(c.B), byte(e + 128)}
}

// Axes returns the unit vectors to the right and up in the picture, and back
// towards the viewer.
func (c Camera) Axes() (right, up, back vec.Vec3) {
	l := newLens(c, 1, 1)
	return l.right, l.up, l.back
}

// Sharpness returns the distance at which the picture is sharp, m.
func (c Camera) Sharpness() float64 {
	if c.Focus > 0 {
		return c.Focus
	}
	return c.Target.Sub(c.Eye).Len()
}

// Around returns the mean radiance of all around but the sun and the floor,
// linear.
func (l Light) Around() vec.Vec3 {
	s, sum := newSky(l, rgb{}), rgb{}
	const n = 1000
	for i := range n {
		y := (float64(i) + 0.5) / n // evenly over the upper half, by the golden angle
		sin, cos := math.Sincos(2.399963 * float64(i))
		level := math.Sqrt(1 - y*y)
		sum = sum.add(s.still(vec.Vec3{X: cos * level, Y: y, Z: sin * level}).scale(1.0 / n))
	}
	return sum.vec()
}
