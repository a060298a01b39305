//go:build amd64 && !noasm

package pairsum

import (
	"math"

	"golang.org/x/sys/cpu"
)

//go:generate go run ./gen -out pairsum_amd64.s -stubs stubs_amd64.go -pkg pairsum

// The processor's features. Tests switch them.
var (
	avx2   = cpu.X86.HasAVX2 && cpu.X86.HasF16C
	avx512 = avx2 && cpu.X86.HasAVX512F && cpu.X86.HasAVX512VL && cpu.X86.HasAVX512DQ
)

func gather(s *Scratch, l *Positions, runs *Runs) {
	switch {
	case avx512:
		gatherAVX512(&s.near.X[0], &s.near.Y[0], &s.near.Z[0], &s.j[0], &l.X[0], &l.Y[0], &l.Z[0], &runs[0][0])
	case avx2:
		gatherAVX2(&s.near.X[0], &s.near.Y[0], &s.near.Z[0], &s.j[0], &l.X[0], &l.Y[0], &l.Z[0], &runs[0][0])
	default:
		gatherGo(s, l, runs)
	}
}

func search(s *Scratch, l *Positions, self int) int {
	if !avx2 || len(s.j) == 0 {
		return searchGo(s, l, self)
	}
	if avx512 {
		return searchAVX512(&s.b.dx[0], &s.near.X[0], &s.near.Y[0], &s.near.Z[0], &s.j[0], len(s.j), l.X[self], l.Y[self], l.Z[self], self)
	}
	return searchAVX2(&s.b.dx[0], &s.near.X[0], &s.near.Y[0], &s.near.Z[0], &s.j[0], len(s.j), l.X[self], l.Y[self], l.Z[self], self)
}

func weigh(list []Group, w [][4]uint16, b *buffer, n int, scale float32) (s Sums, fit bool) {
	if !avx2 {
		return weighGo(list, w, b, n, scale)
	}
	var wp *uint16
	if len(w) > 0 {
		wp = &w[0][0]
	}
	steps := weighAVX2(&list[0].F[0], wp, &b.dx[0], n, scale, &s.W)
	return s, steps <= math.MaxUint16
}

func gradient(out, at []Vec4, p *Pairs) {
	if !avx2 || len(p.List) == 0 {
		gradientGo(out, at, p)
		return
	}
	gradientAVX2(&out[p.First].X, &at[0].X, &at[p.First].X, &p.Start[0], &p.Base[0], &p.List[0].F[0], p.Len())
}

func divergence(out []float32, at, v []Vec4, p *Pairs) {
	if !avx2 || len(p.List) == 0 {
		divergenceGo(out, at, v, p)
		return
	}
	divergenceAVX2(&out[p.First], &at[0].X, &at[p.First].X, &v[0].X, &v[p.First].X, &p.Start[0], &p.Base[0], &p.List[0].F[0], p.Len())
}

func diffusion(out, v []Vec4, p *Pairs) {
	if !avx2 || len(p.List) == 0 {
		diffusionGo(out, v, p)
		return
	}
	diffusionAVX2(&out[0].X, &v[0].X, &v[p.First].X, &p.Start[0], &p.Base[0], &p.List[0].F[0], p.Len())
}

func average(out, v []Vec4, p *Pairs) {
	if !avx2 || len(p.List) == 0 {
		averageGo(out, v, p)
		return
	}
	averageAVX2(&out[0].X, &v[0].X, &v[p.First].X, &p.Start[0], &p.Base[0], &p.List[0].F[0], &p.W[0][0], p.Len())
}

func differences(out, k []float32, p *Pairs) {
	if !avx2 || len(p.List) == 0 {
		differencesGo(out, k, p)
		return
	}
	differencesAVX2(&out[p.First], &k[0], &k[p.First], &p.Start[0], &p.Base[0], &p.List[0].F[0], p.Len())
}

func strain(out, at, v []Vec4, p *Pairs) {
	if !avx2 || len(p.List) == 0 {
		strainGo(out, at, v, p)
		return
	}
	strainAVX2(&out[0].X, &at[0].X, &at[p.First].X, &v[0].X, &v[p.First].X, &p.Start[0], &p.Base[0], &p.List[0].F[0], p.Len())
}

func spread(out []float32, at []Vec4, p *Pairs) {
	if !avx2 || len(p.List) == 0 {
		spreadGo(out, at, p)
		return
	}
	spreadAVX2(&out[p.First], &at[0].X, &at[p.First].X, &p.Start[0], &p.Base[0], &p.List[0].F[0], p.Len())
}

func moments(out []Mat3, at []Vec4, p *Pairs) {
	if !avx2 || len(p.List) == 0 {
		momentsGo(out, at, p)
		return
	}
	momentsAVX2(&out[p.First].X.X, &at[0].X, &at[p.First].X, &p.Start[0], &p.Base[0], &p.List[0].F[0], p.Len())
}

func squaredMoments(out, at []Vec4, p *Pairs, turned bool) {
	if !avx2 || len(p.List) == 0 {
		squaredMomentsGo(out, at, p, turned)
		return
	}
	sum := squaresOf2AVX2
	if turned {
		sum = productsOf2AVX2
	}
	sum(&out[0].X, &at[0].X, &at[p.First].X, &p.Start[0], &p.Base[0], &p.List[0].F[0], p.Len())
}

func correctedGradient(out, at []Vec4, m []Mat3, p *Pairs) {
	if !avx2 || len(p.List) == 0 {
		correctedGradientGo(out, at, m, p)
		return
	}
	correctedGradientAVX2(&out[p.First].X, &at[0].X, &at[p.First].X, &m[0].X.X, &p.Start[0], &p.Base[0], &p.List[0].F[0], p.Len())
}

func pressureGradients(out []Mat3, at []Vec4, m []Mat3, p *Pairs) {
	if !avx2 || len(p.List) == 0 {
		pressureGradientsGo(out, at, m, p)
		return
	}
	pressureGradientsAVX2(&out[p.First].X.X, &at[0].X, &at[p.First].X, &m[0].X.X, &p.Start[0], &p.Base[0], &p.List[0].F[0], p.Len())
}

func correctedDivergence(out []float32, at, v []Vec4, m []Mat3, p *Pairs) {
	if !avx2 || len(p.List) == 0 {
		correctedDivergenceGo(out, at, v, m, p)
		return
	}
	correctedDivergenceAVX2(&out[p.First], &at[0].X, &at[p.First].X, &v[0].X, &v[p.First].X, &m[p.First].X.X, &p.Start[0], &p.Base[0], &p.List[0].F[0], p.Len())
}

func addBySlot(s *SlotSums, slot []uint8, cell []int32, list []Group, j int32) (done int, at int32) {
	if !avx2 {
		return addBySlotGo(s, slot, cell, list, j)
	}
	done, next := addBySlotAVX2(&s[0][0], &slot[0], &cell[0], &list[0].F[0], len(list), int(j))
	return done, int32(next)
}
