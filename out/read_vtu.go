package out

import (
	"errors"
	"fmt"

	"breakwater/sim/registry"
)

func init() {
	ParticleReaders.Register(registry.Entry[ParticleReader]{
		Name: "vtu",
		Doc:  "the points of VTK's XML files .vtu and .vtp: text, base64 or appended, plain or compressed by zlib",
		Cite: "Kitware, VTK File Formats, 1993–2023",
		New: func(d registry.Decode) (ParticleReader, error) {
			r := vtuReader{}
			return r, d(&r)
		},
	})
}

type vtuReader struct{}

func (vtuReader) Exts() []string { return []string{"vtu", "vtp"} }

func (vtuReader) Read(data []byte, want func(string) bool) (*Particles, error) {
	v, err := readVTKXML(data, nil)
	if err != nil {
		return nil, err
	}
	if len(v.pieces) == 0 {
		return nil, errors.New("no Piece: is it a file that only names others?")
	}
	var all *Particles
	for i := range v.pieces {
		p, err := vtkParticles(v, &v.pieces[i], want)
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

// vtkParticles returns the points of a piece.
func vtkParticles(v *vtkXML, p *vtkPiece, want func(string) bool) (*Particles, error) {
	all := &Particles{}
	found := p.points == 0
	for i := range p.arrays {
		a := &p.arrays[i]
		switch {
		case a.section == "Points" && a.width == 3:
			cols, err := v.array(a, p.points)
			if err != nil {
				return nil, err
			}
			all.X, found = vectors([3]column(cols), p.points), true
		case a.section == "PointData" && (a.width == 1 || a.width == 3) && a.known:
			var failed error
			all.add(a.name, want, func() Field {
				cols, err := v.array(a, p.points)
				switch {
				case err != nil:
					failed = err
					return Field{}
				case a.width == 3:
					return Field{Vector: vectors([3]column(cols), p.points)}
				}
				return Field{Scalar: cols[0].scalars(p.points)}
			})
			if failed != nil {
				return nil, failed
			}
		case a.section == "PointData":
			if err := misfit(a.name, p.points, a.width, p.points, want); err != nil {
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
func (p *Particles) join(q *Particles) error {
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
