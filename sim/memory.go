package sim

// BytesPerParticle is the memory that a simulation takes for each particle, as
// measured on a dam break: two thirds for the pairs, at 20 bytes for each of
// some 30 neighbours and room to grow, the rest for the state, what the solver
// works in, and the copy that a failed frame is restored from.
const BytesPerParticle = 1100
