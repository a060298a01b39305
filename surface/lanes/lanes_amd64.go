//go:build amd64 && !noasm

package lanes

import "golang.org/x/sys/cpu"

//go:generate go run ./gen -out lanes_amd64.s -stubs stubs_amd64.go -pkg lanes

// What the processor can do. Tests switch it.
var (
	avx2   = cpu.X86.HasAVX2
	avx512 = avx2 && cpu.X86.HasAVX512F
)

func splat(f *Block, p []Vec4, edge float32) {
	switch {
	case avx512:
		splatAVX512(&f[0], &p[0].X, len(p), edge)
	case avx2:
		for half := 0; half < Side; half += width {
			splatAVX2(&f[half], &p[0].X, len(p), edge, float32(half))
		}
	default:
		splatGo(f, p, edge)
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
