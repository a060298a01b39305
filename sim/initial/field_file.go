package initial

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"breakwater/sim/vec"
)

func init() {
	Fields.Add("file", "velocities at points, interpolated from the nearest", "Franke and Nielson 1980", func() Field { return &Points{Scale: 1} })
}

// Points is a field that is known at points. Read gives it these.
type Points struct {
	File  string  `toml:"file" doc:"CSV file with the columns x, y, z in m and vx, vy, vz in m/s, as a path from the folder of the scene file. A first line with these names may be missing."`
	Scale float64 `toml:"scale" unit:"1" doc:"Factor of the velocities."`

	list []point // as a tree: the middle of a part divides it along an axis
}

// point is a velocity at a place.
type point struct {
	x, v  vec.Vec3
	order int // in the file
}

// fileColumns are the columns of a file.
var fileColumns = []string{"x", "y", "z", "vx", "vy", "vz"}

// Read implements Filed.
func (p *Points) Read(r io.Reader) error {
	in := csv.NewReader(r)
	in.FieldsPerRecord, in.TrimLeadingSpace, in.ReuseRecord = -1, true, true
	p.list = nil
	for first := true; ; first = false {
		row, err := in.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		line, _ := in.FieldPos(0)
		if len(row) != len(fileColumns) {
			return fmt.Errorf("line %d has %d columns; expected six: x, y, z in m and vx, vy, vz in m/s", line, len(row))
		}
		var a [6]float64
		named := 0
		for k, text := range row {
			text = strings.TrimSpace(text)
			if a[k], err = strconv.ParseFloat(text, 64); err == nil && (math.IsNaN(a[k]) || math.Abs(a[k]) > mostInFile) {
				err = errors.New("is too large")
			}
			if err == nil {
				continue
			}
			if named++; first && strings.EqualFold(text, fileColumns[k]) {
				continue
			}
			return fmt.Errorf("line %d: %q in column %s is not a number up to %g; expected m or m/s", line, text, fileColumns[k], float64(mostInFile))
		}
		switch {
		case named == 0:
			p.list = append(p.list, point{vec.New(a[0], a[1], a[2]), vec.New(a[3], a[4], a[5]), len(p.list)})
		case named < len(row):
			return fmt.Errorf("line %d has names and numbers; expected either", line)
		}
	}
	if len(p.list) == 0 {
		return errors.New("has no points; expected lines of x, y, z, vx, vy, vz")
	}
	grow(p.list, 0)
	return nil
}

// mostInFile bounds the numbers of a file. Those of a scene are far below it.
const mostInFile = 1e9

// grow orders a part of the list into a tree: the middle lies between the others along an
// axis, which differs from level to level.
func grow(list []point, axis int) {
	if len(list) < 2 {
		return
	}
	slices.SortFunc(list, func(a, b point) int {
		switch x, y := a.x.Array()[axis], b.x.Array()[axis]; {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return a.order - b.order
	})
	mid := len(list) / 2
	grow(list[:mid], (axis+1)%3)
	grow(list[mid+1:], (axis+1)%3)
}

// near is a point with its squared distance from a place.
type near struct {
	d2 float64
	*point
}

// before reports whether n is the nearer one; of two as near, the first of the file.
func (n near) before(o near) bool { return n.d2 < o.d2 || n.d2 == o.d2 && n.order < o.order }

// nearest are the nearest points found, in order.
type nearest struct {
	list [interpolated + 1]near
	n    int
}

// interpolated is how many points a value is interpolated from.
const interpolated = 8

func (s *nearest) look(list []point, axis int, x vec.Vec3) {
	if len(list) == 0 {
		return
	}
	mid := len(list) / 2
	p := &list[mid]
	off := x.Sub(p.x)
	s.insert(near{off.Dot(off), p})
	side := off.Array()[axis]
	first, second := list[:mid], list[mid+1:]
	if side > 0 {
		first, second = second, first
	}
	s.look(first, (axis+1)%3, x)
	if s.n < len(s.list) || side*side <= s.list[s.n-1].d2 {
		s.look(second, (axis+1)%3, x)
	}
}

func (s *nearest) insert(p near) {
	if s.n == len(s.list) {
		if !p.before(s.list[s.n-1]) {
			return
		}
		s.n--
	}
	k := s.n
	for ; k > 0 && p.before(s.list[k-1]); k-- {
		s.list[k] = s.list[k-1]
	}
	s.list[k] = p
	s.n++
}

// At implements Field: the mean of the eight nearest points with the weights (1/d − 1/R)² of
// Franke and Nielson, Smooth interpolation of large sets of scattered data, Int. J. Numer.
// Methods Eng. 15, 1980. R is the distance of the ninth, so that the mean is continuous.
func (p *Points) At(x vec.Vec3) vec.Vec3 {
	var s nearest
	s.look(p.list, 0, x)
	if s.n == 0 {
		return vec.Vec3{}
	}
	if s.list[0].d2 == 0 {
		return s.list[0].v.Mul(p.Scale)
	}
	beyond := math.Inf(1)
	last := s.n
	if s.n == len(s.list) {
		last--
		beyond = math.Sqrt(s.list[last].d2)
	}
	var sum vec.Vec3
	all := 0.
	for _, q := range s.list[:last] {
		w := 1/math.Sqrt(q.d2) - 1/beyond
		w = float64(w * w)
		sum, all = sum.Add(q.v.Mul(w)), all+w
	}
	if all == 0 { // all of them as far
		return s.list[0].v.Mul(p.Scale)
	}
	return sum.Mul(p.Scale / all)
}
