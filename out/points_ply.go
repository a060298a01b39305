package out

import (
	"fmt"
	"io"
	"strings"
)

func init() {
	PointFormats.Add("ply", "particles with velocities, numbers and attributes, z up, for Blender, Houdini and MeshLab, as binary PLY",
		"Turk 1994", func() PerFrame { return &plyPoints{} })
}

type plyPoints struct{}

func (p *plyPoints) Needs() Part { return NeedsParticles }

func (p *plyPoints) Ext() string { return "ply" }

// Axes returns the axes of Blender, as for meshes.
func (p *plyPoints) Axes() Axes { return Axes{ZUp: true} }

func (p *plyPoints) Encode(w io.Writer, f *Frame) error {
	columns, err := f.points()
	if err != nil {
		return fmt.Errorf("ply: %w", err)
	}
	var head strings.Builder
	rows := meshRows{}
	fmt.Fprintf(&head, "element vertex %d\n", f.Particles.Len())
	for k := range columns {
		c := &columns[k]
		typ, names := "float", c.parts()
		switch {
		case c.number != nil:
			typ = "uint"
		case c.whole:
			typ = "int"
		case c.name == "position":
			names = axisNames("")
		case c.name == "velocity":
			names = axisNames("v")
		}
		for _, name := range names {
			fmt.Fprintf(&head, "property %s %s\n", typ, name)
		}
		rows.cols = append(rows.cols, c.rowColumn)
		rows.size += c.size()
	}
	e, err := startPLY(w, f, head.String())
	if err != nil {
		return fmt.Errorf("ply: %w", err)
	}
	if err := e.Flush(); err != nil {
		return err
	}
	return rows.write(w, f.Particles.Len())
}

func (p *plyPoints) Check(r io.ReaderAt, size int64) (string, error) {
	return checkPLY(r, size, "vertex")
}

// PointBytes implements Sized.
func (p *plyPoints) PointBytes(_ Part, numbers int) float64 {
	return float64(particleBytes + 4*numbers)
}
