//go:build amd64 && !noasm

package simd

import "golang.org/x/sys/cpu"

//go:generate go run ./gen -out simd_amd64.s -stubs stubs_amd64.go -pkg simd

// avx2 reports the processor's support for AVX2. Tests switch it.
var avx2 = cpu.X86.HasAVX2

func splat(f *Block, b *Bricks, p []Vec4, edge float32) {
	if !avx2 {
		splatGo(f, p, edge)
		return
	}
	b.lay(edge)
	splatAVX2(&b.f[0][0], &p[0].X, len(p), 1/edge)
	unpackAVX2(&f[0], &b.f[0][0])
}

// lay empties b and gives its nodes their places.
func (b *Bricks) lay(edge float32) {
	clear(b.f[:])
	for k := range 8 {
		n := [2]float32{float32(2*k) * edge, float32(2*k+1) * edge}
		b.low[k], b.high[k] = n[0], n[1]
		for lane := range width {
			b.x[k][lane], b.y[k][lane], b.z[k][lane] = n[lane&1], n[lane>>1&1], n[lane>>2]
		}
	}
}

func above(rows *[Side * Side]uint16, f *Block, t float32) {
	if !avx2 {
		aboveGo(rows, f, t)
		return
	}
	aboveAVX2(&rows[0], &f[0], t)
}

func fieldAt(f *Field, x, y, z float32, runs *Runs) (s Sample) {
	if !avx2 {
		return fieldAtGo(f, x, y, z, runs)
	}
	fieldAtAVX2(&f.X[0], &f.Y[0], &f.Z[0], &f.S[0], &f.Fill[0], &runs[0][0], x, y, z, &s.F)
	return s
}

func fieldMean(f *Field, x, y, z float32, runs *Runs) (m Vec4) {
	if !avx2 {
		return fieldMeanGo(f, x, y, z, runs)
	}
	fieldMeanAVX2(&f.X[0], &f.Y[0], &f.Z[0], &f.S[0], &f.VX[0], &f.VY[0], &f.VZ[0], &runs[0][0], x, y, z, &m.X)
	return m
}

func relax(next, x, pull []Vec4, a []float32, r *Rings, lo, hi int) {
	if !avx2 || len(r.Of) == 0 {
		relaxGo(next, x, pull, a, r, lo, hi)
		return
	}
	relaxAVX2(&next[lo].X, &x[0].X, &x[lo].X, &pull[lo].X, &a[lo], &r.Start[lo], &r.Of[0], hi-lo)
}

func turn(next, x []Vec4, a []float32, r *Rings, lo, hi int) {
	if !avx2 || len(r.Of) == 0 {
		turnGo(next, x, a, r, lo, hi)
		return
	}
	turnAVX2(&next[lo].X, &x[0].X, &x[lo].X, &a[lo], &r.Start[lo], &r.Of[0], hi-lo)
}
