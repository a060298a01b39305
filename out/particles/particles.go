// Package particles reads the particle files of other programs:
//
//	particles.go   what a file holds; the readers, found by the end of its name
//	read_bgeo.go   Partio and Houdini
//	read_numpy.go  NumPy arrays, one or several in a file
//	read_ply.go    PLY
//	read_text.go   CSV and XYZ
//	read_vtk.go    legacy VTK
//	read_vtu.go    VTK's XML formats
package particles

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"breakwater/out/numbers"
	"breakwater/out/store"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

// Cloud is the content of a particle file of any program.
type Cloud struct {
	X      []vec.Vec3 // positions, in the file's unit
	Fields []Field    // what was asked for, in the file's order
	Names  []string   // of all the fields in the file
}

// Field is a quantity of each particle, or of each vertex of a mesh: a number
// or a vector, as one of the two slices holds.
type Field struct {
	Name   string
	Scalar []float64
	Vector []vec.Vec3
	Whole  bool // the scalars are whole numbers, which formats of particles and archives write as int32
	Length bool // the values are lengths, which change with the unit of the axes
}

// add notes that the file has a field, and reads it if it is wanted.
func (p *Cloud) add(name string, want func(string) bool, read func() Field) {
	if slices.Contains(p.Names, name) {
		return
	}
	p.Names = append(p.Names, name)
	if want(name) {
		f := read()
		f.Name = name
		p.Fields = append(p.Fields, f)
	}
}

// Reader reads the particle files of other programs, of one format.
type Reader interface {
	// Exts returns the ends of the files' names, without the dot.
	Exts() []string
	// Read returns the particles in data, a whole file, with those fields
	// whose names are wanted. Positions and fields are finite or not, as the
	// file has them. It needs memory in proportion to the file, whatever the
	// file claims.
	Read(data []byte, want func(name string) bool) (*Cloud, error)
}

// Readers are the known formats of particle files.
var Readers = registry.Set[Reader]{Kind: "particle format"}

// Exts returns the ends of the names of files that Read
// reads, without the dot.
func Exts() []string {
	var list []string
	for _, r := range Readers.Defaults() {
		list = append(list, r.Exts()...)
	}
	slices.Sort(list)
	return list
}

// Ext returns the end of name that says its format, without the dot
// and without ".gz".
func Ext(name string) string {
	name = strings.ToLower(filepath.Base(name))
	name = strings.TrimSuffix(name, ".gz")
	return strings.TrimPrefix(filepath.Ext(name), ".")
}

// Read reads data, a whole file, by the format that its name ends in,
// with ".gz" or without. A nil want is for all fields.
func Read(name string, data []byte, want func(field string) bool) (*Cloud, error) {
	if want == nil {
		want = func(string) bool { return true }
	}
	ext := Ext(name)
	for e, r := range Readers.Defaults() {
		if !slices.Contains(r.Exts(), ext) {
			continue
		}
		if bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
			plain, err := store.Gunzip(bytes.NewReader(data))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", e.Name, err)
			}
			data = plain
		}
		p, err := r.Read(data, want)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name, err)
		}
		return p, nil
	}
	return nil, fmt.Errorf("%q is not a particle format that can be read; expected one of .%s", "."+ext, strings.Join(Exts(), ", ."))
}

// VelocityName reports whether a field is called as velocities are.
func VelocityName(name string) bool {
	return slices.Contains([]string{"velocity", "velocities", "v", "vel"}, strings.ToLower(name))
}

// misfit returns an error if a velocity is wanted that does not have a vector for each
// point. The particles would otherwise be at rest, and nobody would know.
func misfit(name string, rows, width, points int, want func(string) bool) error {
	if !VelocityName(name) || !want(name) {
		return nil
	}
	return fmt.Errorf("%q has %d rows of %d numbers for %d particles; expected a row of 3 for each", name, rows, width, points)
}

// table is a table with a row a particle, whose columns have names, as PLY,
// CSV and NumPy's records have it.
type table struct {
	rows  int
	names []string
	cols  []numbers.Column
}

// particles takes the columns that belong together for vectors: x, y and z;
// vx, vy and vz; velocity_x and so on, or velocity:0 and so on, in any case.
// Those with names of positions must be there.
func (t *table) particles(want func(string) bool) (*Cloud, error) {
	p := &Cloud{}
	used := make([]bool, len(t.cols))
	type triple struct {
		name string
		cols [3]numbers.Column
		at   int
	}
	var triples []triple
	for i, name := range t.names {
		stem, axis := splitAxis(name)
		if axis != 0 || used[i] {
			continue
		}
		parts := [3]int{i, -1, -1}
		for k, other := range t.names {
			if s, a := splitAxis(other); s == stem && a > 0 && parts[a] < 0 && !used[k] && axisKind(other) == axisKind(name) {
				parts[a] = k
			}
		}
		if parts[1] < 0 || parts[2] < 0 {
			continue
		}
		tr := triple{name: stem, at: i}
		for a, k := range parts {
			used[k], tr.cols[a] = true, t.cols[k]
		}
		triples = append(triples, tr)
	}
	for i, tr := range triples {
		if positionStem(tr.name) {
			p.X = numbers.Vectors(tr.cols, t.rows)
			triples = slices.Delete(triples, i, i+1)
			break
		}
	}
	if p.X == nil {
		return nil, fmt.Errorf("no positions: no columns x, y, z among %.200s", strings.Join(t.names, ", "))
	}
	for i, name := range t.names {
		if !used[i] {
			p.add(name, want, func() Field { return Field{Scalar: t.cols[i].Scalars(t.rows)} })
			continue
		}
		for _, tr := range triples {
			if tr.at == i {
				p.add(vectorName(tr.name), want, func() Field { return Field{Vector: numbers.Vectors(tr.cols, t.rows)} })
			}
		}
	}
	return p, nil
}

// splitAxis returns the name of a vector and the axis, from 0, that a column of the
// given name is a part of, or axis −1.
func splitAxis(name string) (stem string, axis int) {
	s := strings.TrimSuffix(name, "]")
	if s == "" {
		return name, -1
	}
	last := s[len(s)-1]
	stem = strings.TrimRight(s[:len(s)-1], "_:.,[ ")
	if axis = strings.IndexByte("xyz", last|0x20); axis >= 0 {
		return stem, axis
	}
	if axis = strings.IndexByte("012", last); axis >= 0 && stem != s[:len(s)-1] {
		return stem, axis
	}
	return name, -1
}

// axisKind distinguishes x, X and 0, so that columns x, X, y and z make one vector.
func axisKind(name string) byte {
	s := strings.TrimSuffix(name, "]")
	return s[len(s)-1] & 0x60
}

// positionStem reports whether x, y and z after stem are positions.
func positionStem(stem string) bool {
	return slices.Contains([]string{"", "p", "pos", "position", "positions", "point", "points", "coord", "coords", "coordinates"}, strings.ToLower(stem))
}

// vectorName returns the usual name of the vector whose parts have the names
// stem and x, y, z.
func vectorName(stem string) string {
	switch strings.ToLower(stem) {
	case "v", "vel":
		return "velocity"
	case "n":
		return "normal"
	}
	return stem
}
