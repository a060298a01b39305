// Package dice draws random numbers by counter. A number depends only on what it is
// for, never on how many were drawn before, so a loop may draw in any order and on any
// number of goroutines, and a resumed run draws the same numbers.
package dice

import "breakwater/sim/num"

// Dice is a sequence of random numbers. The zero value is one such sequence.
type Dice uint64

// New returns the sequence of a seed and of the words that name its use: the purpose,
// an item's number, a frame.
func New(seed uint64, words ...uint64) Dice {
	x := num.SplitMix64(seed + num.Golden)
	for _, w := range words {
		x = num.SplitMix64(x ^ num.SplitMix64(w+num.Golden))
	}
	return Dice(x)
}

// Of returns a sequence of d's own for an item.
func (d Dice) Of(item uint64) Dice {
	return Dice(num.SplitMix64(uint64(d) ^ num.SplitMix64(item+num.Golden)))
}

// Uint64 returns number k of the sequence, uniform over all values.
func (d Dice) Uint64(k uint64) uint64 { return num.SplitMix64(uint64(d) + (k+1)*num.Golden) }

// Float returns number k of the sequence, uniform in [0, 1).
func (d Dice) Float(k uint64) float64 { return float64(float64(d.Uint64(k)>>11) * (1. / (1 << 53))) }
