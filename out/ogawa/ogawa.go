// Package ogawa writes Ogawa, the container of Alembic files, and has the hashes
// that Alembic stores in it:
//
//	ogawa.go  groups and data
//	hash.go   MurmurHash3 and SpookyHash
package ogawa

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
)

// Ogawa is the container of Alembic files (Sony Pictures Imageworks and
// Industrial Light & Magic, lib/Alembic/Ogawa, 2013): a tree of groups, whose
// leaves are data. A node is named by where it is in the file,
//
//	data:  its size and its bytes
//	group: how many children it has, and their places
//
// all numbers being little-endian uint64. The file begins with a head of 16
// bytes, in which the place of the root group is written last, and a byte that
// says that it is whole.

// DataBit marks the position of data among positions of groups.
const DataBit = uint64(1) << 63

// The head of a file.
const (
	ogawaHead   = "Ogawa\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00"
	ogawaWhole  = 5 // place of the byte that is 0xff in a whole file
	ogawaRoot   = 8 // place of the place of the root group
	ogawaFrozen = 0xff
)

// Writer writes a file, children before their groups.
type Writer struct {
	f   io.WriteSeeker
	w   *bufio.Writer
	at  uint64
	Err error
}

// New starts a file.
func New(f io.WriteSeeker) *Writer {
	o := &Writer{f: f, w: bufio.NewWriterSize(f, 1<<16)}
	o.write([]byte(ogawaHead))
	return o
}

func (o *Writer) write(b []byte) {
	if o.Err == nil {
		_, o.Err = o.w.Write(b)
	}
	o.at += uint64(len(b))
}

func (o *Writer) uint64(v uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], v)
	o.write(b[:])
}

// Data writes a leaf of the parts' bytes and returns its position. Empty data has no
// leaf, but a special position.
func (o *Writer) Data(parts ...[]byte) uint64 {
	size := 0
	for _, p := range parts {
		size += len(p)
	}
	if size == 0 {
		return DataBit
	}
	at := o.at
	o.uint64(uint64(size))
	for _, p := range parts {
		o.write(p)
	}
	return at | DataBit
}

// Group writes a group and returns its place, 0 for one without children.
func (o *Writer) Group(children []uint64) uint64 {
	if len(children) == 0 {
		return 0
	}
	at := o.at
	o.uint64(uint64(len(children)))
	for _, c := range children {
		o.uint64(c)
	}
	return at
}

// Close ends the file, of which root is the place of the root group.
func (o *Writer) Close(root uint64) error {
	if o.Err == nil {
		o.Err = o.w.Flush()
	}
	for _, patch := range []struct {
		at   int64
		data []byte
	}{{ogawaRoot, binary.LittleEndian.AppendUint64(nil, root)}, {ogawaWhole, []byte{ogawaFrozen}}} {
		if o.Err == nil {
			_, o.Err = o.f.Seek(patch.at, io.SeekStart)
		}
		if o.Err == nil {
			_, o.Err = o.f.Write(patch.data)
		}
	}
	return o.Err
}

var errNot = errors.New("cut short, or not a file written by this program")

// RootData returns a leaf among the n children of the root group of a
// file of ours, where that group comes last.
func RootData(r io.ReaderAt, size int64, n, child int) ([]byte, error) {
	var head [16]byte
	if _, err := r.ReadAt(head[:], 0); err != nil {
		return nil, errNot
	}
	if string(head[:5]) != ogawaHead[:5] || head[ogawaWhole] != ogawaFrozen {
		return nil, errNot
	}
	root := int64(binary.LittleEndian.Uint64(head[ogawaRoot:]))
	if want := int64(8 + 8*n); root < 16 || root != size-want {
		return nil, errNot
	}
	group := make([]byte, 8+8*n)
	if _, err := r.ReadAt(group, root); err != nil || binary.LittleEndian.Uint64(group) != uint64(n) {
		return nil, errNot
	}
	place := binary.LittleEndian.Uint64(group[8+8*child:])
	at := int64(place &^ DataBit)
	if place&DataBit == 0 || at < 16 || at > root-8 {
		return nil, errNot
	}
	var length [8]byte
	if _, err := r.ReadAt(length[:], at); err != nil {
		return nil, errNot
	}
	if n := binary.LittleEndian.Uint64(length[:]); n > 1<<16 || int64(n) > root-at-8 {
		return nil, errNot
	} else {
		data := make([]byte, n)
		_, err := r.ReadAt(data, at+8)
		return data, err
	}
}
