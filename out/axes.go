package out

import (
	"fmt"
	"slices"

	"breakwater/sim/par"
	"breakwater/sim/particle"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// Axes are the up direction and the unit of length of a file. The zero value is
// Breakwater's own, y up and metres.
type Axes struct {
	ZUp  bool
	Unit float64 // of length, m; 0 for 1
}

// Axed is a format whose programs have axes other than Breakwater's.
type Axed interface{ Axes() Axes }

// AxesOf returns the axes that the programs expect which a format, a PerFrame
// or an Archive, is for.
func AxesOf(format any) Axes {
	if a, ok := format.(Axed); ok {
		return a.Axes()
	}
	return Axes{}
}

// unit returns the length of the unit, m.
func (a Axes) unit() float64 {
	if a.Unit == 0 {
		return 1
	}
	return a.Unit
}

// up names the axis that is up.
func (a Axes) up() string {
	if a.ZUp {
		return "z"
	}
	return "y"
}

// String returns the axes as a file names them.
func (a Axes) String() string {
	unit := fmt.Sprintf("unit %g m", a.unit())
	switch a.unit() {
	case 1:
		unit = "metres"
	case 0.01:
		unit = "centimetres"
	case 0.001:
		unit = "millimetres"
	}
	return a.up() + " up, " + unit
}

// Ours reports whether a are Breakwater's own.
func (a Axes) Ours() bool { return !a.ZUp && a.unit() == 1 }

// point returns a position, or a velocity, in a.
func (a Axes) point(v vec.Vec3) vec.Vec3 { return a.direction(v).Mul(1 / a.unit()) }

// direction returns a direction in a: z up is y up turned about x.
func (a Axes) direction(v vec.Vec3) vec.Vec3 {
	if a.ZUp {
		return vec.New(v.X, -v.Z, v.Y)
	}
	return v
}

// Back returns the position or velocity v, which is in a, in Breakwater's own axes.
func (a Axes) Back(v vec.Vec3) vec.Vec3 { return a.BackDirection(v).Mul(a.unit()) }

// BackDirection returns the direction v, which is in a, in Breakwater's own axes.
func (a Axes) BackDirection(v vec.Vec3) vec.Vec3 {
	if a.ZUp {
		return vec.New(v.X, v.Z, -v.Y)
	}
	return v
}

// In returns f, which is in our axes, in a. What does not change is shared.
func (f *Frame) In(a Axes) *Frame { return f.turned(a, a.point, a.direction) }

// Ours returns f, which is in the axes it says, in Breakwater's own. A frame that was
// put in other axes and back may differ by the rounding of a float32 if their unit is
// not a power of two.
func (f *Frame) Ours() *Frame { return f.turned(f.Axes, f.Axes.Back, f.Axes.BackDirection).as(Axes{}) }

func (f *Frame) as(a Axes) *Frame {
	f.Axes = a
	return f
}

// turned returns f with lengths and directions changed, if the axes a are not
// ours.
func (f *Frame) turned(a Axes, point, direction func(vec.Vec3) vec.Vec3) *Frame {
	g := *f
	g.Axes = a
	if a.Ours() {
		return &g
	}
	all := func(v []vec.Vec3, to func(vec.Vec3) vec.Vec3) []vec.Vec3 {
		t := make([]vec.Vec3, len(v))
		par.For(len(v), func(lo, hi int) {
			for i := lo; i < hi; i++ {
				t[i] = to(v[i])
			}
		})
		return t
	}
	if m := f.Mesh; m != nil {
		g.Mesh = &mesh.Mesh{Pos: all(m.Pos, point), Nrm: all(m.Nrm, direction), Vel: all(m.Vel, point), Tri: m.Tri}
	}
	if s := f.Particles; s != nil {
		g.Particles = &particle.Set{X: all(s.X, point), V: all(s.V, point), Rho: s.Rho, ID: s.ID, Attr: s.Attr}
		for _, b := range s.Bodies {
			g.Particles.Bodies = append(g.Particles.Bodies, bodyIn(b, point, direction))
		}
	}
	if len(f.Objects) > 0 {
		g.Objects = nil
		for _, o := range f.Objects {
			o.Body = bodyIn(o.Body, point, direction)
			if m := o.Mesh; m != nil {
				o.Mesh = &mesh.Mesh{Pos: all(m.Pos, point), Nrm: all(m.Nrm, direction), Tri: m.Tri}
			}
			g.Objects = append(g.Objects, o)
		}
	}
	if len(f.Fields) > 0 {
		g.Fields = nil
		for _, field := range f.Fields {
			switch {
			case field.Vector != nil && field.Length:
				field.Vector = all(field.Vector, point)
			case field.Vector != nil: // of no unit of length: vorticity
				field.Vector = all(field.Vector, direction)
			case field.Length:
				long := point(vec.New(1, 0, 0)).X
				field.Scalar = slices.Clone(field.Scalar)
				for i := range field.Scalar {
					field.Scalar[i] *= long
				}
			}
			g.Fields = append(g.Fields, field)
		}
	}
	return &g
}

// bodyIn returns b in other axes.
func bodyIn(b particle.Body, point, direction func(vec.Vec3) vec.Vec3) particle.Body {
	axis := direction(vec.New(b.Turn.X, b.Turn.Y, b.Turn.Z))
	return particle.Body{
		X: point(b.X), V: point(b.V), Spin: direction(b.Spin),
		Turn: vec.Quat{W: b.Turn.W, X: axis.X, Y: axis.Y, Z: axis.Z},
	}
}

// Length returns the length of the unit, m.
func (a Axes) Length() float64 { return a.unit() }
