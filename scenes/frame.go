package scenes

import (
	"math"
	"slices"

	"breakwater/raster"
	"breakwater/scenes/memory"
	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/par"
	"breakwater/sim/particle"
	"breakwater/sim/vec"
	"breakwater/surface"
)

// View returns what all frames of s, of which b was built, have in common.
func (s *Scene) View(b *Built) raster.View {
	return raster.View{
		Light: b.Light,
		Width: s.Picture.Size[0], Height: s.Picture.Size[1], Quality: s.Picture.Quality, Shutter: s.Shutter(b),
		Floor: b.Floor, Paving: s.Picture.Floor, Ground: &b.Ground, Look: b.Look,
	}
}

// Shutter returns how long the shutter is open, in simulated seconds.
func (s *Scene) Shutter(b *Built) float64 { return s.shutter(b.Look) }

// shutter returns how long the shutter is open for a look, in simulated seconds.
func (s *Scene) shutter(look raster.Look) float64 {
	angle := s.Picture.Shutter
	if n := s.root.Get("picture"); n == nil || n.Get("shutter") == nil {
		angle = 180
	}
	if s.Picture.Quality == raster.Draft || raster.Sharp(look) {
		angle = 0
	}
	return angle / 360 / s.Time.FPS * s.Time.Speed
}

// ScriptShutter returns how long the shutter of other programs is open, as a share of the time of
// a frame: as the scene says, or half, whatever the quality.
func (s *Scene) ScriptShutter() float64 {
	if n := s.root.Get("picture"); n == nil || n.Get("shutter") == nil {
		return 0.5
	}
	return s.Picture.Shutter / 360
}

// Pixels returns how many pixels a picture of s has.
func (s *Scene) Pixels() float64 { return float64(s.Picture.Size[0]) * float64(s.Picture.Size[1]) }

// PictureMemory returns what the memory of a picture of s with a look depends on.
func (s *Scene) PictureMemory(look raster.Look) memory.Picture {
	return memory.Picture{
		Pixels: s.Pixels(), Balls: drawsParticles(look), Draft: s.Picture.Quality == raster.Draft, Blurred: s.shutter(look) > 0, Gas: s.Gas != nil,
	}
}

// Cloud returns the input of the surface of frame n, at time t.
func (s *Scene) Cloud(b *Built, p *particle.Set, n int, t float64) surface.Cloud {
	cloud := surface.Cloud{X: p.X, V: p.V, ID: p.ID, Spacing: s.Liquid.Spacing, Walls: b.Solids}
	if len(s.Inflow) > 0 {
		// Liquid in the nozzles is not visible. The densities include it, so they do not
		// fit the visible liquid.
		b.freed(&cloud, p, t)
	} else if n > 1 { // the first frame comes before densities are summed
		cloud.Rho, cloud.Rho0 = b.sums(s.Liquid.Density, p), s.Liquid.Density
	}
	return cloud
}

// freed sets c to the particles of p that have left the nozzles at time t.
func (b *Built) freed(c *surface.Cloud, p *particle.Set, t float64) {
	var x, v []vec.Vec3
	var ids []uint32
	for i, id := range p.ID {
		if !b.World.InBuffer(id, t) {
			x, v, ids = append(x, p.X[i]), append(v, p.V[i]), append(ids, id)
		}
	}
	c.X, c.V, c.ID = x, v, ids
}

// sums returns the densities of p less the walls' terms.
func (b *Built) sums(rho0 float64, p *particle.Set) []float64 {
	rho := slices.Clone(p.Rho)
	par.For(len(rho), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			for _, w := range b.World.Walls {
				share, _ := w.Mirror(p.X[i])
				rho[i] -= float64(share * rho0)
			}
		}
	})
	return rho
}

// rough is a wall whose exact distance takes long, for the surface, which asks for it
// often.
type rough struct {
	boundary.Boundary
	near float64 // how near the distance is exact, m
}

// Dist is exact where the mesh may touch the wall, so that it meets it in the
// sharp edges that the wall has, and rough elsewhere.
func (r rough) Dist(x vec.Vec3) (float64, vec.Vec3) {
	d, n := boundary.RoughDist(r.Boundary, x)
	if math.Abs(d) < r.near {
		return r.Boundary.Dist(x)
	}
	return d, n
}

// solid returns a wall for the surface.
func (s *Scene) solid(wall boundary.Boundary) surface.Wall {
	if shape, _ := body.Unwrap(wall); !boundary.IsRough(shape) {
		return wall
	}
	return rough{wall, s.Spacing()}
}
