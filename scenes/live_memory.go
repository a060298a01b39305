package scenes

import (
	"math"
	"runtime/debug"
	"runtime/metrics"

	"breakwater/scenes/footprint"
	"breakwater/sim"
	"breakwater/surface/mesh"
)

// liveMemory is the memory that the stages of a run refer to, in bytes.
type liveMemory struct {
	particle float64 // of the simulation, for each particle
	cloud    float64 // of the mesh stage, for each particle
	vertex   float64 // of the mesh stage, for each vertex

	waterParticle float64 // of the whitewater stage, for each particle
	waterParcel   float64 // of the whitewater stage, for each parcel
}

// usualLive is the memory of water, with the usual surface, as it was counted in
// rehearsals of the shipped scenes.
var usualLive = liveMemory{particle: liveParticle, cloud: cloudParticle / 2, vertex: meshVertex / 2}

// liveOf counts the memory of a film as b has kept it until now. Of the meshed frames,
// the last had the given particles and the largest the given vertices. last is the last
// mesh.
func liveOf(b *Built, particles int, vertices float64, last *mesh.Mesh) liveMemory {
	l, n := usualLive, b.World.Len()
	f := footprint.New(n)
	f.Add(b.World.Walls) // which are counted apart
	f.Add(b.Solids)
	each, rest := f.Add(b.World)
	more, others := f.Add(b.Solver)
	const enough = 100 // of less, the memory that any film takes is most
	if n >= enough {
		l.particle = (each + more + rest + others) / float64(n)
	}
	f.Each = particles
	each, rest = f.Add(b.Surface)
	if particles >= enough && vertices >= enough {
		own, other := footprint.New(0).Add(last)
		l.cloud = each/float64(particles) + readParticle
		// While one mesh is made, another is written.
		l.vertex = rest/vertices + (own+other)/max(1, float64(len(last.Pos))) + writtenVertex
	}
	return l
}

// liveIn returns the memory of the trial's film in w, whose particles are finer. For
// them, viscosity may be implicit and gradients corrected where the trial's are not.
func (t *trial) liveIn(w *sim.World) liveMemory {
	perParticle := func(w *sim.World) float64 { s := t.built.Solver; return w.Memory(1, s) - w.Memory(0, s) }
	l := t.live
	if t.water != nil {
		l.waterParticle, l.waterParcel = usualWaterParticle, t.water.parcel
	}
	l.particle += max(0, perParticle(w)-perParticle(t.built.World))
	return l
}

// memoryLimit returns the limit of the collector, math.MaxInt64 for none.
func memoryLimit() float64 { return float64(debug.SetMemoryLimit(-1)) }

// withGarbage returns the memory of a process at its peak, in bytes. The heap holds
// live bytes in use, and the process has fixed bytes besides. The collector starts
// once the heap has grown by a share of the live bytes, or the process nears the
// limit, math.MaxInt64 for none.
func withGarbage(fixed, live, limit float64) float64 {
	percent := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(percent)
	room := 1.
	if percent[0].Value.Kind() == metrics.KindUint64 {
		room = float64(percent[0].Value.Uint64()) / 100
	}
	if limit == math.MaxInt64 {
		return fixed + float64(live*(1+min(room, 4))) // without a collector nothing bounds it
	}
	const least = 0.1 // with less room the collector takes most of the time
	return max(fixed+float64(live*(1+min(room, least))), min(fixed+float64(live*(1+room)), limit))
}
