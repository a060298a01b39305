package numbers

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// The quick way to read a number gives the bits that strconv gives.
func TestNumber(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	words := []string{"0", "-0", "1", "-1.5", "0.1", "123456.789", "9007199254740993", "0.0000000000000000000000001", "1e5", "1.e-3", "5.", ".5", "+2", "-.25"}
	for range 20_000 {
		v := (rng.Float64() - 0.5) * math.Exp(40*rng.Float64()-30)
		words = append(words, strconv.FormatFloat(v, 'f', -1, 32), strconv.FormatFloat(v, 'g', -1, 64), strconv.FormatFloat(v, 'f', rng.IntN(25), 64))
	}
	for _, w := range words {
		want, _ := strconv.ParseFloat(w, 64)
		if got, err := Parse([]byte(w)); math.Float64bits(got) != math.Float64bits(want) || err != nil {
			t.Fatalf("%s: %g, %v, want %g", w, got, err, want)
		}
	}
}
