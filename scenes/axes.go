package scenes

import "breakwater/out"

// axes returns the axes of the mesh files of a format.
func (m *Mesh) axes(format any) out.Axes { return axes(format, m.Up, m.Unit) }

// axes returns the axes of the particle files of a format.
func (p *Points) axes(format any) out.Axes { return axes(format, p.Up, p.Unit) }

// axes returns the axes of the volume files of a format.
func (v *Volume) axes(format any) out.Axes { return axes(format, v.Up, v.Unit) }

// axes returns the axes of the files of a format: what the scene says, or else
// what the programs expect that read them.
func axes(format any, up, unit string) out.Axes {
	a := out.AxesOf(format)
	if a.Unit == 0 {
		a.Unit = 1
	}
	switch up {
	case "y":
		a.ZUp = false
	case "z":
		a.ZUp = true
	}
	switch unit {
	case "m":
		a.Unit = 1
	case "cm":
		a.Unit = 0.01
	case "mm":
		a.Unit = 0.001
	}
	return a
}
