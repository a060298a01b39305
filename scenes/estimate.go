package scenes

import (
	"breakwater/out"
	"breakwater/sim"
	"breakwater/sim/plug"
)

// Estimate says what a scene needs before it is run.
type Estimate struct {
	Particles int     // at the start
	Incoming  int     // that inflows bring
	Spacing   float64 // m
	Volume    float64 // of the liquid, m³
	Frames    int
	Time      float64 // simulated, s
	Steps     int     // of the solver
	Shortened string  // the setting that makes the steps shorter than motion alone would, as solver.sound_speed or force[1]; "" if none does

	// PixelsPerParticle is how wide a spacing is in the middle of the picture.
	// Above about 6, single drops are seen to be balls; below 2, most of the
	// detail is lost.
	PixelsPerParticle float64

	Memory   int64 // the most of it at a time, bytes
	Particle int64 // all particle files, bytes
	Mesh     int64 // all mesh files, bytes
	MeshKept int64 // those that stay, bytes
	MeshMost int64 // those that are there at a time, bytes
	Export   int64 // particle and volume files for other programs, and archives, bytes
	Picture  int64 // all frames, bytes
	Film     int64 // bytes

	Formats []FormatSize // what Mesh and Export are made of
}

// FormatSize is how much of the disk the files of a format take.
type FormatSize struct {
	Stage  Stage  // MeshStage or ExportStage
	What   string // mesh, particles or volume
	Format string
	Bytes  int64 // of all frames
}

// Disk returns the bytes of all files together.
func (e *Estimate) Disk() int64 { return e.Particle + e.Mesh + e.Export + e.Picture + e.Film }

// What a run takes, measured on the shipped dam break at 720p. How far water
// spreads and how fast it gets is not known before, so other scenes may need
// half or twice as much.
const (
	bytesPerParticle = 600  // in memory: the state, about 30 neighbours with their weights, and files on their way
	bytesPerVertex   = 1300 // in memory: grid, mesh, and the hierarchy that rays are traced in
	bytesPerPixel    = 90   // in memory: the float buffers of a picture, by the looks that take the most, measured at 3840 × 2160
	programBytes     = 40e6 // in memory, whatever the scene
	gzipShare        = 0.4  // of a file that is compressed
	plyParticle      = 36   // in a file: position, velocity, density, id and pressure
	fogVoxel         = 2.2  // voxels of a volume for one in the liquid, which the kernels reach
	voxelNumber      = 4.2  // in a file: a number of a voxel, and the share of its leaf
	bandVoxel        = 6    // voxels of a level set for one on the surface
	pngPixel         = 0.76 // in a file
	filmPixel        = 0.04 // in a file
	splash           = 5    // vertices of a mean frame for one of the first
	splashMost       = 12   // vertices of the largest frame for one of the first
)

// Estimate returns what b, which s made, will need.
func (s *Scene) Estimate(b *Built) Estimate {
	w, d := b.World, s.Liquid.Spacing
	e := Estimate{Particles: b.Start, Spacing: d, Volume: float64(b.Start) * d * d * d, Frames: s.Time.Frames()}
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
	e.Formats = s.formatSizes(frames*splash*vertices, frames*(float64(e.Particles)+float64(e.Incoming)/2))
	for _, f := range e.Formats {
		if f.Stage == MeshStage {
			e.Mesh += f.Bytes
		} else {
			e.Export += f.Bytes
		}
	}
	e.MeshKept = e.Mesh * int64(kept(s.Mesh.Keep, e.Frames)) / int64(e.Frames)
	e.MeshMost = min(e.Mesh, e.MeshKept+e.Mesh*int64(s.batch())/int64(e.Frames))
	return e
}

// formatSizes returns how much each format takes that the scene asks for, or
// that those are made from, for so many vertices and particles in all frames.
func (s *Scene) formatSizes(vertices, particles float64) (list []FormatSize) {
	r := &runner{scene: s}
	add := func(stage Stage, what, name string, format any, part out.Part, attributes []string) {
		points := vertices
		if part == out.NeedsParticles {
			points = particles
		}
		bytes := points * out.PointBytes(format, part, numbersOf(attributes))
		if bytes > 0 { // a list of files takes next to nothing
			list = append(list, FormatSize{stage, what, name, int64(bytes)})
		}
	}
	for _, name := range r.meshFormats() {
		if f, err := out.Formats.New(name, plug.None); err == nil {
			add(MeshStage, "mesh", name, f, out.NeedsMesh, s.Mesh.Attributes)
			list = smaller(list, s.Mesh.Gzip)
		}
	}
	for _, name := range r.pointFormats() {
		if f, err := out.PointFormats.New(name, plug.None); err == nil {
			add(ExportStage, "particles", name, f, out.NeedsParticles, s.Points.Attributes)
			list = smaller(shareOf(list, s.Points.Keep, s.Time.Frames()), s.Points.Gzip)
		}
	}
	for _, name := range s.Mesh.Formats {
		if a, err := out.Archives.New(name, plug.None); err == nil {
			add(ExportStage, "mesh", name, a, out.NeedsMesh, s.Mesh.Attributes)
		}
	}
	for _, name := range s.Points.Formats {
		if a, err := out.Archives.New(name, plug.None); err == nil {
			add(ExportStage, "particles", name, a, out.NeedsParticles, s.Points.Attributes)
		}
	}
	for _, name := range s.Volume.Formats {
		per := 1 / s.Volume.Voxel // spacings
		numbers := 0.
		for _, grid := range s.Volume.Grids {
			switch grid {
			case "density":
				numbers += particles * fogVoxel * per * per * per
			case "velocity":
				numbers += 3 * particles * fogVoxel * per * per * per
			case "surface": // a vertex has half a spacing squared
				numbers += vertices / 4 * bandVoxel * per * per
			}
		}
		list = append(list, FormatSize{ExportStage, "volume", name, int64(numbers * voxelNumber)})
		list = shareOf(list, s.Volume.Keep, s.Time.Frames())
	}
	return list
}

// smaller leaves the last of list what it takes if it is compressed.
func smaller(list []FormatSize, gzip bool) []FormatSize {
	if n := len(list); gzip && n > 0 {
		list[n-1].Bytes = int64(gzipShare * float64(list[n-1].Bytes))
	}
	return list
}

// shareOf leaves the last of list what the frames of it take that have files.
func shareOf(list []FormatSize, keep string, frames int) []FormatSize {
	if n := len(list); n > 0 {
		list[n-1].Bytes = list[n-1].Bytes * int64(kept(keep, frames)) / int64(frames)
	}
	return list
}

// numbersOf returns how many numbers the attributes named are.
func numbersOf(attributes []string) (n int) {
	for _, name := range attributes {
		if q, err := sim.Quantities.New(name, plug.None); err == nil {
			n += q.Numbers()
		}
	}
	return n
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
