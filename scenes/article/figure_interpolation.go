package article

import (
	"math"
	"math/rand/v2"

	"breakwater/raster/figure"
	"breakwater/sim/classic"
	"breakwater/sim/kernel"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

func init() {
	register("interpolation", "weighted sums of samples: of a function, and of its integral by more and more of them", "Gourlay 2013, figure 2", drawing(interpolation))
}

// newKernel returns a kernel of the family by name.
func newKernel(name string, dim int, h float64) (kernel.Kernel, error) {
	make, err := kernel.Kernels.New(name, registry.None)
	if err != nil {
		return nil, err
	}
	return make(dim, h), nil
}

func interpolation() (*figure.Plot, error) {
	f := func(x float64) float64 {
		return 0.6 + float64(0.35*math.Sin(float64(2*math.Pi*x))) + float64(0.15*math.Cos(float64(5*math.Pi*x)))
	}
	const n, h, query = 25, 0.16, 0.42
	k, err := newKernel("lucy", 1, h)
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(4, 4))
	var s classic.Samples
	for i := range n {
		x := (float64(i) + 0.5 + float64(0.5*(float64(rng.Float64())-0.5))) / n
		s.X, s.F = append(s.X, vec.New(x, 0, 0)), append(s.F, f(x))
	}
	s.SumWeights(k)
	exact, sum := figure.Curve{Name: "f"}, figure.Curve{Name: "Σ f_{j}/n_{j} W(x − x_{j})"}
	samples, bump := figure.Curve{Name: "samples f_{j}", Dots: true}, figure.Curve{Name: "W about x = 0.42, to scale in width"}
	for i := range 201 {
		x := float64(i) / 200
		exact.X, exact.Y = append(exact.X, x), append(exact.Y, f(x))
		sum.X, sum.Y = append(sum.X, x), append(sum.Y, s.At(k, vec.New(x, 0, 0)))
		if d := math.Abs(x - query); d < h {
			bump.X, bump.Y = append(bump.X, x), append(bump.Y, 0.3*k.W(d)/k.W(0))
		}
	}
	for i, x := range s.X {
		samples.X, samples.Y = append(samples.X, x.X), append(samples.Y, s.F[i])
	}

	// ∫ f by N samples of even probability, whose error falls with √N.
	integral := 0.6 + 0.15*math.Sin(5*math.Pi)/(5*math.Pi)
	off, law := figure.Curve{Name: "root mean square of 200 estimates", Both: true}, figure.Curve{Name: "σ/√N"}
	square, steps := 0., 100_000
	for i := range steps {
		d := f((float64(i)+0.5)/float64(steps)) - integral
		square += d * d / float64(steps)
	}
	for count := 4; count <= 16384; count *= 4 {
		const tries = 200
		e2 := 0.
		for range tries {
			sum := 0.
			for range count {
				sum += f(rng.Float64()) / float64(count)
			}
			e2 += (sum - integral) * (sum - integral) / tries
		}
		off.X, off.Y = append(off.X, float64(count)), append(off.Y, math.Sqrt(e2))
		law.X, law.Y = append(law.X, float64(count)), append(law.Y, math.Sqrt(square/float64(count)))
	}
	return &figure.Plot{Columns: 2, Panels: []figure.Panel{
		{Name: "interpolation", X: figure.Axis{Label: "place x"}, Y: figure.Axis{Label: "f"}, Curve: []figure.Curve{exact, sum, samples, bump}},
		{Name: "integral", X: figure.Axis{Label: "samples N", Log: true}, Y: figure.Axis{Label: "error of (1/N) Σ f(x_{j})/P(x_{j})", Log: true}, Curve: []figure.Curve{off, law}},
	}, Caption: "SPH as a Monte Carlo estimate. Left: a function f is approximated by a sum over samples, weighted by a kernel W and by the volume of each sample, 1/n_{j}. At the ends half of the kernel has no samples, and without the weights the sum is too low. Right: the same for an integral, with N samples of uniform probability P. The error falls as 1/√N."}, nil
}
