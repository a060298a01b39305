package sim

// BytesPerParticle is the memory that a simulation takes for each particle, as
// measured on a dam break: two fifths for the pairs, at 4 bytes for each of some
// 30 neighbours, the rest for the state and for what the solver works in.
const BytesPerParticle = 380
