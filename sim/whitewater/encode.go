package whitewater

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// magic begins the bytes of a state. The last byte is the version of the format.
const magic = "BWWATER\x02"

// The bytes of a state are little-endian:
//
//	magic       8 bytes
//	time        float64, s
//	steps       uint64
//	next id     uint64
//	base        uint64  the smallest id of a parcel
//	budget      8 × float64, in the order of Budget
//	peaks       3 × float64, of the source ihmsen: see State
//	parcels     uint32, their number n
//	marks       uint32, their number m
//	x y z       n × 3 float32
//	vx vy vz    n × 3 float16
//	r           n × float32
//	count       n × float32
//	age         n × uint16, in steps of 0.1 ms
//	id − base   n × uint32
//	kind        n × uint8
//	marks       m × (uint32 id, uint16 cover, uint8 airborne), by id
const (
	headBytes   = len(magic) + 8*4 + 8*8 + 8*potentials + 4*2
	parcelBytes = 12 + 6 + 4 + 4 + 2 + 4 + 1
	markBytes   = 7

	// ParcelBytes is the number of bytes that a parcel takes in a file.
	ParcelBytes = parcelBytes
)

// Bytes returns how many bytes Append adds.
func (s *State) Bytes() int { return headBytes + s.Parcels.Len()*parcelBytes + len(s.marks)*markBytes }

// Append appends the bytes of the state to dst. It fails if the numbers of the parcels
// are too far apart.
func (s *State) Append(dst []byte) ([]byte, error) {
	p := &s.Parcels
	base := s.nextID
	for _, id := range p.ID {
		base = min(base, id)
	}
	for _, id := range p.ID {
		if id-base > math.MaxUint32 {
			return nil, fmt.Errorf("whitewater: the parcels %d and %d are too far apart for a file", base, id)
		}
	}
	le := binary.LittleEndian
	b := slices.Grow(dst, s.Bytes())
	b = append(b, magic...)
	b = le.AppendUint64(b, math.Float64bits(s.Time))
	b = le.AppendUint64(b, s.Steps)
	b = le.AppendUint64(b, s.nextID)
	b = le.AppendUint64(b, base)
	for _, v := range s.Budget.fields() {
		b = le.AppendUint64(b, math.Float64bits(*v))
	}
	for _, v := range s.peaks {
		b = le.AppendUint64(b, math.Float64bits(v))
	}
	b = le.AppendUint32(b, uint32(p.Len()))
	b = le.AppendUint32(b, uint32(len(s.marks)))
	for _, x := range p.X {
		for _, v := range x {
			b = le.AppendUint32(b, math.Float32bits(v))
		}
	}
	for _, x := range p.V {
		for _, v := range x {
			b = le.AppendUint16(b, toHalf(v))
		}
	}
	for _, list := range [][]float32{p.R, p.N} {
		for _, v := range list {
			b = le.AppendUint32(b, math.Float32bits(v))
		}
	}
	for _, v := range p.Age {
		b = le.AppendUint16(b, ageSteps(v))
	}
	for _, id := range p.ID {
		b = le.AppendUint32(b, uint32(id-base))
	}
	for _, k := range p.Kind {
		b = append(b, byte(k))
	}
	for _, m := range s.marks {
		b = le.AppendUint32(b, m.id)
		b = le.AppendUint16(b, m.cover)
		b = append(b, airborneByte(m.airborne))
	}
	return b, nil
}

func airborneByte(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// fields returns the volumes in the order of the file.
func (b *Budget) fields() []*float64 {
	return []*float64{&b.Entrained, &b.Burst, &b.AirOut, &b.Sprayed, &b.Landed, &b.Clung, &b.Evaporated, &b.SprayOut}
}

var errCut = errors.New("whitewater: the state is cut short, or has bytes after its end")

// ReadState returns the state that Append wrote. It fails on bytes that Append does not write.
func ReadState(b []byte) (*State, error) {
	if len(b) < headBytes || string(b[:len(magic)]) != magic {
		return nil, errors.New("whitewater: not a state of whitewater, or one of another version")
	}
	s := &State{}
	le := binary.LittleEndian
	at := len(magic)
	u64 := func() uint64 { at += 8; return le.Uint64(b[at-8:]) }
	u32 := func() uint32 { at += 4; return le.Uint32(b[at-4:]) }
	u16 := func() uint16 { at += 2; return le.Uint16(b[at-2:]) }
	f32 := func() float32 { return math.Float32frombits(u32()) }
	s.Time, s.Steps, s.nextID = math.Float64frombits(u64()), u64(), u64()
	base := u64()
	if !finite(s.Time) {
		return nil, fmt.Errorf("whitewater: the time %g s is not finite", s.Time)
	}
	for _, v := range s.Budget.fields() {
		if *v = math.Float64frombits(u64()); !finite(*v) || *v < 0 {
			return nil, fmt.Errorf("whitewater: a volume of the budget is %g m³", *v)
		}
	}
	for k := range s.peaks {
		if s.peaks[k] = math.Float64frombits(u64()); !finite(s.peaks[k]) || s.peaks[k] < 0 {
			return nil, fmt.Errorf("whitewater: the sum of a potential is %g", s.peaks[k])
		}
	}
	n, m := int(u32()), int(u32())
	if uint64(len(b)-headBytes) != uint64(n)*parcelBytes+uint64(m)*markBytes {
		return nil, errCut
	}
	p := &s.Parcels
	p.X, p.V = make([][3]float32, n), make([][3]float32, n)
	p.R, p.N, p.Age = make([]float32, n), make([]float32, n), make([]float32, n)
	p.ID, p.Kind = make([]uint64, n), make([]Status, n)
	for i := range p.X {
		for k := range p.X[i] {
			p.X[i][k] = f32()
		}
	}
	for i := range p.V {
		for k := range p.V[i] {
			p.V[i][k] = fromHalf(u16())
		}
	}
	for _, list := range [][]float32{p.R, p.N} {
		for i := range list {
			list[i] = f32()
		}
	}
	for i := range p.Age {
		p.Age[i] = ageOf(u16())
	}
	for i := range p.ID {
		p.ID[i] = base + uint64(u32())
	}
	for i := range p.Kind {
		p.Kind[i] = Status(b[at])
		at++
		x, v := p.At(i), p.Velocity(i)
		switch {
		case !x.Finite() || !v.Finite():
			return nil, fmt.Errorf("whitewater: parcel %d at %v m with velocity %v m/s: both must be finite", p.ID[i], x, v)
		case !(p.R[i] > 0) || !(p.N[i] > 0) || !finite(p.Volume(i)):
			return nil, fmt.Errorf("whitewater: parcel %d is %g drops or bubbles with a radius of %g m", p.ID[i], p.N[i], p.R[i])
		case p.Kind[i].fate() != alive:
			return nil, fmt.Errorf("whitewater: parcel %d has the status %d", p.ID[i], p.Kind[i])
		case p.ID[i] < base || p.ID[i] >= s.nextID:
			return nil, fmt.Errorf("whitewater: parcel %d is not below the next, %d", p.ID[i], s.nextID)
		}
	}
	s.marks = make([]mark, m)
	for i := range s.marks {
		k := mark{id: u32(), cover: u16(), airborne: b[at] == 1}
		if b[at] > 1 || i > 0 && k.id <= s.marks[i-1].id {
			return nil, fmt.Errorf("whitewater: the mark of particle %d is damaged", k.id)
		}
		at++
		s.marks[i] = k
	}
	return s, nil
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// ageStep is the unit of ages, s.
const ageStep = 1e-4

// ageSteps returns an age in steps; an age above 6.5 s is no longer counted.
func ageSteps(age float32) uint16 {
	return uint16(min(max(math.RoundToEven(float64(age)/ageStep), 0), math.MaxUint16))
}

func ageOf(steps uint16) float32 { return float32(float64(steps) * ageStep) }

// toHalf returns the bits of the half-precision number nearest to x, to even; the largest
// one for all beyond.
func toHalf(x float32) uint16 {
	b := math.Float32bits(x)
	sign, a := uint16(b>>16&0x8000), b&0x7fffffff
	switch {
	case a >= 0x477ff000: // 65520 and above
		return sign | 0x7bff
	case a < 0x38800000: // below 2^-14: steps of 2^-24
		return sign | uint16(math.RoundToEven(float64(math.Float32frombits(a))*(1<<24)))
	}
	a += 0xfff + a>>13&1 // round to even
	return sign | uint16(a>>13-(127-15)<<10)
}

// fromHalf returns the half-precision number of the given bits; the bits of infinity and of
// NaN give numbers beyond 65504.
func fromHalf(h uint16) float32 {
	e, m := h>>10&31, h&0x3ff
	x := float32(m) * (1. / (1 << 24))
	if e > 0 {
		x = math.Float32frombits((uint32(e)+127-15)<<23 | uint32(m)<<13)
	}
	if h&0x8000 != 0 {
		return -x
	}
	return x
}
