package sky

import (
	"errors"
	"math"

	"breakwater/raster/color"
	"breakwater/sim/vec"
)

// Panorama is a picture of the surroundings by longitude and latitude. Its sun, or its
// brightest lamp, is found and sampled explicitly, so the picture does not depend on
// chance.
type Panorama struct {
	hdrImage
	toSun      vec.Vec3  // unit, as the picture has it
	sun        color.RGB // irradiance over π of the sun on a surface that faces it
	radius     float64   // of the sun, rad
	background float64   // luminance about it, which is left of it in the light of the sky
	cosCone    float64   // cosine of the angle about it beyond which nothing is of it
	removed    bool      // it is so small that it is taken out of the picture
}

// ReadPanorama reads a Radiance picture (.hdr) of all that is around: level, its
// upper edge the zenith. It is brought to the brightness of the studio.
func ReadPanorama(data []byte) (*Panorama, error) {
	m, err := readHDR(data)
	if err != nil {
		return nil, err
	}
	p := &Panorama{hdrImage: *m, cosCone: 1}
	sky := p.luminance()
	if !(sky > 0) || math.IsInf(sky, 0) {
		return nil, errors.New("its upper half is black")
	}
	p.findSun(sky)
	// Pictures have any unit of brightness.
	l := DefaultLight()
	studio := New(l, color.RGB{})
	want := studio.Irradiance(vec.Vec3{Y: 1}).Add(studio.sun.Scale(studio.ToSun.Y)).Luminance()
	gain := want / (p.luminance() + float64(p.sun.Luminance()*p.toSun.Y))
	for i := range p.pix {
		p.pix[i] = p.pix[i].Scale(gain)
	}
	p.sun, p.background = p.sun.Scale(gain), p.background*gain
	return p, nil
}

// eachAbove calls f for each pixel over the horizon, with its direction and the solid
// angle that it covers.
func (p *Panorama) eachAbove(f func(c *color.RGB, d vec.Vec3, angle float64)) {
	cell := 2 * math.Pi / float64(p.w) * math.Pi / float64(p.h)
	level := make([]vec.Vec3, p.w)
	for x := range level {
		s, c := math.Sincos((float64(x) + 0.5) / float64(p.w) * 2 * math.Pi)
		level[x] = vec.Vec3{X: -s, Z: c}
	}
	for y := range (p.h + 1) / 2 {
		sin, cos := math.Sincos((float64(y) + 0.5) / float64(p.h) * math.Pi)
		for x, l := range level {
			f(&p.pix[y*p.w+x], vec.Vec3{X: sin * l.X, Y: cos, Z: sin * l.Z}, cell*sin)
		}
	}
}

// luminance returns the luminance of the light on level ground over π, without the sun.
func (p *Panorama) luminance() (sum float64) {
	p.eachAbove(func(c *color.RGB, d vec.Vec3, angle float64) {
		sum += p.withoutSun(*c, d).Luminance() * max(0, d.Y) * angle / math.Pi
	})
	return sum
}

// withoutSun returns a pixel's radiance c in the direction d without the sun.
func (p *Panorama) withoutSun(c color.RGB, d vec.Vec3) color.RGB {
	if p.cosCone < 1 && d.Dot(p.toSun) > p.cosCone {
		if l := c.Luminance(); l > p.background {
			return c.Scale(p.background / l)
		}
	}
	return c
}

// findSun looks for the source of the most light: the sun itself, a sun behind haze, or a
// lamp. sky is all light on level ground.
func (p *Panorama) findSun(sky float64) {
	brightest := -1.0
	p.eachAbove(func(c *color.RGB, d vec.Vec3, _ float64) {
		if l := c.Luminance(); l > brightest && d.Y > lowestSun {
			brightest, p.toSun = l, d
		}
	})
	// The smallest cone that has most of it, if that is a fair part of the light.
	cones := [...]Panorama{*p, *p, *p}
	light, most := [len(cones)]float64{}, 0.15*sky
	for i, degrees := range [len(cones)]float64{3, 8, 16} {
		c := &cones[i]
		c.measureSun(degrees)
		c.removed = i == 0
		light[i] = c.sun.Luminance() * c.toSun.Y
		most = max(most, 0.8*light[i])
	}
	for i := range cones {
		if light[i] >= most {
			*p = cones[i]
			break
		}
	}
	if p.removed { // drawn by the sky's own sun, which does not glitter
		p.eachAbove(func(c *color.RGB, d vec.Vec3, _ float64) { *c = p.withoutSun(*c, d) })
	}
}

// lowestSun is the sine of the height from which light is followed to the floor.
var lowestSun = math.Sin(5 * math.Pi / 180)

// measureSun measures the excess brightness within an angle about the sun over the ring
// around it, and moves the sun to the centre of the excess.
func (p *Panorama) measureSun(degrees float64) {
	for range 3 {
		inner, outer := math.Cos(degrees*math.Pi/180), math.Cos(1.6*degrees*math.Pi/180)
		ring, area := 0.0, 0.0
		p.eachAbove(func(c *color.RGB, d vec.Vec3, angle float64) {
			if a := d.Dot(p.toSun); a > outer && a <= inner {
				ring, area = ring+float64(c.Luminance()*angle), area+angle
			}
		})
		p.background, p.cosCone, p.sun = 0, inner, color.RGB{}
		if area > 0 {
			p.background = ring / area
		}
		middle, spread, light := vec.Vec3{}, 0.0, 0.0
		p.eachAbove(func(c *color.RGB, d vec.Vec3, angle float64) {
			over := c.Add(p.withoutSun(*c, d).Scale(-1))
			if l := float64(over.Luminance() * angle); l > 0 {
				p.sun = p.sun.Add(over.Scale(angle / math.Pi))
				middle, spread, light = middle.Add(d.Mul(l)), spread+float64(l*2*(1-d.Dot(p.toSun))), light+l
			}
		})
		if light == 0 {
			return
		}
		p.toSun = middle.Unit()
		if p.toSun.Y < lowestSun {
			level := vec.Vec3{X: p.toSun.X, Z: p.toSun.Z}.Unit().Mul(math.Sqrt(1 - float64(lowestSun*lowestSun)))
			p.toSun = vec.Vec3{X: level.X, Y: lowestSun, Z: level.Z}
		}
		p.radius = min(0.2, max(0.0047, math.Sqrt(2*spread/light))) // of an even disc
	}
}

// turnedPanorama is a panorama turned about the upright.
type turnedPanorama struct {
	*Panorama
	sin, cos float64
}

// turnedTo returns p with its sun at an azimuth, in radians, and where that is then.
func (p *Panorama) turnedTo(azimuth float64) (t *turnedPanorama, toSun vec.Vec3) {
	sin, cos := math.Sincos(azimuth - math.Atan2(p.toSun.X, p.toSun.Z))
	t = &turnedPanorama{p, sin, cos}
	return t, vec.Vec3{X: float64(p.toSun.X*cos) + float64(p.toSun.Z*sin), Y: p.toSun.Y, Z: float64(p.toSun.Z*cos) - float64(p.toSun.X*sin)}
}

// toPicture returns the direction in the picture of one in the world.
func (t *turnedPanorama) toPicture(d vec.Vec3) vec.Vec3 {
	return vec.Vec3{X: float64(d.X*t.cos) - float64(d.Z*t.sin), Y: d.Y, Z: float64(d.Z*t.cos) + float64(d.X*t.sin)}
}

// radiance implements dome, with lines between the pixels.
func (t *turnedPanorama) radiance(d vec.Vec3) color.RGB { return t.at(t.toPicture(d)) }

// withoutSunAt returns the radiance without the sun.
func (t *turnedPanorama) withoutSunAt(d vec.Vec3) color.RGB {
	d = t.toPicture(d)
	return t.withoutSun(t.at(d), d)
}

// at returns the radiance in the direction d of the picture.
func (p *Panorama) at(d vec.Vec3) color.RGB {
	turn := math.Atan2(-d.X, d.Z) / (2 * math.Pi)
	u := float64((turn-math.Floor(turn))*float64(p.w)) - 0.5
	v := float64(math.Acos(min(1, max(-1, d.Y)))/math.Pi*float64(p.h)) - 0.5
	x, y := math.Floor(u), math.Floor(v)
	u, v = u-x, v-y
	x0, x1 := (int(x)+p.w)%p.w, (int(x)+1+p.w)%p.w
	y0, y1 := min(p.h-1, max(0, int(y))), min(p.h-1, max(0, int(y)+1))
	row, next := p.pix[y0*p.w:], p.pix[y1*p.w:]
	return row[x0].Lerp(row[x1], u).Lerp(next[x0].Lerp(next[x1], u), v)
}
