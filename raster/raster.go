// Package raster draws a liquid in its tank on the processor.
//
// A View becomes a scene: the triangles of the liquid, of solids, and of the edges of a
// glass tank, with a floor and a sky. fauxgl finds the triangle that each pixel sees. At
// draft, the picture is shaded from the depth buffers alone. Otherwise, rays continue from
// there by reflection and refraction. Files:
//
//	raster.go, region.go            the View, and the part of it to draw
//	scene.go, geometry.go           the scene and its triangles
//	tank_walls.go, vessel.go        tanks: panes, edges, opaque sides
//	material*.go                    solids
//	draft.go                        shading from depth buffers
//	trace.go, wavefront.go          paths of rays, one by one and many together
//	surface_hit.go                  where a ray meets a surface, and how it continues
//	clouds.go, foam.go              whitewater
//	smoke.go                        smoke and flames
//	lamps.go                        the light of flames on what is around them
//	adaptive.go                     the pixels that need more samples
//	exposure.go, motion*.go         samples over the shutter and the lens; moving objects
//	displacement.go                 how far objects move in the picture meanwhile
//	caustics.go                     sunlight on the floor and on walls
//	occlusion.go                    the part of the sky that solids hide
//	look_*.go                       how the liquid looks: one file per look
//	ink.go                          flat colours, for looks that measure or draw
//	appearance.go                   looks as materials of other programs
//
// Package coverage runs fauxgl over all triangles, ground has the floor and maps of light,
// optics has the laws of reflection and refraction, and filter removes noise.
//
// Lengths are in metres, y is up, and radiance is linear with the Rec. 709 primaries.
package raster

import (
	"errors"
	"fmt"
	"image"
	"math"
	"slices"

	"breakwater/raster/bvh"
	"breakwater/raster/camera"
	"breakwater/raster/grains"
	"breakwater/raster/overlay"
	"breakwater/raster/sky"
	"breakwater/raster/texture"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// Quality trades time for finish.
type Quality string

const (
	Draft Quality = "draft" // a look at the scene
	Good  Quality = "good"  // the film
	Final Quality = "final" // the film to show, with finer samples and moving caustics
)

// qualities are all that there are.
var qualities = [...]Quality{Draft, Good, Final}

// Solid is an obstacle in the picture.
type Solid struct {
	Mesh     *mesh.Mesh
	Material Material         // matte clay if zero
	Colors   []vec.Vec3       // of the triangles in place of the material's; nil for that
	Pictures []*texture.Image // textures of the triangles, which multiply the colours; nil entries, or nil, for none
	Places   [][3][2]float64  // of the triangles' corners in their pictures, from the left lower corner to 1
	Rest     []vec.Vec3       // positions for the grain of wood; nil for the vertices of Mesh
	Paved    bool             // whether its faces have the floor's material instead of their own
}

// Tank is a tank without a lid.
type Tank struct {
	vec.Box           // its inner faces
	Open    [4]bool   // which of the sides x−, x+, z− and z+ are not there
	Walls   *Material // of the sides that are seen from inside; nil for panes of glass, which all others are

	walled [4]bool // which sides are among the solids, see View.walled

	Velocity vec.Vec3 // of all of it, m/s
}

// View is all there is in one picture.
type View struct {
	Camera        camera.Camera
	Light         sky.Light
	Width, Height int             // pixels
	Region        image.Rectangle // that alone is drawn, in a picture of full size; empty for all of it
	Quality       Quality
	Shutter       float64        // how long it is open, s; moving objects are drawn blurred, but not at draft
	Tank          *Tank          // nil for none
	Floor         float64        // height of the floor, m
	Paving        texture.Paving // of the floor; slabs if empty
	Ground        *vec.Box       // the extent of the floor's layout; nil for the tank, or else for all there is
	Vessels       []Vessel       // tanks of other shapes, or turned
	Solids        []Solid
	Liquid        *mesh.Mesh      // closed, with normals; nil for none
	Particles     *Particles      // for a ParticleLook; nil for none
	Volume        *Volume         // of a gas, for a look that draws voxels; nil to make it of the particles
	Streaks       float64         // s, for which Grains leave streaks if the shutter is open for less
	Grains        *grains.Parcels // spray, mist, bubbles and foam; nil for none
	Look          Look
}

// Frame describes the picture of v for an overlay.
func (v *View) Frame() overlay.Frame {
	f := overlay.Frame{Camera: v.Camera, Width: v.Width, Height: v.Height, Floor: v.Floor, Subject: v.Ground}
	if v.Tank != nil {
		f.Subject = &v.Tank.Box
	}
	return f
}

// Look is how the liquid looks.
type Look interface {
	// Draw draws v. The picture is the same, to the bit, for any number of
	// threads.
	Draw(v *View) (*image.RGBA, error)
}

// Sharp reports whether a look has no motion blur, as looks that measure or draw lines.
func Sharp(l Look) bool {
	_, ok := l.(interface{ sharp() })
	return ok
}

// Looks are the known looks.
var Looks = registry.Set[Look]{Kind: "look"}

// maxSide bounds the picture's sides in a scene file.
const maxSide = 16384

// Validate reports everything that keeps v from being drawn.
func (v *View) Validate() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf("raster: "+format, args...)) }
	if v.Width < 1 || v.Height < 1 || v.Width > maxSide || v.Height > maxSide {
		bad("picture of %d×%d pixels; each side must be 1 to %d", v.Width, v.Height, maxSide)
	}
	if whole := image.Rect(0, 0, v.Width, v.Height); !v.Region.Empty() && !v.Region.In(whole) {
		bad("region %v exceeds the picture of %d×%d pixels", v.Region, v.Width, v.Height)
	}
	if !slices.Contains(qualities[:], v.Quality) {
		bad("unknown quality %q; expected one of %v", v.Quality, qualities)
	}
	if !(v.Shutter >= 0) || math.IsInf(v.Shutter, 1) {
		bad("shutter open for %g s; it must be 0 or more", v.Shutter)
	}
	if v.Paving != "" && !slices.Contains(texture.Pavings[:], v.Paving) {
		bad("unknown floor %q; expected one of %v", v.Paving, texture.Pavings)
	}
	c := v.Camera
	switch {
	case !c.Eye.Finite() || !c.Target.Finite() || c.Eye == c.Target:
		bad("camera at %v looks at %v; both must be finite and apart", c.Eye, c.Target)
	case c.Eye.Y <= v.Floor:
		bad("camera at height %g m is below the floor at %g m; raise camera.eye", c.Eye.Y, v.Floor)
	}
	if !(c.Focal > 0) || math.IsInf(c.Focal, 1) {
		bad("focal length of %g mm; it must be above 0", c.Focal)
	}
	if math.IsNaN(c.Roll) || math.IsInf(c.Roll, 0) {
		bad("camera rolled by %g°; it must be finite", c.Roll)
	}
	if !(c.Aperture >= 0 && c.Focus >= 0) || math.IsInf(c.Aperture, 1) || math.IsInf(c.Focus, 1) {
		bad("aperture f/%g with the focus at %g m; both must be 0 or more", c.Aperture, c.Focus)
	}
	l := v.Light
	for _, x := range []float64{l.Azimuth, l.Elevation, l.Sun, l.Sky, l.Turbidity, l.Exposure, v.Floor} {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			bad("light or floor is not finite: %+v, floor %g m", l, v.Floor)
			break
		}
	}
	if !(l.Elevation > 0 && l.Elevation <= 90) {
		bad("sun at %g° above the horizon; it must be above 0 and at most 90", l.Elevation)
	}
	if l.Environment != "" && l.Panorama == nil {
		bad("the environment %q was not read", l.Environment)
	}
	switch {
	case !l.Kind.Known():
		bad("unknown light %q; expected one of %s", l.Kind, sky.Names())
	case (l.Kind == sky.Clear || l.Kind == sky.Hills) && !(l.Turbidity >= 2 && l.Turbidity <= 10):
		bad("turbidity of %g; a clear sky has 2 to 10", l.Turbidity)
	}
	if t := v.Tank; t != nil && t.Walls != nil {
		if err := t.Walls.check(); err != nil {
			bad("tank: %w", err)
		}
	}
	if t := v.Tank; t != nil && (!t.Min.Finite() || !t.Max.Finite() || !(t.Volume() > 0)) {
		bad("tank from %v to %v is empty", t.Min, t.Max)
	}
	for i := range v.Vessels {
		if err := v.Vessels[i].check(); err != nil {
			bad("vessel %d: %w", i+1, err)
		}
	}
	if v.Liquid != nil {
		if err := v.Liquid.CheckData(); err != nil {
			bad("liquid: %w", err)
		} else if inside(v.Liquid, c.Eye) {
			bad("the camera at %v is inside the liquid; move camera.eye out of it", c.Eye)
		}
	}
	if v.Grains != nil {
		if err := v.Grains.Check(); err != nil {
			bad("grains: %w", err)
		}
	}
	if v.Particles != nil {
		if err := v.Particles.check(); err != nil {
			bad("particles: %w", err)
		}
	}
	for i, s := range v.Solids {
		if s.Mesh == nil {
			bad("solid %d has no mesh", i+1)
		} else if err := s.Mesh.CheckData(); err != nil {
			bad("solid %d: %w", i+1, err)
		} else if err := s.check(); err != nil {
			bad("solid %d: %w", i+1, err)
		}
	}
	return errors.Join(errs...)
}

// check returns a fault of s apart from its mesh.
func (s *Solid) check() error {
	if n := len(s.Mesh.Tri); s.Colors != nil && len(s.Colors) != n {
		return fmt.Errorf("%d colours for %d triangles", len(s.Colors), n)
	}
	if n := len(s.Mesh.Tri); s.Pictures != nil && (len(s.Pictures) != n || len(s.Places) != n) {
		return fmt.Errorf("%d pictures and %d texture coordinates for %d triangles", len(s.Pictures), len(s.Places), n)
	}
	for i, at := range s.Places {
		for _, p := range at {
			if x := p[0] + p[1]; math.IsNaN(x) || math.IsInf(x, 0) {
				return fmt.Errorf("triangle %d has the texture coordinate %v", i, at)
			}
		}
	}
	if n := len(s.Mesh.Pos); s.Rest != nil && len(s.Rest) != n {
		return fmt.Errorf("%d rest positions for %d vertices", len(s.Rest), n)
	}
	for _, c := range s.Colors {
		if err := (Material{Color: c}).check(); err != nil {
			return err
		}
	}
	return s.Material.check()
}

// inside reports whether p lies in the closed mesh m: the first triangle
// above p is then seen from behind.
func inside(m *mesh.Mesh, p vec.Vec3) bool {
	if !m.Bounds().Contains(p) {
		return false
	}
	up := vec.Vec3{X: 1e-4, Y: 1, Z: 1.3e-4} // a little off, to miss edges that stand upright
	nearest, in := math.Inf(1), false
	for _, t := range m.Tri {
		a, b, c := m.Pos[t[0]], m.Pos[t[1]], m.Pos[t[2]]
		if d, u, v := bvh.Meet(p, up, a, b, c); d > 0 && d < nearest && u >= 0 && v >= 0 && u+v <= 1 {
			nearest, in = d, b.Sub(a).Cross(c.Sub(a)).Dot(up) > 0
		}
	}
	return in
}
