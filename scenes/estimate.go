package scenes

import "breakwater/sim"

// Estimate says what a scene needs before it is run.
type Estimate struct {
	Particles int     // at the start
	Incoming  int     // that inflows bring
	Spacing   float64 // m
	Volume    float64 // of the liquid, m³
	Frames    int
	Time      float64 // simulated, s
	Steps     int     // of the solver
	Shortened string  // the setting that makes the steps shorter than motion alone would, as solver.sound_speed or force[0]; "" if none does

	// PixelsPerParticle is how wide a spacing is in the middle of the picture.
	// Above about 6, single drops are seen to be balls; below 2, most of the
	// detail is lost.
	PixelsPerParticle float64

	Memory   int64 // the most of it at a time, bytes
	Particle int64 // all particle files, bytes
	Mesh     int64 // all mesh files, bytes
	Picture  int64 // all frames, bytes
	Film     int64 // bytes
}

// Disk returns the bytes of all files together.
func (e *Estimate) Disk() int64 { return e.Particle + e.Mesh + e.Picture + e.Film }

// What a run takes, measured on the shipped dam break at 720p. How far water
// spreads and how fast it gets is not known before, so other scenes may need
// half or twice as much.
const (
	bytesPerParticle = 600  // in memory: the state, about 30 neighbours with their weights, and files on their way
	bytesPerVertex   = 1300 // in memory: grid, mesh, and the hierarchy that rays are traced in
	bytesPerPixel    = 90   // in memory: the float buffers of a picture, by the looks that take the most, measured at 3840 × 2160
	programBytes     = 40e6 // in memory, whatever the scene
	plyParticle      = 36   // in a file: position, velocity, density, id and pressure
	objVertex        = 145  // in a file: position, normal, two triangles, as text
	plyVertex        = 62   // in a file: position, normal, velocity, and two triangles
	pngPixel         = 0.76 // in a file
	filmPixel        = 0.04 // in a file
	splash           = 5    // vertices of a mean frame for one of the first
	splashMost       = 12   // vertices of the largest frame for one of the first
)

// Estimate returns what b, which s made, will need.
func (s *Scene) Estimate(b *Built) Estimate {
	w, d := b.World, s.Liquid.Spacing
	e := Estimate{Particles: w.Len(), Spacing: d, Volume: float64(w.Len()) * d * d * d, Frames: s.Time.Frames()}
	e.Time = s.Time.At(e.Frames)

	p := s.parts(new(faults))
	p.walls, p.bodies = w.Walls, nil // which are among the walls
	e.Steps, e.Shortened = s.steps(p)

	eye := b.Camera.Target.Sub(b.Camera.Eye).Len()
	const sensor = 36 // mm; see raster.Camera
	e.PixelsPerParticle = d / eye * b.Camera.Focal / sensor * float64(s.Picture.Size[0])

	e.Incoming = int(p.incoming(s) / (d * d * d))
	n, frames := float64(e.Particles+e.Incoming), float64(e.Frames)
	pixels := float64(s.Picture.Size[0]) * float64(s.Picture.Size[1])
	vertices := p.area() / (d / 2 * d / 2)
	e.Memory = int64(s.need(w, n, vertices).likely)
	e.Particle = int64(frames * (float64(e.Particles) + float64(e.Incoming)/2) * plyParticle)
	e.Picture = int64(frames * pixels * pngPixel)
	e.Film = int64(frames * pixels * filmPixel)
	perVertex := objVertex // always written
	for _, name := range s.Mesh.Formats {
		if name != "obj" {
			perVertex += plyVertex
		}
	}
	e.Mesh = int64(frames*splash*vertices) * int64(perVertex)
	return e
}

// area returns the surface of the blocks' bounds, m².
func (p *parts) area() (a float64) {
	for _, shape := range p.shapes {
		if shape != nil {
			size := shape.Bounds().Size()
			a += 2 * (size.X*size.Y + size.Y*size.Z + size.Z*size.X)
		}
	}
	return a
}

// need is how much memory a run takes, in bytes.
type need struct {
	likely float64
	least  float64 // with less it cannot be done
}

// need returns what so many particles take in a world like w, and a surface
// that starts with so many vertices. A simulation needs its live memory, and as
// much again for a collector that takes its time. How far the liquid spreads is
// only guessed: half as much surface is the least.
func (s *Scene) need(w *sim.World, particles, vertices float64) need {
	pixels := float64(s.Picture.Size[0]) * float64(s.Picture.Size[1])
	mesh, picture := splashMost*vertices*bytesPerVertex, pictureNeed(pixels)
	live := w.Memory(particles)
	walls := w.Memory(0) // which stay while the surface is made
	return need{
		likely: max(programBytes+live+particles*(bytesPerParticle-sim.BytesPerParticle), walls+mesh+picture),
		least:  max(programBytes+live, walls+mesh/2+picture),
	}
}

// pictureNeed returns the bytes of memory that a picture takes by itself.
func pictureNeed(pixels float64) float64 { return programBytes + pixels*bytesPerPixel }

// steps returns about how many steps the solver of p takes for the film, and
// what shortens them; see Estimate.Shortened. The walls of p must be ready.
func (s *Scene) steps(p *parts) (n int, shortened string) {
	all := s.bounds(p)
	least := 0.9 * all[0].motion.dt() // what makes less of a difference shortens nothing
	for _, b := range all {
		if dt := b.motion.dt(); dt < least {
			least, shortened = dt, b.key
		}
	}
	// A frame ends with a step, whatever is left for it: half a step more each.
	frames := s.Time.Frames()
	each := s.Time.At(2)/s.motion(p).dt() + 0.5
	return int(float64(frames-1) * max(1, each)), shortened
}
