package h264

import "math/bits"

// residual writes a block of levels, clause 9.2, in the order of the scan,
// and returns how many are not zero. Before is nC, what the blocks on its
// left and above have of them; below zero for the DC of chroma.
func (w *bitWriter) residual(levels []int32, before int) int {
	var level, run [16]int32 // from the highest frequency down; run: zeros after it
	total, zeros := 0, 0
	gap := int32(0)
	for i := len(levels) - 1; i >= 0; i-- {
		if levels[i] == 0 {
			gap++
			continue
		}
		if total > 0 {
			run[total-1] = gap
			zeros += int(gap)
		}
		level[total] = levels[i]
		total++
		gap = 0
	}
	if total > 0 {
		zeros += int(gap) // those before the first
	}
	ones := 0
	for ones < 3 && ones < total && (level[ones] == 1 || level[ones] == -1) {
		ones++
	}
	token := coeffTokenDC[0]
	if before >= 0 {
		token = coeffToken[min(3, bits.Len(uint(before)/2))]
	}
	w.code(token[4*total+ones])
	if total == 0 {
		return 0
	}
	for _, l := range level[:ones] {
		w.flag(l < 0)
	}
	w.levels(level[ones:total], total, ones)
	if total < len(levels) {
		table := totalZeros
		if before < 0 {
			table = totalZerosDC
		}
		w.code(table[total-1][zeros])
	}
	for _, r := range run[:total-1] {
		if zeros == 0 {
			break
		}
		w.code(runBefore[min(zeros, 7)-1][r])
		zeros -= int(r)
	}
	return total
}

func (w *bitWriter) code(c code) { w.u(uint(c.n), uint32(c.bits)) }

// levels writes what is left after the trailing ones, clause 9.2.2.1.
func (w *bitWriter) levels(level []int32, total, ones int) {
	suffix := uint(0) // suffixLength
	if total > 10 && ones < 3 {
		suffix = 1
	}
	for i, l := range level {
		size := uint32(max(l, -l))
		c := 2*size - 2 // levelCode
		if l < 0 {
			c++
		}
		if i == 0 && ones < 3 {
			c -= 2 // it cannot be ±1
		}
		escape := uint32(15) << suffix // the first after a prefix of 15 bits
		if suffix == 0 {
			escape = 30
		}
		switch {
		case c < 14 || suffix > 0 && c < escape:
			w.u(uint(c>>suffix)+1, 1)
			w.u(suffix, c&(1<<suffix-1))
		case c < escape:
			w.u(15, 1)
			w.u(4, c-14)
		default:
			w.u(16, 1)
			w.u(12, c-escape)
		}
		if suffix == 0 {
			suffix = 1
		}
		if size > 3<<(suffix-1) && suffix < 6 {
			suffix++
		}
	}
}
