package h264

import "math/bits"

// residual writes a block's levels from the given place of the scan on, at most size of
// them, clause 9.2, and returns how many are not zero. Before is nC, the prediction from
// the blocks on its left and above, or below zero for the DC of chroma.
func (w *bitWriter) residual(b *block, from, size, before int) int {
	left := uint32(b.nonzero) >> from
	total := bits.OnesCount32(left)
	token := coeffTokenDC[0]
	if before >= 0 {
		token = coeffToken[min(3, bits.Len(uint(before)/2))]
	}
	if total == 0 {
		w.code(token[0])
		return 0
	}
	top := bits.Len32(left) - 1 // the place of the last
	zeros := top + 1 - total    // before it
	var level, run [16]int32    // from the highest frequency down; run: zeros before it
	for i := range total {
		at := bits.Len32(left) - 1
		left &^= 1 << at
		level[i] = int32(b.level[(from+at)&15])
		run[i] = int32(at - bits.Len32(left))
	}
	ones, signs := 0, uint32(0)
	for ones < 3 && ones < total && (level[ones] == 1 || level[ones] == -1) {
		signs = signs<<1 | uint32(level[ones])>>31
		ones++
	}
	w.code(token[4*total+ones])
	w.u(uint(ones), signs)
	w.levels(level[ones:total], total, ones)
	if total < size {
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

// levels writes the levels after the trailing ones, clause 9.2.2.1.
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
			w.u(uint(c>>suffix)+1+suffix, 1<<suffix|c&(1<<suffix-1))
		case c < escape:
			w.u(19, 1<<4|(c-14))
		default:
			w.u(28, 1<<12|(c-escape))
		}
		if suffix == 0 {
			suffix = 1
		}
		if size > 3<<(suffix-1) && suffix < 6 {
			suffix++
		}
	}
}
