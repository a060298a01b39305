package vdb

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/bits"
	"slices"

	"breakwater/out/numbers"
)

// What a node says of its inactive values (openvdb/io/Compression.h). They are the
// background where it says nothing.
const (
	offMinus     = 1 // minus the background
	offOne       = 2 // one value, which follows
	offMixed     = 3 // the background and minus that, by a mask
	offMixedOne  = 4 // the background and one value, by a mask
	offTwo       = 5 // two values, by a mask
	offAll       = 6 // none is left out
	offForms     = 7
	halfSize     = 2
	floatSize    = 4
	mostUnpacked = 3 * floatSize << 15 // bytes of the values of the largest node
)

func onesCount(m uint64) int { return bits.OnesCount64(m) }

// size returns the bytes of a number in the file.
func (t *tree) size() int {
	if t.grid.saved16 || t.grid.all16 {
		return halfSize
	}
	return floatSize
}

// numbers reads n values of a node with the given mask of active ones. They are valid until
// the next call.
func (t *tree) numbers(n int, active []uint64) []float32 {
	w := t.grid.Width
	form := byte(offAll)
	if t.masked {
		if form = t.byte(); form >= offForms {
			t.fail("unknown form %d of inactive values; the file is damaged", form)
		}
	}
	// Where the mask is set, voxels have the second value.
	off := [2][3]float32{t.grid.Background, t.grid.Background}
	if form == offMinus || form == offMixed {
		for k := range off[0] {
			off[0][k] = -off[0][k]
		}
	}
	if form == offOne || form == offMixedOne || form == offTwo {
		off[0] = t.value()
	}
	if form == offTwo {
		off[1] = t.value()
	}
	second := []uint64(nil)
	if form == offMixed || form == offMixedOne || form == offTwo {
		second = t.mask(n)
	}
	stored := n
	left := t.masked && t.grid.packing&packedMask != 0 && form != offAll
	if left {
		stored = 0
		for _, m := range active {
			stored += onesCount(m)
		}
	}
	var b []byte
	if stored > 0 || !t.grid.saved16 { // of no halves, there is not even the length
		b = t.plainBytes(stored * w * t.size())
	}
	if t.err != nil {
		return nil
	}
	t.values = slices.Grow(t.values[:0], n*w)[:n*w]
	next := 0
	for i := range n {
		v := t.values[w*i : w*i+w]
		if left && !has(active, i) {
			k := 0
			if second != nil && has(second, i) {
				k = 1
			}
			copy(v, off[k][:w])
			continue
		}
		for k := range v {
			if t.size() == halfSize {
				v[k] = float32(numbers.Half(binary.LittleEndian.Uint16(b[halfSize*next:])))
			} else {
				v[k] = math.Float32frombits(binary.LittleEndian.Uint32(b[floatSize*next:]))
			}
			next++
		}
	}
	return t.values
}

// plainBytes reads bytes that may be compressed, n without compression. They are valid
// until the next call.
func (t *tree) plainBytes(n int) []byte {
	if n > mostUnpacked {
		t.fail("a node of %d bytes", n)
	}
	if t.grid.packing&(packedZip|packedBlosc) == 0 {
		return t.bytes(int64(n))
	}
	at := t.at
	size := t.i64()
	if size <= 0 { // compression would have made it longer
		if -size != int64(n) {
			t.fail("%d bytes of values, expected %d; the file is damaged", -size, n)
		}
		return t.bytes(int64(n))
	}
	t.packed = append(t.packed[:0], t.bytes(size)...)
	if t.err != nil {
		return nil
	}
	t.plain = slices.Grow(t.plain[:0], n)[:n]
	var err error
	if t.grid.packing&packedBlosc != 0 {
		err = unblosc(t.plain, t.packed)
	} else {
		err = unzip(t.plain, t.packed)
	}
	if err != nil {
		t.reader.at = at
		t.fail("%v", err)
		return nil
	}
	return t.plain
}

// unzip fills dst from a stream of zlib.
func unzip(dst, src []byte) error {
	z, err := zlib.NewReader(bytes.NewReader(src))
	if err == nil {
		_, err = io.ReadFull(z, dst)
	}
	if err != nil {
		return fmt.Errorf("the compressed values are damaged (%w); write the file again", err)
	}
	return nil
}
