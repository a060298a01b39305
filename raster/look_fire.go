package raster

import (
	"image"

	"breakwater/raster/march"
	"breakwater/sim/num"
	"breakwater/sim/vec"
)

func init() {
	Looks.Add("fire", "the flames and the smoke of a gas: hot soot as black bodies, which light their surroundings", "Planck 1901", func() Look {
		return defaultFire()
	})
}

func defaultFire() *fireLook {
	l := &fireLook{smokeLook: defaultSmoke(), Soot: 60, Stretch: 1, Glow: 4, Adaptation: 0.5, Blue: 2}
	l.Color = vec.Vec3{X: 0.5, Y: 0.5, Z: 0.5}
	return l
}

// fireLook shows the flames of a gas, and its smoke.
type fireLook struct {
	smokeLook
	Soot       float64 `toml:"soot" unit:"1/m" range:"[0, inf)" doc:"Extinction of gas that is all flame. Its soot absorbs and emits light, as smoke does by what it absorbs."`
	Stretch    float64 `toml:"stretch" unit:"1" range:"(0, 1000]" doc:"Factor of the temperature above the ambient one. It gives flames of a simulation in other units the temperatures of fire, some 1500 to 2000 K."`
	Glow       float64 `toml:"glow" unit:"1" range:"[0, inf)" doc:"Radiance of a thick flame at 1900 K; 1 is as bright as white paper in the sun."`
	Adaptation float64 `toml:"adaptation" unit:"1" range:"[0, 1]" doc:"Exponent of the luminance of hot soot over its luminance at 1900 K. 1 is physical: at 1500 K, a flame is a thirtieth as bright. Below 1, colder parts are brighter, as to an eye that adapts to them."`
	Blue       float64 `toml:"blue" unit:"1/m" range:"[0, inf)" doc:"Radiance that a metre of half burnt fuel emits, over the glow: the blue zone where fuel begins to burn."`
}

// blueFlame is the colour of the bands of CH and C2, linear (Gaydon 1974, The spectroscopy
// of flames).
var blueFlame = [3]float64{0.10, 0.28, 1}

// paperLuminance is the luminance of soot at 1900 K, whose radiance is the look's glow.
var paperLuminance = luminance(march.BlackBody(1900))

func (l *fireLook) Draw(v *View) (*image.RGBA, error) {
	ambient := 293.
	if v.Particles != nil && v.Particles.Ambient > 0 {
		ambient = v.Particles.Ambient
	}
	if v.Volume != nil && v.Volume.Ambient > 0 {
		ambient = v.Volume.Ambient
	}
	return l.draw(v, func(f *march.Field) march.Leaf { return l.leaf(f, ambient) })
}

// leaf returns the medium of a field in a gas of an ambient temperature in K.
func (l *fireLook) leaf(f *march.Field, ambient float64) march.Leaf {
	leaf := march.Leaf{At: f.At}
	absorbs := 1 - (l.Color.X+l.Color.Y+l.Color.Z)/3
	for i := range f.Values {
		v := &f.Values[i]
		soot, smoke := float64(l.Soot*float64(v[flameShare])), float64(l.Extinction*float64(v[smokeShare]))
		leaf.Extinction[i] = float32(smoke + soot)
		glow := float64(l.Blue * l.Glow * float64(v[reactionShare]))
		var c [3]float64
		if all := float64(v[smokeShare] + v[flameShare]); all > 0 {
			c = l.radiance(ambient + float64(l.Stretch*(float64(v[heatShare])/all-ambient)))
		}
		if glow == 0 && c == [3]float64{} {
			continue
		}
		if leaf.Glow == nil {
			leaf.Glow = make([][3]float32, march.Count)
		}
		for a := range c {
			leaf.Glow[i][a] = float32(float64((soot+float64(smoke*absorbs))*c[a]) + float64(glow*blueFlame[a]))
		}
	}
	return leaf
}

// radiance returns the radiance of thick soot at a temperature in K.
func (l *fireLook) radiance(kelvin float64) (c [3]float64) {
	c = march.BlackBody(kelvin)
	y := luminance(c)
	if y == 0 {
		return c
	}
	scale := l.Glow * num.Pow(y/paperLuminance, l.Adaptation) / y
	for a := range c {
		c[a] *= scale
	}
	return c
}

func luminance(c [3]float64) float64 { return rgb(vec.New(c[0], c[1], c[2])).Luminance() }
