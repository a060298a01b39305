//go:build amd64 && !noasm

package pairsum

import (
	"slices"
	"testing"
)

// each runs f with plain Go and with every instruction set that this
// processor has.
func each(f func(name string)) {
	has2, has512 := avx2, avx512
	defer func() { avx2, avx512 = has2, has512 }()
	avx2, avx512 = false, false
	f("go")
	if has2 {
		avx2 = true
		f("avx2")
	}
	if has512 {
		avx512 = true
		f("avx512")
	}
}

// TestTwins: the assembly gives the bits of plain Go, for clouds with 0 to
// some 100 neighbours per particle.
func TestTwins(t *testing.T) {
	for _, n := range []int{1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 40, 150, 400} {
		for _, edge := range []float64{0.5, 1.5, 4} {
			if n == 400 && edge < 1 {
				edge = 1
			}
			var want *Pairs
			var wantSums []Sums
			var wantOut [17][]Vec4
			each(func(name string) {
				_, p, sums := cloud(t, n, edge, true)
				at, v := values(n)
				// One guard item before and after the output of a pass.
				var out [17][]Vec4
				for k := range out {
					out[k] = make([]Vec4, n+1)
					out[k][n] = Vec4{1, 2, 3, 4}
				}
				div, spread := make([]float32, n+1), make([]float32, n+1)
				div[n], spread[n] = 5, 6
				p.Gradient(out[0], at)
				p.Diffusion(out[1], v)
				p.Average(out[2], v)
				p.Divergence(div, at, v)
				p.Strain(out[4], at, v)
				p.Spread(spread, at)
				moments, gradients := make([]Mat3, n+1), make([]Mat3, n+1)
				moments[n] = Mat3{Vec4{X: 9}, Vec4{Y: 10}, Vec4{Z: 11}}
				p.Moments(moments, at)
				p.SquaredMoments(out[6], out[7], at)
				my, mz, m := turned(v), turned(turned(v)), make([]Mat3, n)
				for i := range m {
					m[i] = Mat3{v[i], my[i], mz[i]}
				}
				p.CorrectedGradient(out[8], at, m)
				p.PressureGradients(gradients, at, m)
				bent := make([]float32, n+1)
				bent[n] = 7
				p.CorrectedDivergence(bent, at, v, m)
				differences := make([]float32, n+1)
				differences[n] = 8
				scalars := make([]float32, n)
				for i := range scalars {
					scalars[i] = v[i].X
				}
				p.Differences(differences, scalars)
				for i, d := range bent {
					out[9][i], out[10][i] = Vec4{X: d}, Vec4{X: differences[i]}
				}
				for i, d := range div {
					out[3][i], out[5][i] = Vec4{X: d}, Vec4{X: spread[i]}
				}
				for i := range moments {
					a, b := &moments[i], &gradients[i]
					for k, v := range [...]Vec4{a.X, a.Y, a.Z, b.X, b.Y, b.Z} {
						out[11+k][i] = v
					}
				}
				for _, k := range []int{2, 4, 6, 7, 8, 13, 14, 15, 16} {
					for i := range n {
						out[k][i].S = 0 // without meaning
					}
				}
				if want == nil {
					want, wantSums, wantOut = p, sums, out
					return
				}
				if !equal(p, want) || !slices.Equal(sums, wantSums) {
					t.Errorf("%d points in %g: %s finds other pairs than plain Go", n, edge, name)
				}
				for k := range out {
					if !slices.Equal(out[k], wantOut[k]) {
						t.Errorf("%d points in %g: pass %d by %s differs from plain Go", n, edge, k, name)
					}
				}
			})
		}
	}
}

// TestSlotTwins is TestTwins for SlotSums, where some slots are missing.
func TestSlotTwins(t *testing.T) {
	const n = 150
	_, p, _ := cloud(t, n, 1.5, false)
	cell, slot := make([]int32, n), make([]uint8, n/8+1)
	for i := range cell {
		cell[i] = int32(i / 8)
	}
	type result struct {
		sums SlotSums
		done int
		at   int32
	}
	stopped := 0
	for missing := range slot {
		for c := range slot {
			slot[c] = uint8(c + 1)
		}
		slot[missing] = 0
		var want []result
		each(func(name string) {
			var got []result
			var sums SlotSums
			for i := range p.Len() {
				list := p.List[p.Start[i]:p.Start[i+1]]
				done, at := sums.Add(slot, cell, list, p.Base[i])
				got = append(got, result{sums, done, at})
				if done < len(list) {
					stopped++
				}
			}
			if want == nil {
				want = got
			}
			if !slices.Equal(got, want) {
				t.Errorf("without slot %d: %s differs from plain Go", missing, name)
			}
		})
	}
	if stopped == 0 {
		t.Error("no sum stopped")
	}
}

// turned returns v with the coordinates of each vector in another order, the last one
// first.
func turned(v []Vec4) []Vec4 {
	out := make([]Vec4, len(v))
	for i := range v {
		u := v[len(v)-1-i]
		out[i] = Vec4{X: u.Y, Y: u.Z, Z: u.X}
	}
	return out
}

// BenchmarkAdd finds the pairs of a cloud as dense as a liquid, by each
// instruction set in turn, plain Go being what the others are measured by.
func BenchmarkAdd(b *testing.B) {
	const n = 400 // some 30 neighbours each, away from the faces
	l, _, _ := cloud(b, n, 3.7, false)
	runs := Runs{4: {0, n}}
	each(func(name string) {
		b.Run(name, func(b *testing.B) {
			p, s := new(Pairs), new(Scratch)
			for b.Loop() {
				p.Reset(0, n, false)
				for i := range n {
					if i%8 == 0 { // as many share a cell
						s.Gather(l, &runs)
					}
					p.Add(i, l, volume, s)
				}
			}
			b.ReportMetric(float64(b.N)*n*n/b.Elapsed().Seconds()/1e6, "Mcandidates/s")
		})
	})
}

// BenchmarkPasses measures a pass over pairs that lie in the cache.
func BenchmarkPasses(b *testing.B) {
	const n = 400
	_, p, _ := cloud(b, n, 3.7, true)
	at, v := values(n)
	out, div, scalars, bent := make([]Vec4, n), make([]float32, n), make([]float32, n), make([]Mat3, n)
	sums := make([]Mat3, n)
	for _, pass := range []struct {
		name string
		run  func()
	}{
		{"gradient", func() { p.Gradient(out, at) }},
		{"divergence", func() { p.Divergence(div, at, v) }},
		{"diffusion", func() { p.Diffusion(out, v) }},
		{"differences", func() { p.Differences(div, scalars) }},
		{"average", func() { p.Average(out, v) }},
		{"bent gradient", func() { p.CorrectedGradient(out, at, bent) }},
		{"bent divergence", func() { p.CorrectedDivergence(div, at, v, bent) }},
		{"moments", func() { p.Moments(bent, at) }},
		{"pressure gradients", func() { p.PressureGradients(sums, at, bent) }},
		{"strain", func() { p.Strain(out, at, v) }},
	} {
		each(func(name string) {
			b.Run(pass.name+"/"+name, func(b *testing.B) {
				for b.Loop() {
					pass.run()
				}
				b.ReportMetric(float64(b.N)*4*float64(len(p.List))/b.Elapsed().Seconds()/1e6, "Mpairs/s")
			})
		})
	}
}
