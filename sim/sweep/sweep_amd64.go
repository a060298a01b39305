//go:build amd64 && !noasm

package sweep

import "golang.org/x/sys/cpu"

//go:generate go run ./gen -out sweep_amd64.s -stubs stubs_amd64.go -pkg sweep

// What the processor can do. Tests switch it.
var (
	avx2   = cpu.X86.HasAVX2 && cpu.X86.HasF16C
	avx512 = avx2 && cpu.X86.HasAVX512F && cpu.X86.HasAVX512VL && cpu.X86.HasAVX512DQ
)

func search(b *buffer, l *Lane, runs *Runs, self int) int {
	switch {
	case avx512:
		return searchAVX512(&b.dx[0], &l.X[0], &l.Y[0], &l.Z[0], &runs[0][0], self)
	case avx2:
		return searchAVX2(&b.dx[0], &l.X[0], &l.Y[0], &l.Z[0], &runs[0][0], self)
	}
	return searchGo(b, l, runs, self)
}

func weigh(j []int32, g []Weight, w []uint16, b *buffer, scale float32) (s Sums) {
	switch {
	case !avx2:
		return weighGo(j, g, w, b, scale)
	case len(j) == 0:
		return Sums{}
	case len(w) == 0:
		weighAVX2(&j[0], &g[0][0], nil, &b.dx[0], len(j), scale, &s.W)
	default:
		weighAVX2(&j[0], &g[0][0], &w[0], &b.dx[0], len(j), scale, &s.W)
	}
	return s
}

func gradient(out []Vec4, s []float32, p *Pairs) {
	if !avx2 || len(p.J) == 0 {
		gradientGo(out, s, p)
		return
	}
	gradientAVX2(&out[p.First].X, &s[0], &s[p.First], &p.Start[0], &p.J[0], &p.G[0][0], p.Len())
}

func divergence(out []float32, v []Vec4, p *Pairs) {
	if !avx2 || len(p.J) == 0 {
		divergenceGo(out, v, p)
		return
	}
	divergenceAVX2(&out[p.First], &v[0].X, &v[p.First].X, &p.Start[0], &p.J[0], &p.G[0][0], p.Len())
}

func diffusion(out, v []Vec4, p *Pairs) {
	if !avx2 || len(p.J) == 0 {
		diffusionGo(out, v, p)
		return
	}
	diffusionAVX2(&out[p.First].X, &v[0].X, &v[p.First].X, &p.Start[0], &p.J[0], &p.G[0][0], p.Len())
}

func average(out, v []Vec4, p *Pairs) {
	if !avx2 || len(p.J) == 0 {
		averageGo(out, v, p)
		return
	}
	averageAVX2(&out[p.First].X, &v[0].X, &v[p.First].X, &p.Start[0], &p.J[0], &p.W[0], p.Len())
}
