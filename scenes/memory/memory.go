// Package memory estimates the memory that a run takes: from how much there is in a film,
// and from the bytes that each particle, vertex, parcel and pixel takes in a stage.
//
//	memory.go     a liquid and a gas
//	load.go       how much there is in a film, and a guess of it
//	live.go       what the stages of a liquid refer to
//	picture.go    a picture
//	collector.go  the room that the garbage collector takes, and how often it starts
package memory

import (
	"math"

	"breakwater/scenes/host"
	"breakwater/sim"
)

// Machine returns the memory that a run may use, and the source of the limit in words; see
// [host.Memory]. Tests put a machine of their own in its place.
var Machine = host.Memory

// The costs in memory, measured on the shipped scenes with 500 to 50,000 particles. They
// are the peak of the process, with the collector at its usual pace.
const (
	Base        = 32.5e6 // whatever the scene: the program itself
	PerParticle = 1650   // the state, about 30 neighbours with their weights, the arrays of the default solver, and garbage not yet collected
	Cloud       = 800    // a particle whose surface is being made
	DrawnParcel = 100    // a parcel of whitewater that is drawn
	DrawnGrain  = 330    // a grain of one
	draftGrain  = 155    // likewise, at draft

	liveParticle = 475  // of PerParticle without garbage and the arrays of a solver
	meshVertex   = 1400 // grid and meshes
	drawnVertex  = 800  // a mesh that was read, and the hierarchy that rays are traced in
	drawnBall    = 3500 // a particle that is drawn as a ball
)

// The costs of a gas, measured on the shipped scenes.
const (
	GasParticle = 300 // without the collector's room: a vorton or a tracer, with the points of the grid

	gasNode     = 64  // a node of the lattice
	drawnTracer = 700 // a tracer that is drawn, without the voxels

	// The shares of the bytes allocated for a picture of smoke that are in use or garbage at the
	// peak: of much smoke, and beside the buffers of a picture.
	pictureShare = 0.44
	bufferShare  = 0.17
)

// Need is how much memory a run takes, in bytes.
type Need struct {
	Likely float64
	Free   float64 // as Likely, without a limit of the collector
	Least  float64 // with less it cannot be done
}

// Of returns the memory of a film in a world like w with a solver, whose stages keep the data
// of l. They come one after the other, and each frees its memory. How far the liquid spreads
// may only be guessed. The least is the memory of the particles, which are counted.
func Of(w *sim.World, solver sim.Solver, pic Picture, film Load, l Live) Need {
	walls, n := w.Memory(0, solver), film.ParticlesMost
	if l == Usual { // the additional memory of thick liquids and surface tension
		l.Particle += w.Memory(1, solver) - walls - sim.BytesPerParticle
		if film.ParcelsMost > 0 {
			l.WaterParticle, l.WaterParcel, l.WaterBirth = WaterParticle, WaterParcel, WaterBirth
		}
	}
	mesh := func(vertices float64) float64 { return float64(n*l.Cloud) + float64(vertices*l.Vertex) + walls }
	most := func(vertices, picture, limit float64) float64 {
		drawn := vertices * drawnVertex
		if pic.Balls {
			drawn = n * drawnBall
		}
		drawn += float64(film.ParcelsMost * DrawnParcel)
		grain := float64(DrawnGrain)
		if pic.Draft {
			grain = draftGrain
		}
		drawn += float64(film.GrainsMost * grain)
		return max(
			withGarbage(Base, float64(n*l.Particle)+float64(2*walls), limit), // the run's walls and the stage's walls
			withGarbage(Base, mesh(min(vertices, film.VerticesBefore)), limit),
			Base+mesh(vertices), // the collector's room is as it last found the memory
			withGarbage(picture+drawn, walls, limit),
			withGarbage(Base, float64(n*l.WaterParticle)+float64(film.ParcelsMost*l.WaterParcel)+float64(film.Births*l.WaterBirth)+walls, limit),
		)
	}
	limit := Limit()
	return Need{
		Likely: max(most(film.VerticesMost, pic.bytes(limit), limit), pic.peak(film, limit)),
		Free:   max(most(film.VerticesMost, pic.bytes(math.MaxInt64), math.MaxInt64), pic.peak(film, math.MaxInt64)),
		Least:  most(0, LeastPicture(pic.Pixels), limit),
	}
}

// OfGas returns the memory of a gas of n particles and a picture of it, below a limit of the
// collector. Each particle has live bytes, and a picture allocates drawn bytes for it, 0 if that
// is not known.
func OfGas(n, live, drawn float64, pic Picture, limit float64) float64 {
	each := float64(drawnTracer)
	if drawn > 0 {
		each = bufferShare * drawn
	}
	return max(
		withGarbage(Base, n*live, limit),
		pic.bytes(limit)+float64(n*each),
		min(limit, Base+float64(pictureShare*n*drawn)),
	)
}

// LeastOfGas returns the memory of a gas of n particles on a lattice of the given nodes.
func LeastOfGas(n, nodes float64) float64 {
	return withGarbage(Base, float64(n*GasParticle)+float64(nodes*gasNode), Limit())
}
