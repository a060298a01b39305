package march

import "math"

// Phase is the phase function of Henyey and Greenstein (1941, Diffuse radiation in the
// galaxy, equation 2) with the mean cosine G, from -1 to 1 exclusive.
type Phase struct{ G float64 }

// At returns the phase function, in 1/sr, for the cosine of the angle between the
// directions of the light before and after. Its integral over all directions is 1.
func (p Phase) At(cos float64) float64 {
	g := p.G
	x := 1 + float64(g*g) - float64(2*g*cos)
	return (1 - float64(g*g)) / (4 * math.Pi * x * math.Sqrt(x))
}

// sample returns the cosine of an angle of the distribution for u, even in [0, 1).
func (p Phase) sample(u float64) float64 {
	if math.Abs(p.G) < 1e-3 {
		return float64(2*u) - 1
	}
	s := (1 - float64(p.G*p.G)) / (1 - p.G + float64(2*p.G*u))
	return (1 + float64(p.G*p.G) - float64(s*s)) / (2 * p.G)
}
