package raster

import (
	"math"
	"sync"

	"breakwater/raster/color"
	"breakwater/raster/grains"
	"breakwater/raster/optics"
	"breakwater/raster/scatter"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// clouds are the grains of a picture: drops and mist in air, and bubbles in the liquid.
type clouds struct {
	spray, bubbles *grains.Cloud // nil for none
	foam           *grains.Layer // on the liquid; nil for none
	sunOnFoam      []color.RGB   // by vertex of the liquid: share of the sun's light; nil without foam
}

// lightClouds builds the clouds of the view. Spray shades the bubbles, and the liquid
// shades both.
func (t *tracer) lightClouds() {
	p := t.view.Grains
	if p == nil {
		return
	}
	v := t.grainsView(max(t.view.Shutter, t.view.Streaks))
	air := t.airLight(func(p vec.Vec3) color.RGB { return t.sunTransmittance(p, 0.5) })
	sighted := v
	sighted.Frame = t.frame()
	if t.opaqueLiquid {
		t.spray = grains.New(p, sighted, air, grains.Spray, grains.Mist)
		return
	}
	var spray, bubbles *grains.Cloud
	par.Each(3, func(i int) {
		switch i {
		case 0:
			spray = grains.Dark(p, sighted, grains.Spray, grains.Mist)
		case 1:
			bubbles = grains.Dark(p, v, grains.Bubble)
		case 2:
			if t.view.Liquid != nil {
				t.foam = grains.NewLayer(p, v, t.view.Liquid.Pos, t.view.Liquid.Nrm)
			}
		}
	})
	spray.Illuminate(air)
	t.spray = spray
	inner := t.innerLight(func(p vec.Vec3) color.RGB { return t.sunInLiquid(p, t.sunFromInside()) })
	inner.Open = func(p vec.Vec3) vec.Vec3 {
		h := t.intersect(ray{o: p, d: vec.Vec3{Y: 1}, time: 0.5}, math.Inf(1))
		if t.kind(h.Tri) != liquid {
			return vec.Vec3{X: 1, Y: 1, Z: 1}
		}
		return t.water.Transmittance(h.T).Vec()
	}
	bubbles.Illuminate(inner)
	t.bubbles = bubbles
	t.lightFoam()
}

// inPath adds the grains on the segment of r up to the distance end to the light of the
// segment.
func (c *clouds) inPath(r *ray, end, spread float64, own color.RGB, on *[2]branch) color.RGB {
	cloud := c.spray
	if r.inLiquid {
		cloud = c.bubbles
	}
	if cloud == nil || r.inGlass {
		return own
	}
	width := r.width
	if r.depth >= 2 || r.depth == 1 && !r.inLiquid {
		width = max(width, 1)
	}
	var light vec.Vec3
	var left float64
	if r.passed == nil {
		light, left = cloud.Gather(r.o, r.d, 0, end, width, spread)
	} else {
		light, left = r.passed.gather(cloud, r, end, spread)
	}
	if left == 1 {
		return own
	}
	r.cover = 1 - left
	for k := range on {
		on[k].throughput = on[k].throughput.Scale(left)
	}
	return own.Scale(left).Add(rgb(light))
}

// passed keeps what a ray from the eye gathered for the next ray of the same pixel. Each of
// them shows the mean of the grains over the pixel.
type passed struct {
	end, left float32 // 0 before the first ray
	light     [3]float32
}

// gather returns what the cloud sends along r up to a distance, and the rest of the light
// from there.
func (p *passed) gather(cloud *grains.Cloud, r *ray, end, spread float64) (light vec.Vec3, left float64) {
	const nearly = 0.005 // of the distance: grains are as good as none so near to a surface
	if e := float64(p.end); end == e || math.Abs(end-e) < nearly*e {
		return vec.Vec3{X: float64(p.light[0]), Y: float64(p.light[1]), Z: float64(p.light[2])}, float64(p.left)
	}
	light, left = cloud.Gather(r.o, r.d, 0, end, r.width, spread)
	*p = passed{float32(end), float32(left), [3]float32{float32(light.X), float32(light.Y), float32(light.Z)}}
	return light, left
}

// through returns the share of the sun's light that the grains transmit along a straight
// path.
func (t *tracer) through(inLiquid bool, o, d vec.Vec3, far float64) float64 {
	cloud := t.spray
	if inLiquid {
		cloud = t.bubbles
	} else if t.smoke != nil {
		return t.smokeTransmittance(o, d, far)
	}
	if cloud == nil {
		return 1
	}
	return cloud.Through(o, d, 0, far)
}

func rgb(a vec.Vec3) color.RGB { return color.New(a.X, a.Y, a.Z) }

// airLight returns the light on grains in air, where the sun's light has the given
// transmittance at a point.
func (w *scene) airLight(sun func(p vec.Vec3) color.RGB) grains.Light {
	below := w.floor.Direct.Add(w.floor.Ambient).Mul(w.floor.Paving.Mean())
	index := max(1.01, w.water.Index)
	l := grains.Light{
		ToSun: w.sky.ToSun,
		Sun:   func(p vec.Vec3) vec.Vec3 { return w.sky.Sun().Mul(sun(p)).Scale(math.Pi).Vec() },
		Around: func(d vec.Vec3) vec.Vec3 {
			if d.Y < 0 {
				return below.Vec()
			}
			return w.sky.WithoutSun(d).Vec()
		},
		Seen:  func(o, d vec.Vec3, width float64) vec.Vec3 { return w.background(o, d, width).Vec() },
		Phase: phases(index, false),
		Ratio: index,
		Color: vec.Vec3{X: 1, Y: 1, Z: 1},
	}
	look, ok := w.view.Look.(interface{ dropMaterial() dropMaterial })
	if !ok || !w.opaqueLiquid {
		return l
	}
	s := look.dropMaterial()
	l.Color, l.Emission, l.Flame = s.color.Vec(), s.glow.Vec(), s.flame.Vec()
	if s.mirror {
		l.Phase = [3]*scatter.Phase{scatter.Mirror(), scatter.Mirror(), scatter.Mirror()}
		l.Surface = func(o, n, d vec.Vec3, width float64) vec.Vec3 {
			return w.background(o, optics.Reflect(d, n), width).Vec()
		}
	} else {
		l.Phase = [3]*scatter.Phase{scatter.Matte(), scatter.Matte(), scatter.Matte()}
		l.Surface = func(_, n, _ vec.Vec3, _ float64) vec.Vec3 { return w.irradiance(n, color.New(1, 1, 1), 1).Vec() }
	}
	return l
}

// sunFromInside returns the direction to the sun in the liquid, under a level surface.
func (w *scene) sunFromInside() vec.Vec3 {
	index, up := max(1.01, w.water.Index), vec.Vec3{Y: 1}
	_, cos := optics.Fresnel(w.sky.ToSun.Y, 1/index)
	return optics.Refract(w.sky.ToSun.Neg(), up, 1/index, w.sky.ToSun.Y, cos).Neg()
}

// innerLight returns the light on bubbles in the liquid. Its surface counts as level: the
// whole sky is seen through it in Snell's window, and around that it mirrors the floor.
func (w *scene) innerLight(sun func(p vec.Vec3) color.RGB) grains.Light {
	below := w.floor.Direct.Add(w.floor.Ambient).Mul(w.floor.Paving.Mean())
	index, up := max(1.01, w.water.Index), vec.Vec3{Y: 1}
	through := func(d vec.Vec3, radiance func(d vec.Vec3) color.RGB) vec.Vec3 {
		mirrored, cos := optics.Fresnel(d.Y, index)
		if mirrored >= 1 {
			return below.Vec()
		}
		return radiance(optics.Refract(d, up.Neg(), index, d.Y, cos)).Lerp(below, mirrored).Vec()
	}
	return grains.Light{
		ToSun: w.sunFromInside(),
		Sun:   func(p vec.Vec3) vec.Vec3 { return w.sky.Sun().Mul(sun(p)).Scale(math.Pi).Vec() },
		Around: func(d vec.Vec3) vec.Vec3 {
			if d.Y <= 0 {
				return below.Vec()
			}
			return through(d, w.sky.WithoutSun)
		},
		Seen: func(o, d vec.Vec3, width float64) vec.Vec3 {
			if d.Y > 0 {
				return through(d, w.sky.Radiance)
			}
			return w.background(o, d, width).Vec()
		},
		Phase: phases(index, true), Ratio: 1 / index, Absorption: w.water.Sigma.Vec(),
		Color: vec.Vec3{X: 1, Y: 1, Z: 1},
	}
}

// sunInLiquid returns the share of the sun's light at p in the liquid, which comes along
// toSun there.
func (t *tracer) sunInLiquid(p, toSun vec.Vec3) color.RGB {
	h := t.intersect(ray{o: p, d: toSun, time: 0.5}, math.Inf(1))
	if t.blocksLight(h.Tri) {
		return color.RGB{}
	}
	left := color.New(1, 1, 1)
	if t.kind(h.Tri) == liquid {
		r, _ := optics.Fresnel(t.sky.ToSun.Y, 1/t.water.Index)
		left = t.water.Transmittance(h.T).Scale((1 - r) * t.foamTransmittance(h))
		p = p.Add(toSun.Mul(h.T + t.epsilon))
	}
	return left.Mul(t.sunTransmittance(p, 0.5))
}

// phases returns the phase functions of drops of a liquid for red, green and blue light,
// or of bubbles in it. index is for green light, and the others differ as in water (Hale
// and Querry 1973), which makes the colours of the rainbow.
func phases(index float64, bubbles bool) (list [3]*scatter.Phase) {
	for c, other := range [3]float64{-0.002, 0, 0.004} {
		ratio := index + other
		if bubbles {
			ratio = 1 / ratio
		}
		phase, _ := phaseTables.LoadOrStore(ratio, sync.OnceValue(func() *scatter.Phase { return scatter.Ball(ratio) }))
		list[c] = phase.(func() *scatter.Phase)()
	}
	return list
}

// phaseTables keeps the tables of all indices, for the next picture.
var phaseTables sync.Map
