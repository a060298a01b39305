package ogawa

import (
	"encoding/binary"
	"math/bits"
)

// Digest is a hash of 128 bits, low half first.
type Digest [2]uint64

// Bytes returns the digest as Alembic files hold it, in little-endian order.
func (d Digest) Bytes() []byte {
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, d[0]), d[1])
}

// Murmur3 returns the MurmurHash3_x64_128 of data with the seed 0 (Appleby,
// 2011, in the public domain), by which Alembic knows equal samples.
func Murmur3(data []byte) Digest {
	const c1, c2 = 0x87c37b91114253d5, 0x4cf5ad432745937f
	one := func(k uint64) uint64 { return bits.RotateLeft64(k*c1, 31) * c2 }
	two := func(k uint64) uint64 { return bits.RotateLeft64(k*c2, 33) * c1 }
	var h1, h2 uint64
	n := uint64(len(data))
	for ; len(data) >= 16; data = data[16:] {
		h1 ^= one(binary.LittleEndian.Uint64(data))
		h1 = (bits.RotateLeft64(h1, 27)+h2)*5 + 0x52dce729
		h2 ^= two(binary.LittleEndian.Uint64(data[8:]))
		h2 = (bits.RotateLeft64(h2, 31)+h1)*5 + 0x38495ab5
	}
	var tail [16]byte
	copy(tail[:], data)
	h2 ^= two(binary.LittleEndian.Uint64(tail[8:]))
	h1 ^= one(binary.LittleEndian.Uint64(tail[:]))
	mix := func(h uint64) uint64 {
		h = (h ^ h>>33) * 0xff51afd7ed558ccd
		h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
		return h ^ h>>33
	}
	h1, h2 = h1^n, h2^n
	h1 += h2
	h2 += h1
	h1, h2 = mix(h1), mix(h2)
	h1 += h2
	return Digest{h1, h2 + h1}
}

// spookyConst fills what of the state a seed does not.
const spookyConst = 0xdeadbeefdeadbeef

// Spooky returns the SpookyHash V2 of data with the seeds 0 (Jenkins, 2012, in
// the public domain), of which Alembic makes the hashes of properties and
// objects.
func Spooky(data []byte) Digest {
	const block = 96
	if len(data) < 2*block {
		return spookyShort(data)
	}
	var h [12]uint64
	h[2], h[5], h[8], h[11] = spookyConst, spookyConst, spookyConst, spookyConst
	turns := [12]int{11, 32, 43, 31, 17, 28, 39, 57, 55, 54, 22, 46}
	for ; len(data) >= block; data = data[block:] {
		for i := range h {
			h[i] += binary.LittleEndian.Uint64(data[8*i:])
			h[(i+2)%12] ^= h[(i+10)%12]
			h[(i+11)%12] ^= h[i]
			h[i] = bits.RotateLeft64(h[i], turns[i])
			h[(i+11)%12] += h[(i+1)%12]
		}
	}
	var last [block]byte
	copy(last[:], data)
	last[block-1] = byte(len(data))
	for i := range h {
		h[i] += binary.LittleEndian.Uint64(last[8*i:])
	}
	ends := [12]int{44, 15, 34, 21, 38, 33, 10, 13, 38, 53, 42, 54}
	for range 3 {
		for i := range h {
			a, b, c := (i+11)%12, (i+1)%12, (i+2)%12
			h[a] += h[b]
			h[c] ^= h[a]
			h[b] = bits.RotateLeft64(h[b], ends[i])
		}
	}
	return Digest{h[0], h[1]}
}

// spookyShort is spooky for less than 192 bytes.
func spookyShort(data []byte) Digest {
	n := uint64(len(data))
	h := [4]uint64{0, 0, spookyConst, spookyConst}
	for ; len(data) >= 32; data = data[32:] {
		h[2] += binary.LittleEndian.Uint64(data)
		h[3] += binary.LittleEndian.Uint64(data[8:])
		spookyMix(&h)
		h[0] += binary.LittleEndian.Uint64(data[16:])
		h[1] += binary.LittleEndian.Uint64(data[24:])
	}
	if len(data) >= 16 {
		h[2] += binary.LittleEndian.Uint64(data)
		h[3] += binary.LittleEndian.Uint64(data[8:])
		spookyMix(&h)
		data = data[16:]
	}
	h[3] += n << 56
	if len(data) == 0 {
		h[2] += spookyConst
		h[3] += spookyConst
	} else {
		var tail [16]byte
		copy(tail[:], data)
		h[2] += binary.LittleEndian.Uint64(tail[:])
		h[3] += binary.LittleEndian.Uint64(tail[8:])
	}
	return Digest{h[0], h[1]}.End(Digest{h[2], h[3]})
}

func spookyMix(h *[4]uint64) {
	for i, turn := range [12]int{50, 52, 30, 41, 54, 48, 38, 37, 62, 34, 5, 36} {
		a, b, c := (i+2)%4, (i+3)%4, i%4
		h[a] = bits.RotateLeft64(h[a], turn) + h[b]
		h[c] ^= h[a]
	}
}

// End mixes e into d: SpookyHash's ShortEnd.
func (d Digest) End(e Digest) Digest {
	h := [4]uint64{d[0], d[1], e[0], e[1]}
	for i, turn := range [11]int{15, 52, 26, 51, 28, 9, 47, 54, 32, 25, 63} {
		a, b := (i+3)%4, (i+2)%4
		h[a] ^= h[b]
		h[b] = bits.RotateLeft64(h[b], turn)
		h[a] += h[b]
	}
	return Digest{h[0], h[1]}
}
