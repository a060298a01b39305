package scenery

import (
	"breakwater/raster"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// Set is all that is drawn beside the liquid.
type Set struct {
	Tank      *raster.Tank    // up to its rim; nil for none
	Vessels   []raster.Vessel // tanks of other shapes, planes, and tanks beside the first
	Obstacles []raster.Solid  // objects in the liquid, or around it, that do not move
	Moving    []Piece
}

// Add adds a piece that is drawn. Only one that moves by itself moves later.
func (s *Set) Add(x Piece) {
	switch {
	case x.Body != nil && !x.Body.Motion.Still():
		s.Moving = append(s.Moving, x)
	case x.Tank != nil:
		s.Tank = x.Tank
	case x.Vessel != nil:
		s.Vessels = append(s.Vessels, *x.Vessel)
	default:
		s.Obstacles = append(s.Obstacles, x.Solid)
	}
}

// At returns the tank, the vessels and the solids of the picture where they are
// at time t.
func (s *Set) At(t float64) (tank *raster.Tank, vessels []raster.Vessel, solids []raster.Solid) {
	tank, vessels, solids = s.Tank, append(vessels, s.Vessels...), append(solids, s.Obstacles...)
	for _, x := range s.Moving {
		x.Body.Move(t)
		switch {
		case x.Tank != nil:
			by := x.Body.Place(x.Tank.Min).Sub(x.Tank.Min)
			tank = &raster.Tank{Box: vec.Box{Min: x.Tank.Min.Add(by), Max: x.Tank.Max.Add(by)}, Open: x.Tank.Open, Walls: x.Tank.Walls}
		case x.Vessel != nil:
			v := *x.Vessel
			v.Rest, v.Panes, v.Edges = x.Vessel.Panes.Pos, x.placed(x.Vessel.Panes), nil
			for _, e := range x.Vessel.Edges {
				v.Edges = append(v.Edges, mesh.Edge{A: x.Body.Place(e.A), B: x.Body.Place(e.B), Out: x.Body.Rotated(e.Out)})
			}
			if v.Block != nil {
				block := *v.Block
				block.Rest, block.Mesh = v.Block.Mesh.Pos, x.placed(v.Block.Mesh)
				v.Block = &block
			}
			vessels = append(vessels, v)
		default:
			solid := x.Solid
			solid.Rest, solid.Mesh = x.Mesh.Pos, x.placed(x.Mesh)
			solids = append(solids, solid)
		}
	}
	return tank, vessels, solids
}

// During returns the result of At, with the mean velocities over the seconds that a
// shutter is open about time t. Vessels have their velocities at t.
func (s *Set) During(t, shutter float64) (tank *raster.Tank, vessels []raster.Vessel, solids []raster.Solid) {
	if shutter == 0 || len(s.Moving) == 0 {
		return s.At(t)
	}
	first, last := max(0, t-float64(shutter/2)), t+float64(shutter/2)
	tankBefore, _, before := s.At(first)
	tankAfter, _, after := s.At(last)
	tank, vessels, solids = s.At(t)
	rate := 1 / (last - first)
	if tank != nil {
		moving := *tank
		moving.Velocity = tankAfter.Min.Sub(tankBefore.Min).Mul(rate)
		tank = &moving
	}
	vessel, solid := len(s.Vessels), len(s.Obstacles) // those that stand come first
	for _, x := range s.Moving {
		switch {
		case x.Tank != nil:
		case x.Vessel != nil:
			v := &vessels[vessel]
			v.Velocity = x.Body.Vel
			if v.Block != nil {
				for _, p := range v.Block.Mesh.Pos {
					v.Block.Mesh.Vel = append(v.Block.Mesh.Vel, x.Body.Vel(p))
				}
			}
			vessel++
		default:
			m := solids[solid].Mesh
			m.Vel = make([]vec.Vec3, len(m.Pos))
			for k := range m.Vel {
				if x.Body.Free != nil { // which At leaves where it is
					m.Vel[k] = x.Body.Vel(m.Pos[k])
				} else {
					m.Vel[k] = after[solid].Mesh.Pos[k].Sub(before[solid].Mesh.Pos[k]).Mul(rate)
				}
			}
			solid++
		}
	}
	return tank, vessels, solids
}
