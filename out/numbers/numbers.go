// Package numbers reads numbers from files, many at a time:
//
//	numbers.go  columns of binary numbers of any type and byte order
//	parse.go    one number of a text
//	text.go     all numbers of a text, in parallel, with the line of a fault
package numbers

import (
	"encoding/binary"
	"math"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// Type is the type of a number in a file.
type Type uint8

// Whole numbers come first.
const (
	Int8 Type = iota
	Uint8
	Int16
	Uint16
	Int32
	Uint32
	Int64
	Uint64
	Float32
	Float64
	Float16
)

// Size returns the bytes that a number has in binary files.
func (t Type) Size() int { return [...]int{1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 2}[t] }

// A column gives the number of each row of a table.
type Column func(i int) float64

// BinaryColumn returns the numbers of a type in data, the first at its
// beginning, stride bytes apart.
func BinaryColumn(data []byte, t Type, order binary.ByteOrder, stride int) Column {
	switch {
	case t == Float32 && order == binary.LittleEndian: // a call less, for what most files have
		return func(i int) float64 {
			return float64(math.Float32frombits(binary.LittleEndian.Uint32(data[i*stride:])))
		}
	case t == Float32 && order == binary.BigEndian:
		return func(i int) float64 {
			return float64(math.Float32frombits(binary.BigEndian.Uint32(data[i*stride:])))
		}
	}
	switch t {
	case Int8:
		return func(i int) float64 { return float64(int8(data[i*stride])) }
	case Uint8:
		return func(i int) float64 { return float64(data[i*stride]) }
	case Int16:
		return func(i int) float64 { return float64(int16(order.Uint16(data[i*stride:]))) }
	case Uint16:
		return func(i int) float64 { return float64(order.Uint16(data[i*stride:])) }
	case Int32:
		return func(i int) float64 { return float64(int32(order.Uint32(data[i*stride:]))) }
	case Uint32:
		return func(i int) float64 { return float64(order.Uint32(data[i*stride:])) }
	case Int64:
		return func(i int) float64 { return float64(int64(order.Uint64(data[i*stride:]))) }
	case Uint64:
		return func(i int) float64 { return float64(order.Uint64(data[i*stride:])) }
	case Float16:
		return func(i int) float64 { return Half(order.Uint16(data[i*stride:])) }
	case Float32:
		return func(i int) float64 { return float64(math.Float32frombits(order.Uint32(data[i*stride:]))) }
	}
	return func(i int) float64 { return math.Float64frombits(order.Uint64(data[i*stride:])) }
}

// Half returns the number of the 16 bits of IEEE 754's binary16.
func Half(b uint16) float64 {
	sign, exponent, fraction := 1-float64(2*float64(b>>15)), int(b>>10&0x1f), float64(b&0x3ff)
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

// ToHalf returns the binary16 nearest to a finite number, even if two are: the largest
// one, 65504, for greater numbers.
func ToHalf(v float32) uint16 {
	bits := math.Float32bits(v)
	sign, size := uint16(bits>>16&0x8000), bits&^(1<<31)
	// Rounding keeps drop of the fraction's bits and makes a carry part of the exponent.
	round := func(n uint32, drop uint) uint32 { return (n + 1<<(drop-1) - 1 + n>>drop&1) >> drop }
	const least, most = (127 - 14) << 23, (127 + 16) << 23 // 2⁻¹⁴, the least normal number, and 2¹⁶
	switch {
	case size < least-11<<23: // less than half the least denormal
		return sign
	case size < least:
		shift := uint(least>>23 - size>>23 + 13)
		return sign | uint16(round(size&(1<<23-1)|1<<23, shift))
	case size >= most:
		return sign | 0x7bff
	}
	return sign | uint16(min(0x7bff, round(size-(127-15)<<23, 13)))
}

// TextColumn returns the numbers of every stride-th place of v.
func TextColumn(v []float64, first, stride int) Column {
	return func(i int) float64 { return v[i*stride+first] }
}

// Scalars returns the first n numbers of c.
func (c Column) Scalars(n int) []float64 {
	s := make([]float64, n)
	par.For(n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			s[i] = c(i)
		}
	})
	return s
}

// Vectors returns the first n vectors with the parts c.
func Vectors(c [3]Column, n int) []vec.Vec3 {
	s := make([]vec.Vec3, n)
	par.For(n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			s[i] = vec.Vec3{X: c[0](i), Y: c[1](i), Z: c[2](i)}
		}
	})
	return s
}
