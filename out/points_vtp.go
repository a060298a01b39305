package out

import (
	"fmt"
	"io"
)

func init() {
	PointFormats.Add("vtp", "particles with velocities, numbers and attributes for ParaView, as VTK's XML PolyData",
		"Kitware, VTK File Formats, 1993–2023", func() PerFrame { return &vtpPoints{} })
}

// vtpPoints writes a cell a particle, without which ParaView shows none.
type vtpPoints struct{}

func (p *vtpPoints) Needs() Part { return NeedsParticles }

func (p *vtpPoints) Ext() string { return "vtp" }

func (p *vtpPoints) Encode(w io.Writer, f *Frame) error {
	columns, err := f.points()
	if err != nil {
		return fmt.Errorf("vtp: %w", err)
	}
	n := f.Particles.Len()
	v := vtpFile{points: n, at: columns[0].rowColumn, columns: columns[1:], kind: "Verts", cells: n, corners: 1}
	v.corner = func(k int) int32 { return int32(k) }
	return v.write(w, f)
}

func (p *vtpPoints) Check(r io.ReaderAt, size int64) (string, error) { return (&vtp{}).Check(r, size) }

// PointBytes implements Sized: a particle is a cell too.
func (p *vtpPoints) PointBytes(_ Part, numbers int) float64 {
	return float64(particleBytes + 2*4 + 4*numbers)
}
