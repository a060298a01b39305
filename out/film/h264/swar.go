package h264

import "encoding/binary"

// The loops over pixels work on eight at once: four in the even bytes of a
// word, each in 16 bits, and four in its odd bytes. Such lanes may be negative
// on the way: they are summands v₀ + 2¹⁶ v₁ + … of one number, whose sums and
// differences are right however they borrow, and abs4 ends that.

const (
	low8  = 0x00ff00ff00ff00ff
	low16 = 0x0000ffff0000ffff
	ones4 = 0x0001000100010001
)

func load8(p []byte) uint64 { return binary.LittleEndian.Uint64(p) }

// abs4 returns the sizes of four lanes.
func abs4(v uint64) uint64 {
	s := (v >> 15 & ones4) * 0xffff
	return (v + s) ^ s
}

// sum4 returns the sum of four lanes that are not negative.
func sum4(v uint64) int {
	v = v&low16 + v>>16&low16
	return int(uint32(v) + uint32(v>>32))
}

// sadGo returns the sum of the absolute differences of 16×16 samples. Above limit it may
// stop early, and return a smaller sum.
func sadGo(a []byte, aStride int, b []byte, bStride, limit int) int {
	total := 0
	for y := 0; y < 16; y += 4 {
		var s uint64 // at most 4·2·2·255 in a lane
		for i := range 4 {
			ra := a[(y+i)*aStride:][:16]
			rb := b[(y+i)*bStride:][:16]
			u, v := load8(ra), load8(rb)
			s += abs4(u&low8-v&low8) + abs4(u>>8&low8-v>>8&low8)
			u, v = load8(ra[8:]), load8(rb[8:])
			s += abs4(u&low8-v&low8) + abs4(u>>8&low8-v>>8&low8)
		}
		if total += sum4(s); total > limit {
			break
		}
	}
	return total
}

// satdGo returns half the sum of the sizes of the Hadamard transforms of the differences
// of w×h samples in blocks of 4×4, which estimates their coding cost better than sad. W
// and h are 8 or 16. It may stop above limit and return less.
func satdGo(a []byte, aStride int, b []byte, bStride, w, h, limit int) int {
	total := 0
	for y := 0; y < h; y += 4 {
		for x := 0; x < w; x += 8 {
			total += satd8x4(a[y*aStride+x:], aStride, b[y*bStride+x:], bStride)
		}
		if total > limit {
			break
		}
	}
	return total
}

func satd8x4(a []byte, aStride int, b []byte, bStride int) int {
	p0, q0 := across8(load8(a), load8(b))
	p1, q1 := across8(load8(a[aStride:]), load8(b[bStride:]))
	p2, q2 := across8(load8(a[2*aStride:]), load8(b[2*bStride:]))
	p3, q3 := across8(load8(a[3*aStride:]), load8(b[3*bStride:]))
	return sum4(down4(p0, p1, p2, p3)+down4(q0, q1, q2, q3)) / 2 // at most 8·16·255 in a lane
}

// across8 returns the sums and differences across two rows of four of u − v:
// the first two and the last two, each of both.
func across8(u, v uint64) (p, q uint64) {
	ue, uo, ve, vo := u&low8, u>>8&low8, v&low8, v>>8&low8
	// samples 0, 1, 2, 3 of the left four, and of the right 2³² times
	d0, d2 := ue&low16-ve&low16, ue>>16&low16-ve>>16&low16
	d1, d3 := uo&low16-vo&low16, uo>>16&low16-vo>>16&low16
	s, t, m, n := d0+d1, d2+d3, d0-d1, d2-d3
	return s + t + (s-t)<<16, m + n + (m-n)<<16
}

// down4 returns the sizes of the sums and differences down four rows, added up.
func down4(a, b, c, d uint64) uint64 {
	s, t, m, n := a+b, c+d, a-b, c-d
	return abs4(s+t) + abs4(s-t) + abs4(m+n) + abs4(m-n)
}

// satd4Go sets the first n of cost to the satd of a block of 4×4 from others.
func satd4Go(cost *[12]int32, a []byte, aStride int, b *[12][16]byte, n int) {
	for k := range n {
		var p [4]uint64
		for i := range 4 {
			ra, rb := a[i*aStride:][:4], b[k][4*i:][:4]
			d0, d1 := int(ra[0])-int(rb[0]), int(ra[1])-int(rb[1])
			d2, d3 := int(ra[2])-int(rb[2]), int(ra[3])-int(rb[3])
			s, t, m, n := d0+d1, d2+d3, d0-d1, d2-d3
			p[i] = uint64(s + t + (s-t)<<16 + (m+n)<<32 + (m-n)<<48)
		}
		cost[k] = int32(sum4(down4(p[0], p[1], p[2], p[3])) / 2)
	}
}

// ssdGo returns the squared error of a macroblock.
func ssdGo(a, b *samples) int {
	total := int32(0)
	for i, v := range a.luma {
		d := int32(v) - int32(b.luma[i])
		total += d * d
	}
	for c := range a.chroma {
		for i, v := range a.chroma[c] {
			d := int32(v) - int32(b.chroma[c][i])
			total += d * d
		}
	}
	return int(total)
}

// meanGo writes the means of w×h samples of a and b, rounded up, to to, with 16 samples
// per row. W is 8 or 16.
func meanGo(to []byte, a, b []byte, stride, w, h int) {
	for y := range h {
		for x := 0; x < w; x += 8 {
			u, v := load8(a[y*stride+x:]), load8(b[y*stride+x:])
			binary.LittleEndian.PutUint64(to[16*y+x:], (u|v)-(u^v)>>1&0x7f7f7f7f7f7f7f7f)
		}
	}
}
