package dice

import (
	"math"
	"testing"
)

// TestUniform checks the mean, the variance and the correlation of numbers that follow
// each other in each of the words that name them.
func TestUniform(t *testing.T) {
	const n = 1 << 16
	for _, c := range []struct {
		name string
		draw func(i uint64) float64
	}{
		{"number", func(i uint64) float64 { return New(1, 2, 3).Float(i) }},
		{"seed", func(i uint64) float64 { return New(i, 2, 3).Float(0) }},
		{"purpose", func(i uint64) float64 { return New(1, i, 3).Float(0) }},
		{"item", func(i uint64) float64 { return New(1, 2, i).Float(0) }},
		{"item of a sequence", func(i uint64) float64 { return New(1, 2).Of(i).Float(0) }},
	} {
		var sum, square, pairs float64
		last := c.draw(n)
		for i := range uint64(n) {
			x := c.draw(i)
			if x < 0 || x >= 1 {
				t.Fatalf("%s: %g is outside [0, 1)", c.name, x)
			}
			sum += x - 0.5
			square += (x - 0.5) * (x - 0.5)
			pairs += (x - 0.5) * (last - 0.5)
			last = x
		}
		// Five standard deviations of each mean.
		for _, m := range []struct {
			what         string
			got, want, s float64
		}{
			{"mean", sum / n, 0, math.Sqrt(1. / 12)},
			{"variance", square / n, 1. / 12, math.Sqrt(1. / 180)},
			{"correlation", pairs / n, 0, 1. / 12},
		} {
			if math.Abs(m.got-m.want) > 5*m.s/math.Sqrt(n) {
				t.Errorf("%s: the %s is %g, want %g", c.name, m.what, m.got, m.want)
			}
		}
	}
}

func TestFixed(t *testing.T) {
	// Films of the past must come out the same.
	if got := New(1, 2, 3).Uint64(4); got != 0x49be18e3adf9554 {
		t.Errorf("number 4 of (1, 2, 3) is %#x", got)
	}
}
