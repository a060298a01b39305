package pairsum

import "math"

// half rounds f to half precision, to the nearest and ties to even, as the
// instruction VCVTPS2PH does.
func half(f float32) uint16 {
	b := math.Float32bits(f)
	sign := uint16(b >> 16 & 0x8000)
	b &= 0x7fffffff
	switch {
	case b > 0x7f800000: // not a number: keep what fits of it, made quiet
		return sign | 0x7e00 | uint16(b>>13&0x3ff)
	case b >= 0x477ff000: // rounds to 2¹⁶, past the largest half
		return sign | 0x7c00
	case b < 0x38800000: // below 2⁻¹⁴: a multiple of 2⁻²⁴
		return sign | uint16(math.RoundToEven(float64(math.Float32frombits(b))*(1<<24)))
	}
	b += 0xfff + b>>13&1 // rounds the 13 bits that go
	return sign | uint16((b-0x38000000)>>13)
}

// single holds the value of every half, since plain Go has no instruction to
// convert one.
var single = func() (t [1 << 16]float32) {
	for i := range t {
		sign, e, m := uint32(i&0x8000)<<16, uint32(i>>10&31), uint32(i&0x3ff)
		switch {
		case e == 31:
			t[i] = math.Float32frombits(sign | 0x7f800000 | m<<13)
		case e > 0:
			t[i] = math.Float32frombits(sign | (e+112)<<23 | m<<13)
		default: // a multiple of 2⁻²⁴
			t[i] = math.Float32frombits(sign | math.Float32bits(float32(float32(m)/(1<<24))))
		}
	}
	return t
}()
