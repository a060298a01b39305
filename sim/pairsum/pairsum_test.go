package pairsum

import (
	"math"
	"math/rand/v2"
	"testing"

	"breakwater/sim/kernel"
)

// cloud is n points at random in a cube of the given edge, in units of h, with
// the pairs of all of them by one list of candidates.
func cloud(t testing.TB, n int, edge float64, keepW bool) (*Positions, *Pairs, []Sums) {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(n), 7))
	l := &Positions{}
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
	p.Reset(0, n, keepW)
	var s Scratch
	s.Gather(l, &runs)
	for i := range n {
		var ok bool
		if sums[i], ok = p.Add(i, l, volume, &s); !ok {
			t.Fatalf("particle %d has more than %d neighbours", i, Most)
		}
	}
	return l, p, sums
}

const volume = 1. / 8 // V/h³ for h = 2 spacings

// pair is a neighbour with its weights.
type pair struct {
	j    int32
	f, w float32
}

// list returns the neighbours of particle i of p whose weight is not 0.
func list(p *Pairs, i int) (l []pair) {
	for j, f := range p.Of(i) {
		l = append(l, pair{j: j, f: f})
	}
	if p.keepW {
		n := 0
		for c := p.Start[i]; c < p.Start[i+1]; c++ {
			for k, f := range p.List[c].F {
				if f != 0 {
					l[n].w = single[p.W[c][k]]
					n++
				}
			}
		}
	}
	return l
}

// TestSums compares the sums and weights with the kernel in double precision.
func TestSums(t *testing.T) {
	const n = 300
	l, p, sums := cloud(t, n, 3, true)
	k := kernel.NewCubicSpline(3, 1)
	for i := range n {
		pairs := list(p, i)
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
			if half(float32(-f)) == 0 {
				continue
			}
			if count == len(pairs) || int(pairs[count].j) != j {
				t.Fatalf("neighbour %d of %d is not %d", count, i, j)
			}
			if got := float64(pairs[count].f); math.Abs(got+f) > 1e-3*math.Abs(f)+1e-7 {
				t.Fatalf("pair %d, %d: weight %g, want %g", i, j, got, -f)
			}
			if got := float64(pairs[count].w); math.Abs(got-volume*k.W(r)) > 1e-3*volume*k.W(r)+1e-7 {
				t.Fatalf("pair %d, %d: W %g, want %g", i, j, got, volume*k.W(r))
			}
			count++
		}
		if count != len(pairs) {
			t.Fatalf("particle %d: %d neighbours, want %d", i, len(pairs), count)
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
	q.Reset(0, n, true)
	var s Scratch
	s.GatherList(l, all)
	for i := range n {
		if got, ok := q.Add(i, l, volume, &s); !ok || got != sums[i] {
			t.Fatalf("particle %d: sums %v, want %v", i, got, sums[i])
		}
	}
	if !equal(p, q) {
		t.Error("the pairs differ")
	}
}

func TestTooMany(t *testing.T) {
	l := &Positions{make([]float32, 600+Pad), make([]float32, 600+Pad), make([]float32, 600+Pad)}
	p, s := new(Pairs), new(Scratch)
	p.Reset(0, 4, false)
	s.Gather(l, &Runs{{0, Most + 1}})
	if _, ok := p.Add(3, l, volume, s); !ok {
		t.Errorf("%d neighbours are refused", Most)
	}
	s.Gather(l, &Runs{{0, 100}, {100, Most + 2}})
	if _, ok := p.Add(3, l, volume, s); ok {
		t.Errorf("%d neighbours are taken", Most+1)
	}
}

// TestFarApart: indices too far apart for a step take several, and the pairs
// are the same.
func TestFarApart(t *testing.T) {
	for _, keepW := range []bool{false, true} {
		for _, gap := range []int{0, 1 << 15, 1<<16 - 1, 1 << 16, 1<<17 + 3, 1 << 18} {
			l := &Positions{make([]float32, 4*gap+16+Pad), make([]float32, 4*gap+16+Pad), make([]float32, 4*gap+16+Pad)}
			var runs Runs
			for r := range 4 {
				first := r * (gap + 4)
				runs[r] = [2]int32{int32(first), int32(first + 2 + r)}
				for i := range 2 + r {
					l.X[first+i], l.Y[first+i] = 0.1*float32(i), 0.2*float32(r)
				}
			}
			p, s := new(Pairs), new(Scratch)
			p.Reset(0, 3, keepW)
			s.Gather(l, &runs)
			for self := range 3 {
				if _, ok := p.Add(self, l, volume, s); !ok {
					t.Fatal("too many")
				}
				var want []int32
				for _, r := range runs {
					for j := r[0]; j < r[1]; j++ {
						if int(j) != self {
							want = append(want, j)
						}
					}
				}
				pairs := list(p, self)
				for i, q := range pairs {
					if q.j != want[i] || keepW && q.w == 0 {
						t.Fatalf("gap %d: neighbour %d of %d is %d with W %g, want %d", gap, i, self, q.j, q.w, want[i])
					}
				}
				if len(pairs) != len(want) {
					t.Fatalf("gap %d: %d neighbours of %d, want %d", gap, len(pairs), self, len(want))
				}
			}
		}
	}
}

// TestPasses compares the passes with sums in double precision over the same
// weights.
func TestPasses(t *testing.T) {
	const n = 250
	_, p, _ := cloud(t, n, 3, true)
	at, v := values(n)
	grad, div, diff, avg := make([]Vec4, n), make([]float32, n), make([]Vec4, n), make([]Vec4, n)
	strain, spread := make([]Vec4, n), make([]float32, n)
	p.Gradient(grad, at)
	p.Divergence(div, at, v)
	p.Diffusion(diff, v)
	p.Average(avg, v)
	p.Strain(strain, at, v)
	p.Spread(spread, at)
	for i := range n {
		var g, gs, d, f, a, st, sp float64
		for _, pair := range list(p, i) {
			j, w := pair.j, float64(pair.f)
			x, y, z := w*float64(at[j].X-at[i].X), w*float64(at[j].Y-at[i].Y), w*float64(at[j].Z-at[i].Z)
			g += float64(at[i].S+at[j].S) * y
			gs += float64(at[i].S+at[j].S) * float64(at[i].S+at[j].S) * w
			d += float64(v[i].X-v[j].X)*x + float64(v[i].Y-v[j].Y)*y + float64(v[i].Z-v[j].Z)*z
			f += float64(v[j].Z-v[i].Z) * w
			a += float64(v[j].X-v[i].X) * float64(pair.w)
			x, y, z = float64(at[j].X-at[i].X), float64(at[j].Y-at[i].Y), float64(at[j].Z-at[i].Z)
			r2 := x*x + y*y + z*z
			u3 := math.Pow(max(0, 1-r2), 3)
			vd := float64(v[j].X-v[i].X)*x + float64(v[j].Y-v[i].Y)*y + float64(v[j].Z-v[i].Z)*z
			st += float64(at[i].S+at[j].S) * u3 * vd * z
			sp += u3 * r2 * r2
		}
		for _, c := range [...]struct {
			name      string
			got, want float64
		}{{"gradient", float64(grad[i].Y), g}, {"S of gradient", float64(grad[i].S), gs}, {"divergence", float64(div[i]), d}, {"diffusion", float64(diff[i].Z), f}, {"average", float64(avg[i].X), a},
			{"strain", float64(strain[i].Z), st}, {"spread", float64(spread[i]), sp}} {
			if math.Abs(c.got-c.want) > 1e-4 {
				t.Errorf("particle %d: %s = %g, want %g", i, c.name, c.got, c.want)
			}
		}
	}
}

// values returns what passes may sum over.
func values(n int) (at, v []Vec4) {
	rng := rand.New(rand.NewPCG(2, 3))
	random := func() Vec4 {
		return Vec4{rng.Float32() - 0.5, rng.Float32() - 0.5, rng.Float32() - 0.5, rng.Float32()}
	}
	for range n {
		at, v = append(at, random()), append(v, random())
	}
	return at, v
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

// TestDifferences compares the sums of scalars with sums over the lists.
func TestDifferences(t *testing.T) {
	const n = 150
	_, p, _ := cloud(t, n, 1.5, false)
	k := make([]float32, n)
	for i := range k {
		k[i] = float32(i*i%17) - 8
	}
	differences := make([]float32, n)
	p.Differences(differences, k)
	for i := range n {
		var difference, size float64
		for j, f := range p.Of(i) {
			difference += float64(f) * float64(k[j]-k[i])
			size += float64(f) * math.Abs(float64(k[j]-k[i]))
		}
		if math.Abs(float64(differences[i])-difference) > 1e-5*size {
			t.Errorf("particle %d: %g, want %g", i, differences[i], difference)
		}
	}
}
