package simd

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// w is the kernel in float64, by the two pieces of the paper.
func w(q float64) float64 {
	switch {
	case q >= 1:
		return 0
	case q >= 0.5:
		return (1 - q) * (1 - q) * (1 - q)
	}
	return 0.5 - 3*q*q*(1-q)
}

// points returns n points in and around a cube from −1 to size+1, in units of h, with S
// close to the S of a volume of h³/8.
func points(rng *rand.Rand, n int, size float64) []Vec4 {
	p := make([]Vec4, n)
	at := func() float32 { return float32(rng.Float64()*(size+2) - 1) }
	for i := range p {
		p[i] = Vec4{at(), at(), at(), Height(0.125 * (0.8 + 0.4*rng.Float64()))}
	}
	return p
}

// TestSplat compares all nodes with the definition, for nodes as far apart as
// the surface ever has them.
func TestSplat(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, edge := range []float64{1. / 16, 0.25, 0.3} {
		p := points(rng, 200, Side*edge)
		p = append(p, Vec4{0, 0, 0, 1}, Vec4{float32(7 * edge), float32(15 * edge), 0, 1}, Vec4{-1, -1, -1, 1})
		var got Block
		Splat(&got, new(Bricks), p, float32(edge))
		for i, f := range got {
			var want float64
			for _, p := range p {
				x, y, z := float64(i%Side)*edge, float64(i/Side%Side)*edge, float64(i/Side/Side)*edge
				want += float64(p.S) * w(math.Hypot(math.Hypot(x-float64(p.X), y-float64(p.Y)), z-float64(p.Z)))
			}
			if math.Abs(float64(f)-want) > 1e-5*(1+want) {
				t.Fatalf("edge %g: node %d is %g, want %g", edge, i, f, want)
			}
		}
	}
}

// TestAbove compares all bits with the nodes, some of them exactly at t.
func TestAbove(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	var f Block
	for i := range f {
		f[i] = float32(rng.IntN(5)) / 4
	}
	var rows [Side * Side]uint16
	Above(&rows, &f, 0.5)
	for i, v := range f {
		if got := rows[i/Side]>>(i%Side)&1 != 0; got != (v > 0.5) {
			t.Fatalf("node %d is %g: got %v", i, v, got)
		}
	}
}

// somewhere returns a field of n particles, and runs that hold most of them.
func somewhere(rng *rand.Rand, n int) (*Field, *Runs) {
	f := &Field{}
	for _, s := range []*[]float32{&f.X, &f.Y, &f.Z, &f.S, &f.Fill, &f.VX, &f.VY, &f.VZ} {
		*s = make([]float32, n+Pad)
	}
	for i, p := range points(rng, n+Pad, 0) {
		f.X[i], f.Y[i], f.Z[i], f.S[i], f.Fill[i] = p.X, p.Y, p.Z, p.S, float32(rng.Float64())
		f.VX[i], f.VY[i], f.VZ[i] = p.Z, p.X, -p.Y
	}
	runs := &Runs{}
	at := int32(0)
	for k := range runs {
		at = min(int32(n), at+rng.Int32N(4))
		runs[k][0] = at
		at = min(int32(n), at+rng.Int32N(int32(2*n/9+2)))
		runs[k][1] = at
	}
	return f, runs
}

// TestField compares the field at points, one of them a particle, with the
// definition, and its gradient with differences.
func TestField(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for _, n := range []int{0, 1, 5, 30, 300} {
		f, runs := somewhere(rng, n)
		sum := func(x, y, z float64) (want, fill float64) {
			for _, r := range runs {
				for j := r[0]; j < r[1]; j++ {
					q := math.Hypot(math.Hypot(x-float64(f.X[j]), y-float64(f.Y[j])), z-float64(f.Z[j]))
					want += float64(f.S[j]) * w(q)
					fill += float64(f.S[j]) * w(q) * float64(f.Fill[j])
				}
			}
			return want, fill
		}
		for k := range 20 {
			x, y, z := rng.Float64()-0.5, rng.Float64()-0.5, rng.Float64()-0.5
			if k == 0 {
				x, y, z = float64(f.X[0]), float64(f.Y[0]), float64(f.Z[0])
			}
			x, y, z = float64(float32(x)), float64(float32(y)), float64(float32(z))
			got := f.At(float32(x), float32(y), float32(z), runs)
			slope := func(dx, dy, dz float64) float64 {
				const e = 1e-5
				hi, _ := sum(x+e*dx, y+e*dy, z+e*dz)
				lo, _ := sum(x-e*dx, y-e*dy, z-e*dz)
				return (hi - lo) / (2 * e)
			}
			want, fill := sum(x, y, z)
			var mean [3]float64
			for _, r := range runs {
				for j := r[0]; j < r[1]; j++ {
					q := math.Hypot(math.Hypot(x-float64(f.X[j]), y-float64(f.Y[j])), z-float64(f.Z[j]))
					for k, v := range [][]float32{f.VX, f.VY, f.VZ} {
						mean[k] += float64(f.S[j]) * w(q) * float64(v[j]) / max(want, 1e-9)
					}
				}
			}
			m := f.Mean(float32(x), float32(y), float32(z), runs)
			for k, v := range []float32{m.X, m.Y, m.Z} {
				if want > 1e-4 && math.Abs(float64(v)-mean[k]) > 1e-4 {
					t.Fatalf("%d particles, mean %d at (%g, %g, %g): %g, want %g", n, k, x, y, z, v, mean[k])
				}
			}
			for i, v := range [][2]float64{
				{float64(got.F), want}, {float64(got.Fill), fill},
				{float64(got.GX), slope(1, 0, 0)}, {float64(got.GY), slope(0, 1, 0)}, {float64(got.GZ), slope(0, 0, 1)},
			} {
				if math.Abs(v[0]-v[1]) > 2e-5*(1+want) {
					t.Fatalf("%d particles, number %d at (%g, %g, %g): %g, want %g", n, i, x, y, z, v[0], v[1])
				}
			}
		}
	}
}

// web returns a random graph on n vertices, vectors and weights of which some
// are 0.
func web(rng *rand.Rand, n int) (r *Rings, x, pull []Vec4, a []float32) {
	r = &Rings{Start: []int32{0}}
	for range n {
		for range rng.IntN(9) {
			r.Of = append(r.Of, rng.Int32N(int32(n)))
		}
		for len(r.Of)%Four > 0 {
			r.Of = append(r.Of, int32(n))
		}
		r.Start = append(r.Start, int32(len(r.Of)))
		v := func() float32 { return float32(rng.NormFloat64()) }
		p := Vec4{v(), v(), v(), 0}
		l := float32(math.Sqrt(float64(p.square())))
		x = append(x, Vec4{p.X / l, p.Y / l, p.Z / l, 0})
		share := max(0, min(1, float32(1.6*rng.Float64()-0.3)))
		pull = append(pull, Vec4{v(), v(), v(), share / 6})
		a = append(a, share)
	}
	return r, append(x, Vec4{}), pull, a
}

// TestRings compares Relax and Turn with their formulas, in float64.
func TestRings(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	const n, lo, hi = 200, 17, 180
	r, x, pull, a := web(rng, n)
	relaxed, turned := make([]Vec4, n), make([]Vec4, n)
	Relax(relaxed, x, pull, a, r, lo, hi)
	Turn(turned, x, a, r, lo, hi)
	three := func(v Vec4) [3]float64 { return [3]float64{float64(v.X), float64(v.Y), float64(v.Z)} }
	for v := range n {
		if v < lo || v >= hi {
			if relaxed[v] != (Vec4{}) || turned[v] != (Vec4{}) {
				t.Fatalf("vertex %d was written", v)
			}
			continue
		}
		p, d := three(x[v]), three(pull[v])
		var s [3]float64
		for _, j := range r.Of[r.Start[v]:r.Start[v+1]] {
			for k, q := range three(x[j]) {
				s[k] += q
			}
		}
		var m [3]float64
		ls := math.Sqrt(s[0]*s[0] + s[1]*s[1] + s[2]*s[2])
		for k := range m {
			if m[k] = (1 - float64(a[v])) * p[k]; ls > 0 {
				m[k] += float64(a[v]) * s[k] / ls
			}
		}
		lm := math.Sqrt(m[0]*m[0] + m[1]*m[1] + m[2]*m[2])
		for k := range 3 {
			want := float64(a[v])*p[k] + float64(pull[v].S)*s[k] + d[k]
			if pull[v].S == 0 {
				want = p[k]
			}
			if math.Abs(three(relaxed[v])[k]-want) > 1e-5 {
				t.Errorf("Relax, vertex %d: got %v, want [%d] %g", v, relaxed[v], k, want)
			}
			want = m[k] / lm
			if a[v] == 0 || lm < 0.1 || ls == 0 {
				want = p[k]
			}
			if math.Abs(three(turned[v])[k]-want) > 1e-4 {
				t.Errorf("Turn, vertex %d: got %v, want [%d] %g", v, turned[v], k, want)
			}
		}
	}
}

// TestTwins: the assembly gives the bits of plain Go.
func TestTwins(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for _, n := range []int{1, 2, 7, 8, 9, 60, 400} {
		edge := float32(0.05 + 0.25*rng.Float64())
		p := points(rng, n, Side*float64(edge))
		f, runs := somewhere(rng, n)
		r, x, pull, a := web(rng, n)
		type outcome struct {
			block   Block
			rows    [Side * Side]uint16
			samples []Sample
			means   []Vec4
			rings   []Vec4
		}
		var want *outcome
		each(func(name string) {
			got := &outcome{}
			Splat(&got.block, new(Bricks), p, edge)
			Above(&got.rows, &got.block, 0.2)
			for _, p := range p {
				got.samples = append(got.samples, f.At(p.X/4, p.Y/4, p.Z/4, runs))
				got.means = append(got.means, f.Mean(p.X/4, p.Y/4, p.Z/4, runs))
			}
			// The guard after them is not to be written.
			relaxed, turned := make([]Vec4, n+1), make([]Vec4, n+1)
			Relax(relaxed, x, pull, a, r, 0, n)
			Turn(turned, x, a, r, 0, n)
			got.rings = slices.Concat(relaxed, turned)
			if want == nil {
				want = got
			}
			if got.block != want.block || got.rows != want.rows || !slices.Equal(got.samples, want.samples) || !slices.Equal(got.means, want.means) || !slices.Equal(got.rings, want.rings) {
				t.Errorf("%d items: %s differs from plain Go", n, name)
			}
		})
	}
}

// BenchmarkSplat adds as many particles as a block in the liquid has around
// it.
func BenchmarkSplat(b *testing.B) {
	p := points(rand.New(rand.NewPCG(5, 5)), 1728, Side*0.25)
	var f Block
	var bricks Bricks
	each(func(name string) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Splat(&f, &bricks, p, 0.25)
			}
			b.ReportMetric(float64(b.N)*float64(len(p))/b.Elapsed().Seconds()/1e6, "Mparticles/s")
		})
	})
}

// BenchmarkField takes the field at a point with all particles of 27 cells.
func BenchmarkField(b *testing.B) {
	f, _ := somewhere(rand.New(rand.NewPCG(6, 6)), 216)
	var runs Runs
	for k := range runs {
		runs[k] = [2]int32{int32(24 * k), int32(24*k + 24)}
	}
	each(func(name string) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				f.At(0.1, 0.2, -0.3, &runs)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mpoints/s")
		})
	})
}

// BenchmarkRings passes over a strip of triangles that fits the cache.
func BenchmarkRings(b *testing.B) {
	const n = 20000
	r := &Rings{Start: []int32{0}}
	for v := range int32(n) {
		for _, o := range []int32{-101, -100, -1, 1, 100, 101} {
			r.Of = append(r.Of, (v+o+n)%n)
		}
		r.Of = append(r.Of, n, n)
		r.Start = append(r.Start, int32(len(r.Of)))
	}
	_, x, pull, a := web(rand.New(rand.NewPCG(7, 7)), n)
	next := make([]Vec4, n)
	for _, pass := range []struct {
		name string
		run  func()
	}{
		{"relax", func() { Relax(next, x, pull, a, r, 0, n) }},
		{"turn", func() { Turn(next, x, a, r, 0, n) }},
	} {
		each(func(name string) {
			b.Run(pass.name+"/"+name, func(b *testing.B) {
				for b.Loop() {
					pass.run()
				}
				b.ReportMetric(float64(b.N)*n/b.Elapsed().Seconds()/1e6, "Mvertices/s")
			})
		})
	}
}
