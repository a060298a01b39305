package memory

// Live is the memory that the stages of a run refer to, in bytes.
type Live struct {
	Particle float64 // of the simulation, for each particle
	Cloud    float64 // of the mesh stage, for each particle
	Vertex   float64 // of the mesh stage, for each vertex

	WaterParticle float64 // of the whitewater stage, for each particle
	WaterParcel   float64 // of the whitewater stage, for each parcel
	WaterBirth    float64 // of the whitewater stage, for each parcel that is born in a frame
}

// Usual is the memory of water, with the usual surface, as it was counted in
// rehearsals of the shipped scenes.
var Usual = Live{Particle: liveParticle, Cloud: Cloud / 2, Vertex: meshVertex / 2}

// The bytes of memory of the whitewater stage, without the collector's room. The few particles of
// a rehearsal would count for more: the blocks of its grid are nearly empty. A parcel has 45
// bytes, 29 more while parcels are sorted, room to grow, and 33 in the state that is written. A parcel
// that is born has 88, and the list of births is copied as it grows.
const (
	WaterParticle = 850 // as measured in the shipped dam break
	WaterParcel   = 45 + 29 + 8 + 33
	WaterBirth    = 2 * 88
)
