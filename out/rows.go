package out

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync"

	"breakwater/out/particles"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// writeRows writes n rows of the given size in bytes, which row fills, from several
// goroutines and in any order.
func writeRows(w io.Writer, n, size int, row func(b []byte, i int) error) error {
	const page, together = 1 << 17, 32 // bytes, some 4 MB
	chunk := max(1, page/size)         // rows
	pages := rowPages.Get().(*rowMemory)
	defer rowPages.Put(pages)
	for from := 0; from < n; from += chunk * together {
		end := min(n, from+chunk*together)
		if need := (end - from) * size; need > len(pages.data) {
			pages.data = make([]byte, need)
		}
		data := pages.data[:(end-from)*size]
		var errs [together]error
		par.Each((end-from+chunk-1)/chunk, func(k int) {
			for i := from + k*chunk; i < min(end, from+(k+1)*chunk); i++ {
				if err := row(data[(i-from)*size:][:size:size], i); err != nil {
					errs[k] = err
					return
				}
			}
		})
		for _, err := range errs {
			if err != nil {
				return err
			}
		}
		if _, err := w.Write(data); err != nil {
			return err
		}
	}
	return nil
}

// rowPages keeps the memory of writeRows.
var rowPages = sync.Pool{New: func() any { return new(rowMemory) }}

type rowMemory struct{ data []byte }

// meshRows writes what a mesh has of each vertex, one quantity after the other,
// in little-endian float32 or float64.
type meshRows struct {
	size int // bytes of a row
	cols []rowColumn
}

// rowColumn is a quantity: one of the slices.
type rowColumn struct {
	vector []vec.Vec3
	scalar []float64
	number []uint32
	exact  bool // float64
	whole  bool // the scalars are written as int32
}

// columnOf returns the quantity that a field is.
func columnOf(f particles.Field) rowColumn {
	return rowColumn{vector: f.Vector, scalar: f.Scalar, whole: f.Whole && f.Vector == nil}
}

func (r *meshRows) add(vector []vec.Vec3, scalar []float64, exact bool) {
	c := rowColumn{vector: vector, scalar: scalar, exact: exact}
	r.cols = append(r.cols, c)
	r.size += c.size()
}

func (c *rowColumn) size() int {
	size := 4
	if c.exact {
		size = 8
	}
	if c.vector != nil {
		return 3 * size
	}
	return size
}

// write writes n rows.
func (r *meshRows) write(w io.Writer, n int) error {
	return writeRows(w, n, r.size, func(b []byte, i int) error {
		for k := range r.cols {
			c := &r.cols[k]
			size := c.size()
			if !c.put(b[:size], i) {
				return fmt.Errorf("vertex %d: a value is not finite", i)
			}
			b = b[size:]
		}
		return nil
	})
}

// put writes row i to b and reports whether all of it is finite there.
func (c *rowColumn) put(b []byte, i int) bool {
	switch {
	case c.number != nil:
		binary.LittleEndian.PutUint32(b, c.number[i])
		return true
	case c.whole:
		binary.LittleEndian.PutUint32(b, uint32(int32(c.scalar[i])))
		return true
	case c.vector == nil:
		f := float32(c.scalar[i])
		binary.LittleEndian.PutUint32(b, math.Float32bits(f))
		return f-f == 0
	case c.exact:
		v := c.vector[i]
		binary.LittleEndian.PutUint64(b, math.Float64bits(v.X))
		binary.LittleEndian.PutUint64(b[8:], math.Float64bits(v.Y))
		binary.LittleEndian.PutUint64(b[16:], math.Float64bits(v.Z))
		return v.Finite()
	}
	v := c.vector[i]
	x, y, z := float32(v.X), float32(v.Y), float32(v.Z)
	_ = b[11]
	binary.LittleEndian.PutUint32(b, math.Float32bits(x))
	binary.LittleEndian.PutUint32(b[4:], math.Float32bits(y))
	binary.LittleEndian.PutUint32(b[8:], math.Float32bits(z))
	s := x + y + z
	return s-s == 0 || x-x == 0 && y-y == 0 && z-z == 0
}

// fieldName returns the name of a field as files have it, of letters, digits
// and _, or an error if it is taken or the field is not of n values.
func fieldName(f particles.Field, n int, taken []string) (string, error) {
	name := strings.Map(func(c rune) rune {
		if c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' {
			return c
		}
		return '_'
	}, f.Name)
	if name == "" || slices.Contains(taken, name) {
		return "", fmt.Errorf("field %q: the name is invalid or already used", f.Name)
	}
	if len(f.Scalar)+len(f.Vector) != n {
		return "", fmt.Errorf("field %q has %d values for %d vertices", f.Name, len(f.Scalar)+len(f.Vector), n)
	}
	if f.Whole {
		if bad := lastOf(len(f.Scalar), func(i int) bool { return f.Scalar[i] != float64(int32(f.Scalar[i])) }); bad >= 0 {
			return "", fmt.Errorf("field %q: value %d is %g, which is not a whole number of 32 bits", f.Name, bad, f.Scalar[bad])
		}
	}
	return name, nil
}

// notFinite returns the last of v that has a part that is not finite as a float32, or −1.
func notFinite(v []vec.Vec3) int {
	return lastOf(len(v), func(i int) bool { return !v[i].Round().Finite() })
}

// notFiniteNumber is notFinite for numbers.
func notFiniteNumber(v []float64) int {
	return lastOf(len(v), func(i int) bool { f := float32(v[i]); return f-f != 0 })
}

// lastOf returns the last i < n that is bad, −1 if none is.
func lastOf(n int, bad func(i int) bool) int {
	return int(par.Max(n, -1, func(lo, hi int) float64 {
		worst := -1.
		for i := lo; i < hi; i++ {
			if bad(i) {
				worst = float64(i)
			}
		}
		return worst
	}))
}
