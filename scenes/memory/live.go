package memory

// Live is the memory that the stages of a run refer to, in bytes.
type Live struct {
	Particle float64 // of the simulation, for each particle
	Cloud    float64 // of the mesh stage, for each particle
	Vertex   float64 // of the mesh stage, for each vertex

	WaterParticle float64 // of the whitewater stage, for each particle
	WaterParcel   float64 // of the whitewater stage, for each parcel
}

// Usual is the memory of water, with the usual surface, as it was counted in
// rehearsals of the shipped scenes.
var Usual = Live{Particle: liveParticle, Cloud: Cloud / 2, Vertex: meshVertex / 2}

// The bytes of memory of the whitewater stage for each particle and parcel, without the
// collector's room, as measured in the shipped dam break. The few particles of a rehearsal
// would count for more: the blocks of its grid are nearly empty.
const (
	WaterParticle = 850
	WaterParcel   = 100
)
