package raster

import (
	"breakwater/raster/optics"
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

// HasAppearance reports whether l is the look of a material, and does not measure or draw
// lines.
func HasAppearance(l Look) bool {
	_, ok := l.(interface{ appearance() Appearance })
	return ok
}

// AppearanceOf returns the appearance of l. A look that measures or draws lines is matte:
// other programs have no equivalent.
func AppearanceOf(l Look) Appearance {
	if a, ok := l.(interface{ appearance() Appearance }); ok {
		return a.appearance()
	}
	return Appearance{Kind: "matte", Index: 1, Color: vec.Vec3{X: 0.48, Y: 0.36, Z: 0.28}}
}

// Medium describes a look of a gas as a volume of other programs. Without a look of smoke or
// fire it is as the default one.
type Medium struct {
	Extinction float64 // of gas that is all smoke, 1/m
	Soot       float64 // likewise of flames
	Albedo     vec.Vec3
	Anisotropy float64
	Blue       vec.Vec3                        // radiance that a metre of half burnt fuel emits
	Stretch    float64                         // of temperatures above the ambient one
	Radiance   func(kelvin float64) [3]float64 // of thick soot at a stretched temperature; nil for a look without light
}

// MediumOf returns the medium of l, in a gas that may have flames.
func MediumOf(l Look, flames bool) Medium {
	fire, ok := l.(*fireLook)
	if smoke, dark := l.(*smokeLook); dark || !ok && !flames {
		if !dark {
			s := defaultSmoke()
			smoke = &s
		}
		return Medium{Extinction: smoke.Extinction, Soot: smoke.Extinction, Albedo: smoke.Color, Anisotropy: smoke.Anisotropy}
	}
	if !ok {
		fire = defaultFire()
	}
	return Medium{
		Extinction: fire.Extinction, Soot: fire.Soot, Albedo: fire.Color, Anisotropy: fire.Anisotropy,
		Blue:    vec.New(blueFlame[0], blueFlame[1], blueFlame[2]).Mul(fire.Blue * fire.Glow),
		Stretch: fire.Stretch, Radiance: fire.radiance,
	}
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
	return Appearance{Kind: "glow", Index: 1, Color: basalt.Vec(), Glow: l.glow(l.Depth).Vec()}
}

// Appearance returns the appearance of a solid of the material. Its longest side is size
// metres, over which glass transmits its colour.
func (m Material) Appearance(size float64) Appearance {
	switch m.Substance {
	case Metal:
		return Appearance{Kind: "metal", Index: 1, Color: m.Color}
	case Glass:
		return Appearance{Kind: "clear", Index: optics.GlassIndex, Color: m.Color, Distance: size}
	case Wood:
		return Appearance{Kind: "gloss", Index: optics.GlassIndex, Color: m.Color}
	}
	return Appearance{Kind: "matte", Index: 1, Color: m.Color}
}

// PaneTint returns the transmittance of a pane of a tank, linear.
func PaneTint() vec.Vec3 { return glassTint.Vec() }
