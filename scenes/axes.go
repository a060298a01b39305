package scenes

import "breakwater/out"

// axes returns the axes of the files of a format: what the scene says, or else
// what the programs expect that read them.
func (m *Mesh) axes(format any) out.Axes {
	a := out.AxesOf(format)
	if a.Unit == 0 {
		a.Unit = 1
	}
	switch m.Up {
	case "y":
		a.ZUp = false
	case "z":
		a.ZUp = true
	}
	switch m.Unit {
	case "m":
		a.Unit = 1
	case "cm":
		a.Unit = 0.01
	case "mm":
		a.Unit = 0.001
	}
	return a
}
