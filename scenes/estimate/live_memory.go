package estimate

import (
	"breakwater/scenes"
	"breakwater/scenes/footprint"
	"breakwater/scenes/memory"
	"breakwater/sim"
	"breakwater/surface/mesh"
)

// The memory of the mesh stage besides what a rehearsal counts, in bytes, without the
// collector's room.
const (
	readParticle  = 150 // a particle that was read from a file
	writtenVertex = 50  // a vertex while its mesh is checked and written
)

// liveOf counts the memory of a film as b has kept it until now. Of the meshed frames,
// the last had the given particles and the largest the given vertices. last is the last
// mesh.
func liveOf(b *scenes.Built, particles int, vertices float64, last *mesh.Mesh) memory.Live {
	l, n := memory.Usual, b.World.Len()
	f := footprint.New(n)
	f.Add(b.World.Walls) // which are counted apart
	f.Add(b.Solids)
	each, rest := f.Add(b.World)
	more, others := f.Add(b.Solver)
	const enough = 100 // of less, the memory that any film takes is most
	if n >= enough {
		l.Particle = (each + more + rest + others) / float64(n)
	}
	f.Each = particles
	each, rest = f.Add(b.Surface)
	if particles >= enough && vertices >= enough {
		own, other := footprint.New(0).Add(last)
		l.Cloud = each/float64(particles) + readParticle
		// While one mesh is made, another is written.
		l.Vertex = rest/vertices + (own+other)/max(1, float64(len(last.Pos))) + writtenVertex
	}
	return l
}

// liveIn returns the memory of the trial's film in w, whose particles are finer. For
// them, viscosity may be implicit and gradients corrected where the trial's are not.
func (t *trial) liveIn(w *sim.World) memory.Live {
	perParticle := func(w *sim.World) float64 { s := t.built.Solver; return w.Memory(1, s) - w.Memory(0, s) }
	l := t.live
	if t.water != nil {
		l.WaterParticle, l.WaterParcel, l.WaterBirth = memory.WaterParticle, memory.WaterParcel, memory.WaterBirth
	}
	l.Particle += max(0, perParticle(w)-perParticle(t.built.World))
	return l
}
