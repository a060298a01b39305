package out

import (
	"encoding/binary"
	"math"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// numType is the type of a number in a file.
type numType uint8

// Whole numbers come first.
const (
	int8Type numType = iota
	uint8Type
	int16Type
	uint16Type
	int32Type
	uint32Type
	int64Type
	uint64Type
	float32Type
	float64Type
	float16Type
)

// size returns the bytes that a number has in binary files.
func (t numType) size() int { return [...]int{1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 2}[t] }

// A column gives the number of each row of a table.
type column func(i int) float64

// binaryColumn returns the numbers of a type in data, the first at its
// beginning, stride bytes apart.
func binaryColumn(data []byte, t numType, order binary.ByteOrder, stride int) column {
	switch {
	case t == float32Type && order == binary.LittleEndian: // a call less, for what most files have
		return func(i int) float64 {
			return float64(math.Float32frombits(binary.LittleEndian.Uint32(data[i*stride:])))
		}
	case t == float32Type && order == binary.BigEndian:
		return func(i int) float64 {
			return float64(math.Float32frombits(binary.BigEndian.Uint32(data[i*stride:])))
		}
	}
	switch t {
	case int8Type:
		return func(i int) float64 { return float64(int8(data[i*stride])) }
	case uint8Type:
		return func(i int) float64 { return float64(data[i*stride]) }
	case int16Type:
		return func(i int) float64 { return float64(int16(order.Uint16(data[i*stride:]))) }
	case uint16Type:
		return func(i int) float64 { return float64(order.Uint16(data[i*stride:])) }
	case int32Type:
		return func(i int) float64 { return float64(int32(order.Uint32(data[i*stride:]))) }
	case uint32Type:
		return func(i int) float64 { return float64(order.Uint32(data[i*stride:])) }
	case int64Type:
		return func(i int) float64 { return float64(int64(order.Uint64(data[i*stride:]))) }
	case uint64Type:
		return func(i int) float64 { return float64(order.Uint64(data[i*stride:])) }
	case float16Type:
		return func(i int) float64 { return halfFloat(order.Uint16(data[i*stride:])) }
	case float32Type:
		return func(i int) float64 { return float64(math.Float32frombits(order.Uint32(data[i*stride:]))) }
	}
	return func(i int) float64 { return math.Float64frombits(order.Uint64(data[i*stride:])) }
}

// halfFloat returns the number of the 16 bits of IEEE 754's binary16.
func halfFloat(b uint16) float64 {
	sign, exponent, fraction := 1-2*float64(b>>15), int(b>>10&0x1f), float64(b&0x3ff)
	switch exponent {
	case 0: // denormal
		return sign * math.Ldexp(fraction, -24)
	case 0x1f:
		if fraction != 0 {
			return math.NaN()
		}
		return math.Inf(int(sign))
	}
	return sign * math.Ldexp(fraction+0x400, exponent-25)
}

// textColumn returns the numbers of every stride-th place of v.
func textColumn(v []float64, first, stride int) column {
	return func(i int) float64 { return v[i*stride+first] }
}

// scalars returns the first n numbers of c.
func (c column) scalars(n int) []float64 {
	s := make([]float64, n)
	par.For(n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			s[i] = c(i)
		}
	})
	return s
}

// vectors returns the first n vectors with the parts c.
func vectors(c [3]column, n int) []vec.Vec3 {
	s := make([]vec.Vec3, n)
	par.For(n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			s[i] = vec.Vec3{X: c[0](i), Y: c[1](i), Z: c[2](i)}
		}
	})
	return s
}
