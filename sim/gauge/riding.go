package gauge

import (
	"breakwater/sim"
	"breakwater/sim/body"
	"breakwater/sim/vec"
)

// Movable is a Gauge at a point or on a line.
type Movable interface {
	Gauge
	// Moved returns the gauge with its points where place has them. place is a rigid motion.
	Moved(place func(x vec.Vec3) vec.Vec3) Gauge
}

// Riding is a gauge that moves and turns with a moving wall or a free body.
type Riding struct {
	Gauge // in the place of the body's shape
	on    *body.Body
}

// On returns the gauge g fixed to b. The points of g are where b is now, at the start of a
// scene.
func On(b *body.Body, g Movable) *Riding { return &Riding{g.Moved(b.AtRest), b} }

// Read implements Gauge. Velocities and forces have the axes of the scene.
func (g *Riding) Read(dst []float64, w *sim.World, p []float64) []float64 {
	return g.Gauge.(Movable).Moved(g.on.Place).Read(dst, w, p)
}

// Moved implements Movable.
func (g *Level) Moved(place func(vec.Vec3) vec.Vec3) Gauge {
	return &Level{From: place(g.From), To: place(g.To)}
}

// Moved implements Movable. The strip turns with the line.
func (g *Front) Moved(place func(vec.Vec3) vec.Vec3) Gauge {
	from := place(g.From)
	turn := func(v vec.Vec3) vec.Vec3 { return place(g.From.Add(v)).Sub(from).Unit() }
	u, v, square := g.sides()
	m := *g
	m.From, m.Direction = from, turn(g.Direction.Unit())
	m.across, m.up, m.square = turn(u), turn(v), square
	return &m
}

// Moved implements Movable.
func (g *PressureAt) Moved(place func(vec.Vec3) vec.Vec3) Gauge {
	return &PressureAt{At: place(g.At), Radius: g.Radius}
}

// Moved implements Movable.
func (g *VelocityAt) Moved(place func(vec.Vec3) vec.Vec3) Gauge {
	return &VelocityAt{At: place(g.At), Radius: g.Radius}
}
