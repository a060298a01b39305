package kernel

func init() {
	register("spiky", "spiky: its gradient does not vanish at the centre, so particles do not cluster",
		"Hoover et al. 1994; Desbrun and Gascuel 1996", func(dim int, h float64) Kernel { return NewSpiky(dim, h) })
}

// Spiky is the kernel of Hoover, Pierce, Hoover, Shugart, Stein and Edwards,
// Molecular dynamics, smoothed-particle applied mechanics, and irreversibility,
// 1994, brought to animation by Desbrun and Gascuel, Smoothed Particles: A New
// Paradigm for Animating Highly Deformable Bodies, 1996:
//
//	w(q) = (1−q)³,  σ = 2, 10/π, 15/π
type Spiky struct{ powers }

// NewSpiky returns the spiky kernel of dimension dim, 1 to 3, and support
// radius h > 0 in metres.
func NewSpiky(dim int, h float64) *Spiky { return &Spiky{newPowers(dim, h, power{1, 1, 3})} }
