package sweep

import (
	"math"
	"math/rand/v2"
	"testing"

	"breakwater/sim/kernel"
)

// cloud is n points at random in a cube of the given edge, in units of h, with
// the pairs of all of them by one list of candidates.
func cloud(t testing.TB, n int, edge float64, keepW bool) (*Lane, *Pairs, []Sums) {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(n), 7))
	l := &Lane{}
	for range n {
		l.X = append(l.X, float32(edge*rng.Float64()))
		l.Y = append(l.Y, float32(edge*rng.Float64()))
		l.Z = append(l.Z, float32(edge*rng.Float64()))
	}
	for range Pad {
		l.X, l.Y, l.Z = append(l.X, 0), append(l.Y, 0), append(l.Z, 0)
	}
	runs := Runs{4: {0, int32(n)}}
	p, sums := new(Pairs), make([]Sums, n)
	p.Reset(0, keepW)
	var s Scratch
	for i := range n {
		var ok bool
		if sums[i], ok = p.Add(i, l, &runs, volume, &s); !ok {
			t.Fatalf("particle %d has more than %d neighbours", i, Most)
		}
	}
	return l, p, sums
}

const volume = 1. / 8 // V/h³ for h = 2 spacings

// TestSums compares the sums and weights with the kernel in double precision.
func TestSums(t *testing.T) {
	const n = 300
	l, p, sums := cloud(t, n, 3, true)
	k := kernel.NewCubicSpline(3, 1)
	for i := range n {
		near, weights := p.Of(i)
		var w, gx, sq float64
		count := 0
		for j := range n {
			dx, dy, dz := float64(l.X[i]-l.X[j]), float64(l.Y[i]-l.Y[j]), float64(l.Z[i]-l.Z[j])
			r := math.Sqrt(dx*dx + dy*dy + dz*dz)
			if j == i || r >= 1 {
				continue
			}
			f := volume * k.DW(r) / r
			w, gx, sq = w+volume*k.W(r), gx+f*dx, sq+f*f*r*r
			if int(near[count]) != j {
				t.Fatalf("neighbour %d of %d is %d, want %d", count, i, near[count], j)
			}
			x, _, _, got := weights[count].Float()
			if math.Abs(float64(x)-f*dx) > 1e-3*math.Abs(f*dx)+1e-7 || math.Abs(float64(got)-f) > 1e-3*math.Abs(f)+1e-7 {
				t.Fatalf("pair %d, %d: weight %g and %g, want %g and %g", i, j, x, got, f*dx, f)
			}
			if got := single[p.W[int(p.Start[i])+count]]; math.Abs(float64(got)-volume*k.W(r)) > 1e-3*volume*k.W(r)+1e-7 {
				t.Fatalf("pair %d, %d: W %g, want %g", i, j, got, volume*k.W(r))
			}
			count++
		}
		if count != len(near) {
			t.Fatalf("particle %d: %d neighbours, want %d", i, len(near), count)
		}
		s := sums[i]
		for _, c := range [...]struct {
			name      string
			got, want float64
		}{{"W", float64(s.W), w}, {"GX", float64(s.GX), gx}, {"Square", float64(s.Square), sq}} {
			if math.Abs(c.got-c.want) > 2e-5*(1+math.Abs(c.want)) {
				t.Errorf("particle %d: %s = %g, want %g", i, c.name, c.got, c.want)
			}
		}
	}
}

// TestLists: a list of candidates gives what runs give.
func TestLists(t *testing.T) {
	const n = 200
	l, p, sums := cloud(t, n, 2, true)
	all := make([]int32, n)
	for i := range all {
		all[i] = int32(i)
	}
	q := new(Pairs)
	q.Reset(0, true)
	var s Scratch
	for i := range n {
		if got, ok := q.AddList(i, l, all, volume, &s); !ok || got != sums[i] {
			t.Fatalf("particle %d: sums %v, want %v", i, got, sums[i])
		}
	}
	if !equal(p, q) {
		t.Error("the pairs differ")
	}
}

func TestTooMany(t *testing.T) {
	l := &Lane{make([]float32, 600+Pad), make([]float32, 600+Pad), make([]float32, 600+Pad)}
	p, s := new(Pairs), new(Scratch)
	p.Reset(0, false)
	if _, ok := p.Add(3, l, &Runs{{0, Most + 1}}, volume, s); !ok {
		t.Errorf("%d neighbours are refused", Most)
	}
	if _, ok := p.Add(3, l, &Runs{{0, 100}, {100, Most + 2}}, volume, s); ok {
		t.Errorf("%d neighbours are taken", Most+1)
	}
}

// TestPasses compares the passes with sums in double precision over the same
// weights.
func TestPasses(t *testing.T) {
	const n = 250
	_, p, _ := cloud(t, n, 3, true)
	v, s := values(n)
	grad, div, diff, avg := make([]Vec4, n), make([]float32, n), make([]Vec4, n), make([]Vec4, n)
	p.Gradient(grad, s)
	p.Divergence(div, v)
	p.Diffusion(diff, v)
	p.Average(avg, v)
	for i := range n {
		var g, d, f, a float64
		near, w := p.Of(i)
		for k, j := range near {
			x, y, z, ff := w[k].Float()
			g += float64(s[i]+s[j]) * float64(y)
			d += float64(v[i].X-v[j].X)*float64(x) + float64(v[i].Y-v[j].Y)*float64(y) + float64(v[i].Z-v[j].Z)*float64(z)
			f += float64(v[i].Z-v[j].Z) * float64(ff)
			a += float64(v[j].X-v[i].X) * float64(single[p.W[int(p.Start[i])+k]])
		}
		for _, c := range [...]struct {
			name      string
			got, want float64
		}{{"gradient", float64(grad[i].Y), g}, {"divergence", float64(div[i]), d}, {"diffusion", float64(diff[i].Z), f}, {"average", float64(avg[i].X), a}} {
			if math.Abs(c.got-c.want) > 1e-4 {
				t.Errorf("particle %d: %s = %g, want %g", i, c.name, c.got, c.want)
			}
		}
	}
}

func values(n int) (v []Vec4, s []float32) {
	rng := rand.New(rand.NewPCG(2, 3))
	for range n {
		v = append(v, Vec4{rng.Float32() - 0.5, rng.Float32() - 0.5, rng.Float32() - 0.5, rng.Float32()})
		s = append(s, rng.Float32())
	}
	return v, s
}

func TestHalf(t *testing.T) {
	for i, f := range single {
		if f != f {
			continue
		}
		if got := half(f); got != uint16(i) {
			t.Fatalf("half(%g) = %#x, want %#x", f, got, i)
		}
		// Halfway to the next is rounded to even; beyond it, up.
		next := single[(i+1)&0xffff]
		if i&0x7fff >= 0x7bff || next != next {
			continue
		}
		mid := float32((float64(f) + float64(next)) / 2)
		want := uint16(i + i&1)
		if got := half(mid); got != want {
			t.Fatalf("half(%g), halfway from %#x, = %#x, want %#x", mid, i, got, want)
		}
		if got := half(math.Nextafter32(mid, next)); got != uint16(i+1) {
			t.Fatalf("half just past halfway from %#x = %#x", i, got)
		}
	}
	for f, want := range map[float32]uint16{65519.99: 0x7bff, 65520: 0x7c00, -1e30: 0xfc00, 1e-30: 0} {
		if got := half(f); got != want {
			t.Errorf("half(%g) = %#x, want %#x", f, got, want)
		}
	}
}
