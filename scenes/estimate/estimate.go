// Package estimate says what a run of a scene needs: memory, disk and time. It knows from
// trial runs with few particles.
//
//	estimate.go, estimate_gas.go   the needs of a liquid and of a gas
//	rehearse.go                    trials, and the effort that they may take
//	rehearse_gas.go                the trials of a gas
//	rehearse_rate.go               processor time, and how much of the effort is spent
//	rehearse_shot.go, rehearse_film.go   the time of a picture and of a film
//	rehearse_whitewater.go         whitewater of a trial
//	rehearse_scale.go              from trials to the film
//	live_memory.go                 the memory that a trial refers to
package estimate

import (
	"bytes"
	"math"
	"slices"

	"breakwater/out"
	"breakwater/raster/grains"
	"breakwater/scenes"
	"breakwater/scenes/memory"
	"breakwater/scenes/stage"
	"breakwater/scenes/toml"
	"breakwater/sim/num"
	"breakwater/sim/quantity"
	"breakwater/sim/registry"
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

// Fits returns an error of Faults if a run of s, with the needs e, needs more memory than the machine
// has.
func Fits(s *scenes.Scene, e *Estimate) error {
	have, who := memory.Machine()
	if have == 0 || e.Memory <= have {
		return nil
	}
	advice := "no spacing is large enough: make the liquid smaller"
	if s.Gas != nil {
		advice = "no cell is large enough: lower the rates of sources, or the size of the picture"
	}
	if d, ok := e.spacingFor(have); ok {
		advice = "make it " + registry.Number(d) + " m or more"
	} else if e.Parcels > 0 {
		advice += ", or lower whitewater.most"
	}
	var f toml.Report
	f.Value(s.SpacingNode(), "%s m makes about %.2g particles, which need about %.3g GB of memory, but %s %.3g GB: %s",
		registry.Number(e.Spacing), float64(e.Particles+e.Incoming), float64(e.Memory)/1e9, who, float64(have)/1e9, advice)
	return stage.Elsewhere{Err: f.Err()}
}

// Seconds returns how long the stages of the run take on this machine, 0 if it was not
// rehearsed.
func (e *Estimate) Seconds() float64 {
	return e.SimTime + e.WhitewaterTime + e.MeshTime + e.DrawTime + e.FilmTime
}

// The sizes of files, measured on the shipped scenes with 500 to 50,000 particles.
const (
	gzipShare   = 0.4  // of a file that is compressed
	plyParticle = 36   // bytes: position, velocity, density, id and pressure
	fogVoxel    = 2.2  // voxels of a volume for one in the liquid, which the kernels reach
	puffVoxel   = 3.5  // voxels of a volume for a tracer, if it has room for one at the start
	voxelNumber = 4.2  // bytes: a number of a voxel, and the share of its leaf
	bandVoxel   = 6    // voxels of a level set for one on the surface
	pngPixel    = 0.76 // bytes, of 1280 × 720
	filmPixel   = 0.04 // bytes
)

// Of returns the needs of b, which s made. Without a rehearsal the surface is a
// guess, and the time is left out.
func Of(s *scenes.Scene, b *scenes.Built, r *Rehearsal) Estimate {
	if s.Gas != nil {
		return ofGas(s, b, r)
	}
	w, d := b.World, s.Liquid.Spacing
	e := Estimate{Particles: b.Start, Incoming: b.Most - b.Start, Spacing: d, Volume: float64(b.Start) * s.ParticleVolume(d), Frames: s.Time.Frames()}
	e.Time = s.Time.At(e.Frames)

	eye := b.Camera.Target.Sub(b.Camera.Eye).Len()
	const sensor = 36 // mm; see raster.Camera
	e.PixelsPerParticle = d / eye * b.Camera.Focal / sensor * float64(s.Picture.Size[0])

	start, come, area := float64(e.Particles), float64(e.Incoming), b.Area()
	at := func(d float64) memory.Load {
		x := s.ParticleVolume(e.Spacing) / s.ParticleVolume(d)
		l := memory.Guess(start*x, come*x, area, d, s.Flat())
		if s.Whitewater != nil && !b.DrawsParticles() { // as much as there may be
			l.ParcelsMost = float64(s.Whitewater.Most)
			l.GrainsMost = max(grains.All, l.ParcelsMost)
		}
		return l
	}
	if fine := r.finest(); fine != nil && len(fine.frames) > 0 {
		e.Rehearsed = true
		at = func(d float64) (l memory.Load) {
			x := s.ParticleVolume(e.Spacing) / s.ParticleVolume(d)
			l.Particles, l.ParticlesMost = r.particles(d, int(start*x))
			l.Vertices, l.VerticesMost = r.vertices(d, l.Particles)
			l.VerticesBefore = float64(l.VerticesMost * beforeMost(fine.film(), s.Time.Frames(), verticesOf))
			l.Points = fine.water.points(s.Whitewater)
			if water := fine.water; water != nil {
				grow := func(average, most, power, bound float64) (float64, float64) {
					by := water.growth(d, power)
					return min(bound, by*average), min(bound, by*most)
				}
				bound := float64(s.Whitewater.Most)
				l.Parcels, l.ParcelsMost = water.parcels(s.Time.Frames())
				l.Parcels, l.ParcelsMost = grow(l.Parcels, l.ParcelsMost, waterPower, bound)
				l.Births, _ = grow(water.births(s.Time.At(2)), 0, waterPower, math.Inf(1))
				l.Grains, l.GrainsMost = water.grainsOf(s.Time.Frames())
				l.Grains, l.GrainsMost = grow(l.Grains, l.GrainsMost, grainPower, max(grains.All, bound))
			}
			return l
		}
	}
	e.Steps, e.Shortened = s.Steps(b, r.stepsFactor(d, s.StepLength(b)))
	film := at(d)
	e.Vertices = film.Vertices
	picture, live := s.PictureMemory(b.Look), memory.Usual
	if fine := r.finest(); fine != nil {
		live = fine.liveIn(w)
	}
	if r != nil && r.shot != nil && !r.steady && !b.DrawsParticles() { // allocations vary by some kB from time to time
		picture.Allocated = func(l memory.Load) (pixels, rest float64) {
			return r.shot.allocated(s.Pixels(), 2*l.VerticesMost, l.GrainsMost)
		}
	}
	e.memoryFor = func(d float64) float64 { return memory.Of(w, b.Solver, picture, at(d), live).Likely }
	e.Memory = int64(e.memoryFor(d))
	e.MemoryFree = int64(memory.Of(w, b.Solver, picture, film, live).Free)

	frames, pixels := float64(e.Frames), s.Pixels()
	pixel := pngPixel * num.Pow(1280*720/pixels, largerPNG)
	if r != nil && r.shot != nil {
		pixel = r.shot.bytes
	}
	each := float64(plyParticle)
	if fine := r.finest(); fine != nil && fine.each > 0 {
		each = fine.each
	}
	e.Particle = int64(frames * film.Particles * each)
	e.Parcels, e.Whitewater = int(film.Parcels), int64(frames*film.Parcels*whitewater.ParcelBytes)
	e.Picture = int64(frames * pixels * pixel)
	e.Film = int64(frames * pixels * filmPixel)
	e.Formats = formatSizes(s, b, film)
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
	e.MeshKept = e.Mesh * int64(scenes.Kept(s.Mesh.Keep, e.Frames)) / int64(e.Frames)
	e.MeshMost = min(e.Mesh, e.MeshKept+e.Mesh*int64(s.Batch())/int64(e.Frames))
	if e.Rehearsed {
		r.times(b, &e, film, pixels)
	}
	return e
}

// spacingFor returns the smallest spacing above the scene's, to two digits, with which a
// run needs at most the given bytes of memory.
func (e *Estimate) spacingFor(bytes int64) (d float64, ok bool) {
	return num.Nearest(e.Spacing, 1, func(d float64) bool { return e.memoryFor(d) <= float64(bytes) })
}

// formatSizes returns how much the surface cache takes, and each format that the scene
// asks for or that those are made from.
func formatSizes(s *scenes.Scene, b *scenes.Built, film memory.Load) (list []FormatSize) {
	frames := float64(s.Time.Frames())
	vertices, particles := float64(frames*film.Vertices), float64(frames*film.Particles)
	add := func(st stage.Name, what, name string, format any, part out.Part, attributes []scenes.Named[quantity.Quantity]) {
		points := film.Vertices
		if part == out.NeedsParticles {
			points = film.Particles
		}
		numbers := numbersOf(attributes)
		if what == "mesh" {
			numbers += len(b.Formats.MeshFoam)
		}
		bytes := float64(frames * points * out.PointBytes(format, part, points, numbers))
		if st == stage.Mesh {
			bytes += float64(frames * bodyBytes(b, name, format))
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
			tracers := film.Particles - film.Vortons
			bytes := float64(tracers*out.PointBytes(f.As, out.NeedsParticles, tracers, tracerNumbers)) + float64(film.Vortons*out.PointBytes(f.As, out.NeedsParticles, film.Vortons, vortonNumbers))
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
	return append(list, parcelSizes(s, b, film)...)
}

// parcelSizes returns how much the files of whitewater for other programs take.
func parcelSizes(s *scenes.Scene, b *scenes.Built, film memory.Load) (list []FormatSize) {
	parcels := float64(s.Time.Frames()) * film.Parcels
	if parcels == 0 {
		return nil
	}
	w := s.Whitewater
	each := max(1, film.Points) // points of a parcel
	points := parcels * each
	for _, f := range b.Formats.Parcels {
		bytes, gzip := points*out.PointBytes(f.As, out.NeedsParticles, film.Parcels*each, parcelFields), w.Gzip
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
		if bytes := points * out.PointBytes(a.As, out.NeedsParticles, film.Parcels*each, parcelFields+1); bytes > 0 { // a list takes next to nothing
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
func bodyBytes(b *scenes.Built, name string, format any) float64 {
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
		list[n-1].Bytes = list[n-1].Bytes * int64(scenes.Kept(keep, frames)) / int64(frames)
	}
	return list
}

// numbersOf returns how many numbers the attributes have.
func numbersOf(attributes []scenes.Named[quantity.Quantity]) (n int) {
	for _, q := range attributes {
		n += q.As.Numbers()
	}
	return n
}
