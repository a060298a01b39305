package num

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestNthSmallest compares every index of lists with the sorted list: random ones, with many
// equal values, sorted ones and reversed ones.
func TestNthSmallest(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for length := 1; length < 60; length++ {
		for kind := range 4 {
			list := make([]float64, length)
			for i := range list {
				list[i] = []float64{random.Float64(), float64(random.IntN(4)), float64(i), -float64(i)}[kind]
			}
			sorted := slices.Sorted(slices.Values(list))
			for n := range list {
				if got := NthSmallest(slices.Clone(list), n); got != sorted[n] {
					t.Fatalf("number %d of %v is %g, want %g", n, list, got, sorted[n])
				}
			}
		}
	}
}
