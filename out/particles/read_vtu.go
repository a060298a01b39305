package particles

import (
	"errors"
	"fmt"

	"breakwater/out/numbers"
	"breakwater/out/vtk"
)

func init() {
	Readers.Add("vtu", "the points of VTK's XML files .vtu and .vtp: text, base64 or appended, plain or compressed by zlib",
		"Kitware, VTK File Formats, 1993–2023", func() Reader { return vtuReader{} })
}

type vtuReader struct{}

func (vtuReader) Exts() []string { return []string{"vtu", "vtp"} }

func (vtuReader) Read(data []byte, want func(string) bool) (*Cloud, error) {
	v, err := vtk.Read(data, nil)
	if err != nil {
		return nil, err
	}
	if len(v.Pieces) == 0 {
		return nil, errors.New("it has no Piece; a file that only names other files has no particles")
	}
	var all *Cloud
	for i := range v.Pieces {
		p, err := FromVTK(v, &v.Pieces[i], want)
		if err != nil {
			return nil, fmt.Errorf("piece %d: %w", i, err)
		}
		if all == nil {
			all = p
			continue
		}
		if err := all.join(p); err != nil {
			return nil, fmt.Errorf("piece %d: %w", i, err)
		}
	}
	return all, nil
}

// FromVTK returns the points of a piece.
func FromVTK(v *vtk.File, p *vtk.Piece, want func(string) bool) (*Cloud, error) {
	all := &Cloud{}
	found := p.Points == 0
	for i := range p.Arrays {
		a := &p.Arrays[i]
		switch {
		case a.Section == "Points" && a.Width == 3:
			cols, err := v.Array(a, p.Points)
			if err != nil {
				return nil, err
			}
			all.X, found = numbers.Vectors([3]numbers.Column(cols), p.Points), true
		case a.Section == "PointData" && (a.Width == 1 || a.Width == 3) && a.Known:
			var failed error
			all.add(a.Name, want, func() Field {
				cols, err := v.Array(a, p.Points)
				switch {
				case err != nil:
					failed = err
					return Field{}
				case a.Width == 3:
					return Field{Vector: numbers.Vectors([3]numbers.Column(cols), p.Points)}
				}
				return Field{Scalar: cols[0].Scalars(p.Points)}
			})
			if failed != nil {
				return nil, failed
			}
		case a.Section == "PointData":
			if err := misfit(a.Name, p.Points, a.Width, p.Points, want); err != nil {
				return nil, err
			}
		}
	}
	if !found {
		return nil, errors.New("no Points")
	}
	return all, nil
}

// join adds the particles of q, which must have the same fields.
func (p *Cloud) join(q *Cloud) error {
	if len(p.Fields) != len(q.Fields) {
		return fmt.Errorf("%d fields, but %d before", len(q.Fields), len(p.Fields))
	}
	p.X = append(p.X, q.X...)
	for k := range p.Fields {
		f, g := &p.Fields[k], &q.Fields[k]
		if f.Name != g.Name {
			return fmt.Errorf("field %.40q, but %.40q before", g.Name, f.Name)
		}
		f.Scalar, f.Vector = append(f.Scalar, g.Scalar...), append(f.Vector, g.Vector...)
		if len(f.Scalar)+len(f.Vector) != len(p.X) || len(f.Scalar) > 0 && len(f.Vector) > 0 {
			return fmt.Errorf("field %.40q is a number in one piece and a vector in another", f.Name)
		}
	}
	return nil
}
