package simd

import (
	"math"

	"breakwater/sim/num"
)

// Field is a sum of kernels over particles in cell order, so that those near a
// point are a few runs of consecutive indices. Each slice holds one item a
// particle and Pad more.
type Field struct {
	X, Y, Z []float32 // positions
	S       []float32 // Height of the volumes
	Fill    []float32 // what a Sample averages
	VX      []float32 // what Mean averages; none, or in all three
	VY, VZ  []float32
}

// Runs hold all particles that may be near a point: first ≤ j < end for each
// of nine rows of cells.
type Runs [9][2]int32

// Sample is the field at a point: Σ V W, its gradient, and Σ V W Fill.
type Sample struct{ F, GX, GY, GZ, Fill float32 }

// least keeps 0 from dividing 0.
const least = 1e-6

// At returns the field at (x, y, z).
func (f *Field) At(x, y, z float32, runs *Runs) Sample { return fieldAt(f, x, y, z, runs) }

func fieldAtGo(f *Field, x, y, z float32, runs *Runs) Sample {
	var sum [5][width]float32
	for _, run := range runs {
		for j := run[0]; j < run[1]; j++ {
			dx, dy, dz := x-f.X[j], y-f.Y[j], z-f.Z[j]
			r2 := float32(float32(dx*dx)+float32(dy*dy)) + float32(dz*dz)
			if r2 >= 1 {
				continue // adds 0
			}
			q := float32(math.Sqrt(float64(r2)))
			u, t := 1-q, max(0.5-q, 0)
			u2, t2 := float32(u*u), float32(t*t)
			w := float32(f.S[j] * (float32(u2*u) - float32(4*float32(t2*t))))
			g := f.S[j] * (float32(12*t2) - float32(3*u2)) / max(q, least)
			k := (j - run[0]) % width
			sum[0][k] += w
			sum[1][k] += float32(g * dx)
			sum[2][k] += float32(g * dy)
			sum[3][k] += float32(g * dz)
			sum[4][k] += float32(w * f.Fill[j])
		}
	}
	return Sample{num.Fold(&sum[0]), num.Fold(&sum[1]), num.Fold(&sum[2]), num.Fold(&sum[3]), num.Fold(&sum[4])}
}

// Mean returns the mean of (VX, VY, VZ) near (x, y, z), each weighted by what its
// particle adds to the field there; 0 where the field is.
func (f *Field) Mean(x, y, z float32, runs *Runs) Vec4 {
	m := fieldMean(f, x, y, z, runs)
	if m.S > 0 {
		m.X, m.Y, m.Z = m.X/m.S, m.Y/m.S, m.Z/m.S
	}
	return m
}

// fieldMeanGo returns Σ V W (VX, VY, VZ), and Σ V W in S.
func fieldMeanGo(f *Field, x, y, z float32, runs *Runs) Vec4 {
	var sum [4][width]float32
	for _, run := range runs {
		for j := run[0]; j < run[1]; j++ {
			dx, dy, dz := x-f.X[j], y-f.Y[j], z-f.Z[j]
			r2 := float32(float32(dx*dx)+float32(dy*dy)) + float32(dz*dz)
			if r2 >= 1 {
				continue // adds 0
			}
			q := float32(math.Sqrt(float64(r2)))
			u, t := 1-q, max(0.5-q, 0)
			w := float32(f.S[j] * (float32(float32(u*u)*u) - float32(4*float32(float32(t*t)*t))))
			k := (j - run[0]) % width
			sum[0][k] += float32(w * f.VX[j])
			sum[1][k] += float32(w * f.VY[j])
			sum[2][k] += float32(w * f.VZ[j])
			sum[3][k] += w
		}
	}
	return Vec4{num.Fold(&sum[0]), num.Fold(&sum[1]), num.Fold(&sum[2]), num.Fold(&sum[3])}
}
