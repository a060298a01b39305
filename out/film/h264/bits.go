package h264

import (
	"encoding/binary"
	"math/bits"
)

// bitWriter collects bits, the first in the highest place of a byte.
type bitWriter struct {
	bytes []byte
	acc   uint64 // its lowest n bits come next
	n     uint   // less than 32
}

func (w *bitWriter) reset() { w.bytes, w.acc, w.n = w.bytes[:0], 0, 0 }

// len returns the number of bits written.
func (w *bitWriter) len() int { return 8*len(w.bytes) + int(w.n) }

// u writes the lowest n ≤ 32 bits of v, whose other bits are 0: u(n) of clause 7.2.
func (w *bitWriter) u(n uint, v uint32) {
	w.acc = w.acc<<n | uint64(v)
	if w.n += n; w.n >= 32 {
		w.n -= 32
		w.bytes = binary.BigEndian.AppendUint32(w.bytes, uint32(w.acc>>w.n))
	}
}

// flag writes one bit.
func (w *bitWriter) flag(v bool) {
	if v {
		w.u(1, 1)
	} else {
		w.u(1, 0)
	}
}

// ue writes v < 2³¹ as an Exp-Golomb code, clause 9.1.
func (w *bitWriter) ue(v uint32) {
	n := uint(bits.Len32(v + 1))
	if n > 16 {
		w.u(n-1, 0)
		w.u(n, v+1)
		return
	}
	w.u(2*n-1, v+1)
}

// se writes v as a signed Exp-Golomb code, clause 9.1.1.
func (w *bitWriter) se(v int) { w.ue(signedCode(v)) }

func signedCode(v int) uint32 {
	if v > 0 {
		return uint32(2*v - 1)
	}
	return uint32(-2 * v)
}

// seLen returns the number of bits that se writes.
func seLen(v int) int { return 2*bits.Len32(signedCode(v)+1) - 1 }

// ueLen returns the number of bits that ue writes.
func ueLen(v uint32) int { return 2*bits.Len32(v+1) - 1 }

// whole brings all bits into bytes, and fills the last with zeros. Nothing
// can be written after it.
func (w *bitWriter) whole() {
	for w.n >= 8 {
		w.n -= 8
		w.bytes = append(w.bytes, byte(w.acc>>w.n))
	}
	if w.n > 0 {
		w.bytes = append(w.bytes, byte(w.acc<<(8-w.n)))
		w.n = 0
	}
}

// copyBits writes bits [lo, hi) of b.
func (w *bitWriter) copyBits(b []byte, lo, hi int) {
	for lo < hi && lo&7 != 0 {
		w.u(1, uint32(b[lo>>3]>>(7-lo&7)&1))
		lo++
	}
	for ; hi-lo >= 32; lo += 32 {
		w.u(32, binary.BigEndian.Uint32(b[lo>>3:]))
	}
	for ; hi-lo >= 8; lo += 8 {
		w.u(8, uint32(b[lo>>3]))
	}
	if hi > lo {
		w.u(uint(hi-lo), uint32(b[lo>>3]>>(8-(hi-lo))))
	}
}

// append writes all bits of v, which stays as it is.
func (w *bitWriter) append(v *bitWriter) {
	w.copyBits(v.bytes, 0, 8*len(v.bytes))
	if v.n > 0 {
		w.u(v.n, uint32(v.acc&(1<<v.n-1)))
	}
}

// end writes the bit that ends a payload, clause 7.3.2.11, and returns its
// bytes.
func (w *bitWriter) end() []byte {
	w.u(1, 1)
	w.whole()
	return w.bytes
}

// appendUnit appends a NAL unit with its first byte and payload to b: a byte
// of 3 goes before each of 0 to 3 that follows two zeros, clause 7.4.1.
func appendUnit(b []byte, first byte, payload []byte) []byte {
	b = append(b, first)
	zeros := 0
	for _, c := range payload {
		if zeros == 2 && c <= 3 {
			b = append(b, 3)
			zeros = 0
		}
		b = append(b, c)
		if c == 0 {
			zeros++
		} else {
			zeros = 0
		}
	}
	return b
}
