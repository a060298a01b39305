package memory

// Load is how much there is in a film.
type Load struct {
	Particles, ParticlesMost float64 // in a mean frame, and in the largest
	Vortons                  float64 // of the particles, in a gas
	Vertices, VerticesMost   float64
	VerticesBefore           float64 // in the frame before the largest, if that is the last; else VerticesMost
	Parcels, ParcelsMost     float64 // of whitewater
	Births                   float64 // of parcels, in the frame with the most
	Points                   float64 // in its files for other programs, for each parcel
	Grains, GrainsMost       float64 // that are drawn
}

// Without a rehearsal, the surface is guessed from the surface of the blocks at the start
// and from the particles. Particles that flow in are in the air for a while.
const (
	splashParticle = 0.6 // vertices of a mean frame for each particle
	jetParticle    = 10  // vertices of a mean frame for each particle that is to come
	splashMost     = 2   // vertices of the largest frame for one of a mean one
)

// Guess returns the load of a film with the given numbers of particles at the start and
// later, and the given surface of the blocks in m², at spacing d. In two dimensions there is
// no surface.
func Guess(start, come, area, d float64, flat bool) Load {
	l := Load{Particles: float64(start) + float64(come/2), ParticlesMost: float64(start) + float64(come)}
	l.Vertices = area/(d/2*d/2) + float64(splashParticle*start) + float64(jetParticle*come/2)
	l.VerticesMost = float64(splashMost * l.Vertices)
	if flat {
		l.Vertices, l.VerticesMost = 0, 0
	}
	l.VerticesBefore = l.VerticesMost
	return l
}
