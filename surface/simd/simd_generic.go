//go:build !amd64 || noasm

package simd

func splat(f *Block, _ *Bricks, p []Vec4, edge float32) { splatGo(f, p, edge) }

func fieldAt(f *Field, x, y, z float32, runs *Runs) Sample { return fieldAtGo(f, x, y, z, runs) }

func fieldMean(f *Field, x, y, z float32, runs *Runs) Vec4 { return fieldMeanGo(f, x, y, z, runs) }

func relax(next, x, pull []Vec4, a []float32, r *Rings, lo, hi int) {
	relaxGo(next, x, pull, a, r, lo, hi)
}

func turn(next, x []Vec4, a []float32, r *Rings, lo, hi int) { turnGo(next, x, a, r, lo, hi) }

func above(rows *[Side * Side]uint16, f *Block, t float32) { aboveGo(rows, f, t) }
