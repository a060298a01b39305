package sim

// BytesPerParticle is the memory that a simulation takes for each particle, as
// measured on a dam break: a third for the pairs, at 4 bytes for each of some 30
// neighbours, the rest for the state, what the solver works in, and the copy
// that a failed frame is restored from.
const BytesPerParticle = 450
