package scenes

import (
	"bytes"
	"math"
	"slices"

	"breakwater/out"
	"breakwater/raster"
	"breakwater/raster/grains"
	"breakwater/scenes/stage"
	"breakwater/sim"
	"breakwater/sim/num"
	"breakwater/sim/quantity"
	"breakwater/sim/whitewater"
	"breakwater/surface/mesh"
)

// Estimate says what resources a scene needs before it is run.
type Estimate struct {
	Particles int     // at the start
	Vortons   int     // of them, in a gas
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

	Memory     int64 // the most of it at a time, bytes
	MemoryFree int64 // the same without a limit of the collector, at which it frees memory more often
	Particle   int64 // all particle files, bytes
	Mesh       int64 // all mesh files with the surface cache, bytes
	MeshKept   int64 // kept files, bytes
	MeshMost   int64 // files that exist at once, bytes
	Parcels    int   // of whitewater, in a mean frame
	Whitewater int64 // the files of all parcels, bytes
	Export     int64 // particle and volume files for other programs, and archives, bytes
	Picture    int64 // all frames, bytes
	Film       int64 // bytes

	Formats []FormatSize // the formats in Mesh and Export

	Rehearsed      bool    // whether a rehearsal says so; else most is a guess
	Vertices       float64 // of the liquid in a mean frame
	SimTime        float64 // s on this machine, as MeshTime and the others; 0 if not rehearsed
	MeshTime       float64
	WhitewaterTime float64
	DrawTime       float64
	FilmTime       float64

	memoryFor func(d float64) float64 // the bytes that another spacing takes, m
}

// FormatSize is how much of the disk the files of a format take.
type FormatSize struct {
	Stage  stage.Name // MeshStage or ExportStage
	What   string     // surface, mesh, particles or volume
	Format string
	Bytes  int64 // of all frames
}

// Disk returns the bytes of all files together.
func (e *Estimate) Disk() int64 {
	return e.Particle + e.Whitewater + e.Mesh + e.Export + e.Picture + e.Film
}

// Seconds returns how long the run takes on this machine, 0 if it was not
// rehearsed.
func (e *Estimate) Seconds() float64 {
	return e.SimTime + e.WhitewaterTime + e.MeshTime + e.DrawTime + e.FilmTime
}

// The costs of a run, measured on the shipped scenes with 500 to 50,000 particles. Memory
// is the peak of the process, with the collector at its usual pace.
const (
	baseBytes        = 25e6 // in memory, whatever the scene: the program itself
	pictureBase      = 42e6 // in memory, once pictures are drawn
	leastPicture     = 32e6 // likewise, if the collector frees memory more often
	bytesPerParticle = 1650 // in memory: the state, about 30 neighbours with their weights, the arrays of the default solver, and garbage not yet collected
	liveParticle     = 475  // of it without garbage and these arrays
	cloudParticle    = 800  // in memory: a particle whose surface is being made
	meshVertex       = 1400 // in memory: grid and meshes
	drawnVertex      = 850  // in memory: a mesh that was read, and the hierarchy that rays are traced in
	drawnParcel      = 100  // in memory: a parcel of whitewater that is drawn
	drawnGrain       = 400  // in memory: a grain of one
	drawnBall        = 3500 // in memory: a particle that is drawn as a ball
	readParticle     = 150  // in memory, without the collector's room: a particle that was read from a file
	writtenVertex    = 100  // likewise: a vertex while its mesh is checked and written
	bytesPerPixel    = 165  // in memory: the buffers of a picture, for the looks that take the most
	blurredPixel     = 205  // in memory: likewise, of a picture with motion blur
	ballPixel        = 320  // in memory: likewise, of a picture of balls
	ballDraftPixel   = 110  // in memory: likewise, at draft
	leastPixel       = 150  // in memory: likewise, if the collector frees memory more often
	gzipShare        = 0.4  // of a file that is compressed
	plyParticle      = 36   // in a file: position, velocity, density, id and pressure
	fogVoxel         = 2.2  // voxels of a volume for one in the liquid, which the kernels reach
	puffVoxel        = 3.5  // voxels of a volume for a tracer, if it has room for one at the start
	voxelNumber      = 4.2  // in a file: a number of a voxel, and the share of its leaf
	bandVoxel        = 6    // voxels of a level set for one on the surface
	pngPixel         = 0.76 // in a file of 1280 × 720
	filmPixel        = 0.04 // in a file
)

// Without a rehearsal, the surface is guessed from the surface of the blocks at the start
// and from the particles. Particles that flow in are in the air for a while.
const (
	splashParticle = 0.6 // vertices of a mean frame for each particle
	jetParticle    = 10  // vertices of a mean frame for each particle that is to come
	splashMost     = 2   // vertices of the largest frame for one of a mean one
)

// load is the work of a film.
type load struct {
	particles, particlesMost float64 // in a mean frame, and in the largest
	vortons                  float64 // of the particles, in a gas
	vertices, verticesMost   float64
	parcels, parcelsMost     float64 // of whitewater
	points                   float64 // in its files for other programs, for each parcel
	grains, grainsMost       float64 // that are drawn
}

// guess returns the load of a film with the given numbers of particles at the start and
// later, and the given surface of the blocks in m², at spacing d.
func (s *Scene) guess(start, come, area, d float64) load {
	l := load{particles: float64(start) + float64(come/2), particlesMost: float64(start) + float64(come)}
	l.vertices = area/(d/2*d/2) + float64(splashParticle*start) + float64(jetParticle*come/2)
	l.verticesMost = float64(splashMost * l.vertices)
	if s.Flat() {
		l.vertices, l.verticesMost = 0, 0
	}
	return l
}

// Estimate returns the needs of b, which s made. Without a rehearsal the surface is a
// guess, and the time is left out.
func (s *Scene) Estimate(b *Built, r *Rehearsal) Estimate {
	if s.Gas != nil {
		return s.estimateGas(b, r)
	}
	w, d := b.World, s.Liquid.Spacing
	e := Estimate{Particles: b.Start, Incoming: b.Most - b.Start, Spacing: d, Volume: float64(b.Start) * s.particleVolume(d), Frames: s.Time.Frames()}
	e.Time = s.Time.At(e.Frames)

	p := b.parts.in(w)
	eye := b.Camera.Target.Sub(b.Camera.Eye).Len()
	const sensor = 36 // mm; see raster.Camera
	e.PixelsPerParticle = d / eye * b.Camera.Focal / sensor * float64(s.Picture.Size[0])

	start, come, area := float64(e.Particles), float64(e.Incoming), p.area()
	at := func(d float64) load {
		x := s.particleVolume(e.Spacing) / s.particleVolume(d)
		l := s.guess(start*x, come*x, area, d)
		if s.Whitewater != nil && !b.DrawsParticles() { // as much as there may be
			l.parcelsMost = float64(s.Whitewater.Most)
			l.grainsMost = max(grains.All, l.parcelsMost)
		}
		return l
	}
	if fine := r.finest(); fine != nil && len(fine.frames) > 0 {
		e.Rehearsed = true
		at = func(d float64) (l load) {
			x := s.particleVolume(e.Spacing) / s.particleVolume(d)
			l.particles, l.particlesMost = r.particles(d, int(start*x))
			l.vertices, l.verticesMost = r.vertices(d, l.particles)
			l.parcels, l.parcelsMost = fine.water.parcels(s.Time.Frames())
			l.points = fine.water.points(s.Whitewater)
			l.grains, l.grainsMost = fine.water.grainsOf(s.Time.Frames())
			return l
		}
	}
	dt := s.motion(p).dt()
	e.Steps, e.Shortened = s.steps(p, dt, r.stepsFor(1))
	film := at(d)
	e.Vertices = film.vertices
	memory := usualLive
	if fine := r.finest(); fine != nil {
		memory = fine.liveIn(w)
	}
	e.memoryFor = func(d float64) float64 { return s.need(w, b.Solver, b.Look, at(d), memory).likely }
	e.Memory = int64(e.memoryFor(d))
	e.MemoryFree = int64(s.need(w, b.Solver, b.Look, film, memory).free)

	frames, pixels := float64(e.Frames), s.pixels()
	pixel := pngPixel * num.Pow(1280*720/pixels, largerPNG)
	if r != nil && r.shot != nil {
		pixel = r.shot.bytes
	}
	each := float64(plyParticle)
	if fine := r.finest(); fine != nil && fine.each > 0 {
		each = fine.each
	}
	e.Particle = int64(frames * film.particles * each)
	e.Parcels, e.Whitewater = int(film.parcels), int64(frames*film.parcels*whitewater.ParcelBytes)
	e.Picture = int64(frames * pixels * pixel)
	e.Film = int64(frames * pixels * filmPixel)
	e.Formats = s.formatSizes(b, film)
	if fine := r.finest(); fine != nil && fine.text > 0 {
		for i := range e.Formats {
			if f := &e.Formats[i]; f.Format == "obj" {
				f.Bytes = int64(float64(f.Bytes) * fine.text)
			}
		}
	}
	for _, f := range e.Formats {
		if f.Stage == stage.Mesh {
			e.Mesh += f.Bytes
		} else {
			e.Export += f.Bytes
		}
	}
	e.MeshKept = e.Mesh * int64(Kept(s.Mesh.Keep, e.Frames)) / int64(e.Frames)
	e.MeshMost = min(e.Mesh, e.MeshKept+e.Mesh*int64(s.Batch())/int64(e.Frames))
	if e.Rehearsed {
		r.times(b, &e, film, pixels)
	}
	return e
}

// SpacingFor returns the smallest spacing above the scene's, to two digits, with which a
// run needs at most the given bytes of memory.
func (e *Estimate) SpacingFor(bytes int64) (d float64, ok bool) {
	return nearestEnough(e.Spacing, 1, func(d float64) bool { return e.memoryFor(d) <= float64(bytes) })
}

// formatSizes returns how much the surface cache takes, and each format that the scene
// asks for or that those are made from.
func (s *Scene) formatSizes(b *Built, film load) (list []FormatSize) {
	frames := float64(s.Time.Frames())
	vertices, particles := float64(frames*film.vertices), float64(frames*film.particles)
	add := func(st stage.Name, what, name string, format any, part out.Part, attributes []Named[quantity.Quantity]) {
		points := film.vertices
		if part == out.NeedsParticles {
			points = film.particles
		}
		numbers := numbersOf(attributes)
		if what == "mesh" {
			numbers += len(b.Formats.MeshFoam)
		}
		bytes := float64(frames * points * out.PointBytes(format, part, points, numbers))
		if st == stage.Mesh {
			bytes += float64(frames * b.bodyBytes(name, format))
		}
		if bytes > 0 { // a list of files takes next to nothing
			list = append(list, FormatSize{st, what, name, int64(bytes)})
		}
	}
	if !s.Meshless() {
		add(stage.Mesh, "surface", "plymesh", b.Formats.Surface, out.NeedsMesh, nil)
	}
	for _, f := range b.Formats.Mesh {
		add(stage.Mesh, "mesh", f.Name, f.As, out.NeedsMesh, b.Formats.MeshAttributes)
		list = smaller(list, s.Mesh.Gzip)
	}
	for _, f := range b.Formats.Points {
		if s.Gas != nil { // tracers and vortons, in files of their own
			tracers := film.particles - film.vortons
			bytes := float64(tracers*out.PointBytes(f.As, out.NeedsParticles, tracers, tracerNumbers)) + float64(film.vortons*out.PointBytes(f.As, out.NeedsParticles, film.vortons, vortonNumbers))
			list = append(list, FormatSize{stage.Export, "particles", f.Name, int64(frames * bytes)})
		} else {
			add(stage.Export, "particles", f.Name, f.As, out.NeedsParticles, b.Formats.PointAttributes)
		}
		list = smaller(shareOf(list, s.Points.Keep, s.Time.Frames()), s.Points.Gzip)
	}
	for _, a := range b.Formats.MeshArchives {
		add(stage.Export, "mesh", a.Name, a.As, out.NeedsMesh, b.Formats.MeshAttributes)
	}
	for _, a := range b.Formats.PointArchives {
		add(stage.Export, "particles", a.Name, a.As, out.NeedsParticles, b.Formats.PointAttributes)
	}
	for _, name := range s.Volume.Formats {
		per := 1 / s.Volume.Voxel // spacings
		if s.Gas != nil {
			numbers := float64(len(s.Volume.Grids))
			if slices.Contains(s.Volume.Grids, "velocity") || slices.Contains(s.Volume.Grids, "vel") {
				numbers += 2
			}
			numbers *= particles * puffVoxel * max(1, per*per*per/s.Tracers.PerCell)
			list = append(list, FormatSize{stage.Export, "volume", name, int64(numbers * voxelNumber)})
			list = shareOf(list, s.Volume.Keep, s.Time.Frames())
			continue
		}
		numbers := 0.
		for _, grid := range s.Volume.Grids {
			switch grid {
			case "density":
				numbers += float64(particles * fogVoxel * per * per * per)
			case "velocity":
				numbers += float64(3 * particles * fogVoxel * per * per * per)
			case "surface": // a vertex has half a spacing squared
				numbers += float64(vertices / 4 * bandVoxel * per * per)
			}
		}
		list = append(list, FormatSize{stage.Export, "volume", name, int64(numbers * voxelNumber)})
		list = shareOf(list, s.Volume.Keep, s.Time.Frames())
	}
	return append(list, s.parcelSizes(b, film)...)
}

// parcelSizes returns how much the files of whitewater for other programs take.
func (s *Scene) parcelSizes(b *Built, film load) (list []FormatSize) {
	parcels := float64(s.Time.Frames()) * film.parcels
	if parcels == 0 {
		return nil
	}
	w := s.Whitewater
	each := max(1, film.points) // points of a parcel
	points := parcels * each
	for _, f := range b.Formats.Parcels {
		bytes, gzip := points*out.PointBytes(f.As, out.NeedsParticles, film.parcels*each, parcelFields), w.Gzip
		if f.As.Needs()&out.NeedsVolume != 0 {
			numbers := float64(len(w.Volumes))
			if slices.Contains(w.Volumes, "velocity") {
				numbers += 2
			}
			edge := s.Volume.Voxel * s.Liquid.Spacing
			bytes, gzip = parcels*numbers*min(mostVoxels, parcelVoxels*num.Pow(parcelEdge/edge, parcelPower)), false
		}
		list = append(list, FormatSize{stage.Export, "whitewater", f.Name, int64(bytes)})
		list = smaller(shareOf(list, w.Keep, s.Time.Frames()), gzip)
	}
	for _, a := range b.Formats.ParcelArchives {
		if bytes := points * out.PointBytes(a.As, out.NeedsParticles, film.parcels*each, parcelFields+1); bytes > 0 { // a list takes next to nothing
			list = append(list, FormatSize{stage.Export, "whitewater", a.Name, int64(bytes)})
		}
	}
	return list
}

// The files of whitewater: the fields of a parcel, to which archives add the radius, and
// the bytes of a number of a grid for each parcel. The latter were measured for a dam
// break, with voxels of 1.8 and 0.9 cm.
const (
	parcelFields = 4
	parcelEdge   = 0.018 // m
	parcelVoxels = 1.5   // bytes at parcelEdge
	parcelPower  = 1.65
	mostVoxels   = 8 * 2. // of float16
)

// bodyBytes returns the bytes of the bodies in each frame's file of a format.
func (b *Built) bodyBytes(name string, format any) float64 {
	vertices := 0.
	for _, o := range b.Afloat {
		vertices += float64(len(o.Mesh.Pos))
	}
	switch name {
	case "obj": // their faces are not triangles alone
		var file bytes.Buffer
		if len(b.Afloat) == 0 || format.(out.PerFrame).Encode(&file, &out.Frame{Mesh: new(mesh.Mesh), Objects: b.Objects(b.World.Bodies)}) != nil {
			return 0
		}
		return float64(file.Len())
	case "glb", "vtp":
		return vertices * out.PointBytes(format, out.NeedsMesh, vertices, 0)
	}
	return 0 // bodies are not in it, or once for all frames
}

// smaller reduces the last of list to its compressed size.
func smaller(list []FormatSize, gzip bool) []FormatSize {
	if n := len(list); gzip && n > 0 {
		list[n-1].Bytes = int64(gzipShare * float64(list[n-1].Bytes))
	}
	return list
}

// shareOf reduces the last of list to the frames that have files.
func shareOf(list []FormatSize, keep string, frames int) []FormatSize {
	if n := len(list); n > 0 {
		list[n-1].Bytes = list[n-1].Bytes * int64(Kept(keep, frames)) / int64(frames)
	}
	return list
}

// numbersOf returns how many numbers the attributes have.
func numbersOf(attributes []Named[quantity.Quantity]) (n int) {
	for _, q := range attributes {
		n += q.As.Numbers()
	}
	return n
}

// area returns the surface of the blocks' bounds, m².
func (p *parts) area() (a float64) {
	for _, shape := range p.shapes {
		if shape != nil {
			size := shape.Bounds().Size()
			a += float64(2 * (float64(size.X*size.Y) + float64(size.Y*size.Z) + float64(size.Z*size.X)))
		}
	}
	return a
}

// need is how much memory a run takes, in bytes.
type need struct {
	likely float64
	free   float64 // as likely, without a limit of the collector
	least  float64 // with less it cannot be done
}

// need returns the memory of a film in a world like w with a solver, whose stages keep the data of l.
// They come one after the other, and each frees its memory. How far the liquid spreads
// may only be guessed. The least is the memory of the particles, which are counted.
func (s *Scene) need(w *sim.World, solver sim.Solver, look raster.Look, film load, l liveMemory) need {
	walls, n := w.Memory(0, solver), film.particlesMost
	if l == usualLive { // the additional memory of thick liquids and surface tension
		l.particle += w.Memory(1, solver) - walls - sim.BytesPerParticle
		if film.parcelsMost > 0 {
			l.waterParticle, l.waterParcel = usualWaterParticle, usualWaterParcel
		}
	}
	most := func(vertices, picture, limit float64) float64 {
		drawn := vertices * drawnVertex
		if drawsParticles(look) {
			drawn = n * drawnBall
		}
		drawn += float64(film.parcelsMost * drawnParcel)
		drawn += float64(film.grainsMost * drawnGrain)
		return max(
			withGarbage(baseBytes, float64(n*l.particle)+float64(2*walls), limit), // the run's walls and the stage's walls
			withGarbage(baseBytes, float64(n*l.cloud)+float64(vertices*l.vertex)+walls, limit),
			withGarbage(picture+drawn, walls, limit),
			withGarbage(baseBytes, float64(n*l.waterParticle)+float64(film.parcelsMost*l.waterParcel)+walls, limit),
		)
	}
	limit := memoryLimit()
	return need{
		likely: most(film.verticesMost, s.pictureMemory(look, limit), limit),
		free:   most(film.verticesMost, s.pictureMemory(look, math.MaxInt64), math.MaxInt64),
		least:  most(0, PictureNeed(s.pixels()), limit),
	}
}

// PictureNeed returns the bytes of memory without which a picture cannot be drawn.
func PictureNeed(pixels float64) float64 { return leastPicture + float64(pixels*leastPixel) }

// pictureMemory returns the bytes of memory that a picture of s with a look takes by itself
// below a limit of the collector.
func (s *Scene) pictureMemory(look raster.Look, limit float64) float64 {
	each := float64(bytesPerPixel)
	switch balls := drawsParticles(look); {
	case balls && s.Picture.Quality == raster.Draft:
		each = ballDraftPixel
	case balls:
		each = ballPixel
	case s.shutter(look) > 0:
		each = blurredPixel
	}
	return max(PictureNeed(s.pixels()), min(limit, pictureBase+float64(s.pixels()*each)))
}

// pixels returns how many pixels a picture of s has.
func (s *Scene) pixels() float64 { return float64(s.Picture.Size[0]) * float64(s.Picture.Size[1]) }

// steps returns about how many steps the solver of p takes for the film, and which
// setting shortens them; see Estimate.Shortened. In between they are dt long, and a
// rehearsal took factor steps for each expected one. The walls of p must be ready.
func (s *Scene) steps(p *parts, dt, factor float64) (n int, shortened string) {
	all := s.bounds(p)
	least := 0.9 * all[0].motion.dt() // a setting that makes less of a difference shortens nothing
	for _, b := range all {
		if dt := b.motion.dt(); dt < least {
			least, shortened = dt, b.key
		}
	}
	// A frame ends with a step, whatever is left for it: half a step more each.
	frames := s.Time.Frames()
	each := float64(s.Time.At(2)/dt*factor) + 0.5
	return int(float64(frames-1) * max(1, each)), shortened
}
