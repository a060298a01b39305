package scenes

import "breakwater/sim/vec"

// Estimate says what a scene needs before it is run.
type Estimate struct {
	Particles int
	Spacing   float64 // m
	Volume    float64 // of the liquid, m³
	Frames    int
	Time      float64 // simulated, s
	Steps     int     // of the solver

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
	bytesPerParticle = 1300 // in memory: the state, and about 30 neighbours with their gradients
	bytesPerVertex   = 700  // in memory: grid, mesh, and the hierarchy that rays are traced in
	bytesPerPixel    = 60   // in memory: the float buffers of a picture
	programBytes     = 40e6 // in memory, whatever the scene
	plyParticle      = 40   // in a file: position, velocity, density, id and two pressures
	objVertex        = 145  // in a file: position, normal, two triangles, as text
	plyVertex        = 62   // in a file: position, normal, velocity, and two triangles
	pngPixel         = 0.76 // in a file
	filmPixel        = 0.04 // in a file
	splash           = 5    // vertices of a mean frame for one of the first
	splashMost       = 12   // vertices of the largest frame for one of the first
	rush             = 1.35 // highest speed for that of a fall to the ground
)

// Estimate returns what b, which s made, will need.
func (s *Scene) Estimate(b *Built) Estimate {
	w, d := b.World, s.Liquid.Spacing
	e := Estimate{Particles: w.Len(), Spacing: d, Volume: float64(w.Len()) * d * d * d, Frames: s.Time.Frames()}
	e.Time = s.Time.At(e.Frames)

	// The solver says how long a step may be at the speed that is to come.
	v := w.V[0]
	w.V[0] = vec.New(0, -rush*w.Speed, 0)
	e.Steps = max(e.Frames-1, int(e.Time/b.Solver.MaxDt(w)))
	w.V[0] = v

	eye := b.Camera.Target.Sub(b.Camera.Eye).Len()
	const sensor = 36 // mm; see raster.Camera
	e.PixelsPerParticle = d / eye * b.Camera.Focal / sensor * float64(s.Picture.Size[0])

	// A surface is meshed in cells of half a spacing, a vertex to each.
	var area float64
	for _, shape := range s.parts(new(faults)).shapes {
		size := shape.Bounds().Size()
		area += 2 * (size.X*size.Y + size.Y*size.Z + size.Z*size.X)
	}
	vertices := area / (d / 2 * d / 2)
	pixels := float64(s.Picture.Size[0]) * float64(s.Picture.Size[1])
	n, frames := float64(e.Particles), float64(e.Frames)

	e.Memory = int64(programBytes + max(n*bytesPerParticle, splashMost*vertices*bytesPerVertex+pixels*bytesPerPixel))
	e.Particle = int64(frames * n * plyParticle)
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
