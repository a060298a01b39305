package out

import (
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

// PointFormats are the known formats of particles for other programs, one file
// a frame. They write positions, velocities, numbers and the frame's fields.
// The state from which runs continue is another format, ply of Formats.
var PointFormats = registry.Set[PerFrame]{Kind: "particle file format"}

// pointColumn is a quantity of the particles, as files name it.
type pointColumn struct {
	rowColumn
	name string
}

// parts returns the names of the column's numbers: of a vector name_x and so
// on.
func (c *pointColumn) parts() []string {
	if c.vector == nil {
		return []string{c.name}
	}
	return axisNames(c.name + "_")
}

func axisNames(prefix string) []string { return []string{prefix + "x", prefix + "y", prefix + "z"} }

// points returns the quantities of f's particles: position, velocity, id, and the
// fields. Without particles it is an empty slice, not nil.
func (f *Frame) points() ([]pointColumn, error) {
	s := f.Particles
	if err := checkParticles(s); err != nil {
		return nil, err
	}
	vectors := func(v []vec.Vec3) rowColumn {
		if v == nil {
			v = []vec.Vec3{}
		}
		return rowColumn{vector: v}
	}
	id := rowColumn{number: s.ID}
	if s.ID == nil {
		id.number = []uint32{}
	}
	columns := []pointColumn{{vectors(s.X), "position"}, {vectors(s.V), "velocity"}, {id, "id"}}
	taken := []string{"position", "velocity", "id", "x", "y", "z", "vx", "vy", "vz"}
	for _, field := range f.Fields {
		name, err := fieldName(field, s.Len(), taken)
		if err != nil {
			return nil, err
		}
		taken = append(taken, name)
		columns = append(columns, pointColumn{columnOf(field), name})
	}
	return columns, nil
}
