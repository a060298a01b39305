//go:build amd64 && !noasm

package biot

import (
	"slices"
	"testing"

	"breakwater/sim/vec"
)

// guardV follows the outputs, to show that nothing writes past their ends.
var guardV = vec.New(1, 2, 3)

// allWays runs f with plain Go and with the instructions that the processor has.
func allWays(f func(name string)) {
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

// TestTwins: the assembly gives the bits of plain Go, for 0 to 40 particles and points and
// around the length of a tile, at points on particles, inside of cores and far away.
func TestTwins(t *testing.T) {
	for n := range 41 {
		twins(t, n, n)
	}
	for _, n := range []int{tile - 1, tile, tile + 1, 2*tile + 3} {
		twins(t, n, 19)
	}
}

func twins(t *testing.T, particles, points int) {
	for _, radius := range []float64{0.001, 0.3, 20} {
		s := cloud(particles, radius, false)
		at := cloud(points, 1, false).X
		for i := range min(len(at)/2, particles) {
			at[i] = s.X[i]
		}
		for _, k := range Kernels() {
			guard := Gradient{X: guardV}
			var want []Gradient
			allWays(func(name string) {
				u, g := append(slices.Clone(at), guardV), make([]Gradient, points+1)
				g[points] = guard
				VelocityGradient(u, g, at, s, k)
				v := append(slices.Clone(at), guardV)
				Velocity(v, at, s, k)
				if !slices.Equal(u, v) {
					t.Errorf("%v, %d particles of radius %g, %s: Velocity and VelocityGradient differ", k, particles, radius, name)
				}
				for _, u := range u {
					g = append(g, Gradient{X: u})
				}
				if want == nil {
					want = g
				}
				if !slices.Equal(g, want) || g[points] != guard || u[points] != guardV {
					t.Errorf("%v, %d particles of radius %g: %s differs from plain Go", k, particles, radius, name)
				}
			})
		}
	}
}

// BenchmarkSums measures sums of 2048 particles at as many points, by plain Go and by
// assembly.
func BenchmarkSums(b *testing.B) {
	const n = 2048
	s := cloud(n, 0.1, false)
	for _, k := range Kernels() {
		for _, gradient := range []bool{false, true} {
			allWays(func(name string) {
				what := "velocity"
				if gradient {
					what = "gradient"
				}
				b.Run(k.String()+"/"+what+"/"+name, func(b *testing.B) {
					sums := NewSums(k, Unit(s.Radius), gradient)
					for b.Loop() {
						for lo := 0; lo < n; lo += chunk {
							sums.Start(s.X[lo : lo+chunk])
							sums.Add(s)
							sums.flush()
						}
					}
					b.ReportMetric(float64(b.N)*n*n/b.Elapsed().Seconds()/1e9, "Gpairs/s")
				})
			})
		}
	}
}
