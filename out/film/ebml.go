package film

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
)

// Elements of EBML (RFC 8794) and Matroska (RFC 9559, section 5) that a film
// of ours is made of.
const (
	idEBML               = 0x1A45DFA3
	idEBMLVersion        = 0x4286
	idEBMLReadVersion    = 0x42F7
	idEBMLMaxIDLength    = 0x42F2
	idEBMLMaxSizeLength  = 0x42F3
	idDocType            = 0x4282
	idDocTypeVersion     = 0x4287
	idDocTypeReadVersion = 0x4285

	idSegment      = 0x18538067
	idSeekHead     = 0x114D9B74
	idSeek         = 0x4DBB
	idSeekID       = 0x53AB
	idSeekPosition = 0x53AC

	idInfo           = 0x1549A966
	idTimestampScale = 0x2AD7B1
	idDuration       = 0x4489
	idMuxingApp      = 0x4D80
	idWritingApp     = 0x5741

	idTracks             = 0x1654AE6B
	idTrackEntry         = 0xAE
	idTrackNumber        = 0xD7
	idTrackUID           = 0x73C5
	idTrackType          = 0x83
	idFlagLacing         = 0x9C
	idDefaultDuration    = 0x23E383
	idCodecID            = 0x86
	idVideo              = 0xE0
	idPixelWidth         = 0xB0
	idPixelHeight        = 0xBA
	idColour             = 0x55B0
	idMatrixCoefficients = 0x55B1
	idRange              = 0x55B9

	idTags      = 0x1254C367
	idTag       = 0x7373
	idTargets   = 0x63C0
	idSimpleTag = 0x67C8
	idTagName   = 0x45A3
	idTagString = 0x4487

	idCues               = 0x1C53BB6B
	idCuePoint           = 0xBB
	idCueTime            = 0xB3
	idCueTrackPositions  = 0xB7
	idCueTrack           = 0xF7
	idCueClusterPosition = 0xF1

	idCluster     = 0x1F43B675
	idTimestamp   = 0xE7
	idSimpleBlock = 0xA3
)

// element returns an element of EBML: identifier, size, and data.
func element(id uint32, data ...[]byte) []byte {
	n := 0
	for _, d := range data {
		n += len(d)
	}
	b := make([]byte, 0, n+12)
	b = append(appendID(b, id), size8(n)...)
	for _, d := range data {
		b = append(b, d...)
	}
	return b
}

// appendID appends an identifier, which carries its own length.
func appendID(b []byte, id uint32) []byte {
	for s := 8 * ((bits.Len32(id)+7)/8 - 1); s >= 0; s -= 8 {
		b = append(b, byte(id>>s))
	}
	return b
}

// size8 returns a size in the form of 8 bytes: with one length for all, where
// things come to lie does not depend on how long they are.
func size8(n int) []byte { return binary.BigEndian.AppendUint64(nil, 1<<56|uint64(n)) }

// uintElement returns an element that holds v in 8 bytes.
func uintElement(id uint32, v uint64) []byte {
	return element(id, binary.BigEndian.AppendUint64(nil, v))
}

func floatElement(id uint32, v float64) []byte { return uintElement(id, math.Float64bits(v)) }

func stringElement(id uint32, s string) []byte { return element(id, []byte(s)) }

// readElement reads the head of the element at byte at of r: its kind and the place of
// its data.
func readElement(r io.ReaderAt, at int64) (id uint32, lo, hi int64, err error) {
	var b [12]byte
	n, err := r.ReadAt(b[:], at)
	if n == 0 {
		return 0, 0, 0, err
	}
	idLen := bits.LeadingZeros8(b[0]) + 1
	if idLen > 4 {
		return 0, 0, 0, fmt.Errorf("no element at byte %d", at)
	}
	sizeLen := bits.LeadingZeros8(b[idLen]) + 1
	if sizeLen > 8 || idLen+sizeLen > n {
		return 0, 0, 0, fmt.Errorf("no element at byte %d", at)
	}
	for _, c := range b[:idLen] {
		id = id<<8 | uint32(c)
	}
	var size uint64
	for _, c := range b[idLen : idLen+sizeLen] {
		size = size<<8 | uint64(c)
	}
	size &^= 1 << (7 * sizeLen)
	if size == 1<<(7*sizeLen)-1 {
		return 0, 0, 0, errors.New("an element of unknown size")
	}
	lo = at + int64(idLen+sizeLen)
	return id, lo, lo + int64(size), nil
}

// findElement returns where the data of the first element with the given path
// of identifiers lies, among those at bytes [lo, hi) of r.
func findElement(r io.ReaderAt, lo, hi int64, path ...uint32) (int64, int64, bool) {
	for lo < hi {
		id, from, to, err := readElement(r, lo)
		if err != nil || to > hi {
			return 0, 0, false
		}
		if id == path[0] {
			if len(path) == 1 {
				return from, to, true
			}
			return findElement(r, from, to, path[1:]...)
		}
		lo = to
	}
	return 0, 0, false
}

// eachElement calls f for where the data of every element with the given path
// of identifiers lies, among those at bytes [lo, hi) of r.
func eachElement(r io.ReaderAt, lo, hi int64, f func(lo, hi int64), path ...uint32) {
	for lo < hi {
		id, from, to, err := readElement(r, lo)
		if err != nil || to > hi {
			return
		}
		switch {
		case id == path[0] && len(path) == 1:
			f(from, to)
		case id == path[0]:
			eachElement(r, from, to, f, path[1:]...)
		}
		lo = to
	}
}
