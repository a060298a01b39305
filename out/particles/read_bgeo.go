package particles

import (
	"encoding/binary"
	"errors"
	"fmt"

	"breakwater/out/numbers"
)

func init() {
	Readers.Add("bgeo", "Houdini's classic geometry, version 5, as Partio writes it, gzipped or plain",
		"Partio, Disney 2010–2021", func() Reader { return bgeoReader{} })
}

type bgeoReader struct{}

func (bgeoReader) Exts() []string { return []string{"bgeo", "bhclassic"} }

// The kinds of attributes in a file, by their numbers.
const (
	bgeoFloat  = 0
	bgeoInt    = 1
	bgeoString = 4 // an index into a list of strings
	bgeoVector = 5
)

// bgeoAttr is an attribute of the points.
type bgeoAttr struct {
	name        string
	kind, words int
	at          int // word in a point
}

// Read reads the points: all numbers are big-endian, in words of 4 bytes. A
// point has x, y, z and a weight, which is 1, and then its attributes.
func (bgeoReader) Read(data []byte, want func(string) bool) (*Cloud, error) {
	if len(data) < 5 || string(data[:5]) != "BgeoV" {
		return nil, errors.New("not a classic BGEO file: it does not begin with BgeoV; save it as .bhclassic from Houdini")
	}
	r := &bgeoHead{data: data[5:]}
	version, points := r.int(), r.int()
	for range 3 { // primitives, and groups of points and of primitives
		r.int()
	}
	attrs := r.int()
	for range 3 { // attributes of vertices, of primitives, and of all
		r.int()
	}
	if version != 5 {
		return nil, fmt.Errorf("version %d of BGEO, want 5", version)
	}
	words := 4
	var list []bgeoAttr
	for k := 0; k < attrs && !r.short; k++ {
		a := bgeoAttr{name: r.string(), words: r.uint16(), kind: r.int(), at: words}
		switch a.kind {
		case bgeoFloat, bgeoInt, bgeoVector:
			r.skip(4 * a.words) // the default
		case bgeoString:
			for i := r.int(); i > 0 && !r.short; i-- {
				r.string()
			}
		default:
			if !r.short {
				return nil, fmt.Errorf("attribute %.40q is of unknown kind %d", a.name, a.kind)
			}
		}
		words += a.words
		list = append(list, a)
	}
	if r.short {
		return nil, errors.New("cut short in the header")
	}
	size := 4 * words
	if points < 0 || points > len(r.data)/size {
		return nil, fmt.Errorf("cut short: %d of %d points", len(r.data)/size, points)
	}
	word := func(k int, t numbers.Type) numbers.Column {
		return numbers.BinaryColumn(r.data[min(len(r.data), 4*k):], t, binary.BigEndian, size)
	}
	p := &Cloud{X: numbers.Vectors([3]numbers.Column{word(0, numbers.Float32), word(1, numbers.Float32), word(2, numbers.Float32)}, points)}
	for _, a := range list {
		t := numbers.Float32
		if a.kind == bgeoInt {
			t = numbers.Int32
		}
		switch {
		case a.kind == bgeoString:
		case a.words == 1:
			p.add(a.name, want, func() Field { return Field{Scalar: word(a.at, t).Scalars(points)} })
		case a.words == 3:
			p.add(a.name, want, func() Field {
				return Field{Vector: numbers.Vectors([3]numbers.Column{word(a.at, t), word(a.at+1, t), word(a.at+2, t)}, points)}
			})
		}
	}
	return p, nil
}

// bgeoHead reads the head of a file. After its end all is 0, and short is set.
type bgeoHead struct {
	data  []byte
	short bool
}

func (r *bgeoHead) skip(n int) []byte {
	if n < 0 || n > len(r.data) {
		r.short, r.data = true, nil
		return nil
	}
	b := r.data[:n]
	r.data = r.data[n:]
	return b
}

func (r *bgeoHead) int() int {
	if b := r.skip(4); b != nil {
		return int(int32(binary.BigEndian.Uint32(b)))
	}
	return 0
}

func (r *bgeoHead) uint16() int {
	if b := r.skip(2); b != nil {
		return int(binary.BigEndian.Uint16(b))
	}
	return 0
}

func (r *bgeoHead) string() string { return string(r.skip(r.uint16())) }
