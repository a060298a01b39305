package scenes

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"breakwater/scenes/scenery"
	"breakwater/sim"
	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/classic/solids"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
	"breakwater/sim/vortex/vorticity"
)

// gasParts are the variants of a gas that a scene names, built.
type gasParts struct {
	vortices []vorticity.Distribution
	sources  []vortex.Region
	smoke    []vortex.Region
	solver   vortex.Solver
	life     float64 // of particles, s; 0 for ever
	ready    bool    // the solver has all that it needs
}

// flow returns the gas at the start.
func (s *Scene) flow(p *parts) (*vortex.Flow, error) {
	g := s.Gas
	f := &vortex.Flow{}
	f.Tracers.Radius, f.Tracers.Mass, f.Tracers.Most = s.Tracers.Radius, s.Tracers.Mass, s.Tracers.Most
	edge := s.TracerSpacing()
	for i, d := range p.gas.vortices {
		x := &s.Vortex[i]
		d = s.withinPeriod(d)
		mix := vortex.Blend{Fuel: x.Fuel, Smoke: x.Smoke}
		f.Fill(d, g.Cell, g.DensityOf(x.Temperature), mix)
		if x.Smoke > 0 {
			f.FillTracers(vortex.NewCore(d, g.Cell), edge, x.Temperature, mix)
		}
	}
	for i, r := range p.gas.smoke {
		f.FillTracers(r, edge, g.Temperature, vortex.Blend{Fuel: s.Smoke[i].Fuel, Smoke: s.Smoke[i].Smoke})
	}
	for i, r := range p.gas.sources {
		x := &s.Source[i]
		f.Sources = append(f.Sources, vortex.Source{
			Region: r, Vortons: x.Vortons, Tracers: x.Tracers, Radius: x.Radius, Temperature: x.Temperature,
			Flow: x.Flow, Burner: x.Burner, Mix: vortex.Blend{Fuel: x.Fuel, Flame: x.Burnt, Smoke: x.Smoke}, Start: x.Start, Stop: x.Stop,
			Eddies: vortex.Eddies{Speed: x.Stir, Size: x.Eddies},
		})
	}
	for i, wall := range p.walls {
		b, err := gasWall(wall)
		if err != nil {
			return nil, err
		}
		s.Wall[i].Heat.give(b)
		f.Bodies = append(f.Bodies, b)
	}
	for i, free := range p.bodies {
		solid, err := solidOf(free.Boundary)
		if err != nil {
			return nil, err
		}
		b := vortex.NewFreeBody(solid, free)
		s.Body[i].Heat.give(b)
		f.Bodies = append(f.Bodies, b)
	}
	return f, f.SetSolids(p.walls, g.Cell)
}

// TracerSpacing returns the distance of tracers at the start, m.
func (s *Scene) TracerSpacing() float64 { return s.Gas.Cell / math.Cbrt(s.Tracers.PerCell) }

// give sets the temperature of a body and how it conducts heat.
func (h Heat) give(b *vortex.Body) {
	b.Temperature, b.HeatCapacity, b.Conductance = h.Temperature, h.HeatCapacity, h.Conductance
}

// gasWall returns a wall as a body in the gas.
func gasWall(wall boundary.Boundary) (*vortex.Body, error) {
	shape, mover := body.Unwrap(wall)
	solid, err := solidOf(shape)
	if err != nil {
		return nil, err
	}
	b := vortex.NewBody(solid, vec.NoTurn)
	if plane, ok := shape.(*boundary.Plane); ok {
		b.Endless = behind(plane)
	}
	if mover != nil && !mover.Motion.Still() {
		center := solid.X
		b.Course = func(t float64, s *solids.Solid) {
			mover.Move(t)
			s.X = mover.Place(center)
			s.V, s.Spin = mover.Vel(s.X), mover.Spin()
			s.Turn = [3]vec.Vec3{mover.Rotated(vec.New(1, 0, 0)), mover.Rotated(vec.New(0, 1, 0)), mover.Rotated(vec.New(0, 0, 1))}
		}
		b.Course(0, solid)
	}
	return b, nil
}

// errNoSolid is the fault of a wall or a body whose shape no gas can meet.
var errNoSolid = errors.New("a gas meets balls, boxes without open sides, cylinders, planes and convex polytopes; expected kind = \"sphere\", \"box\", \"cylinder\", \"plane\" or \"polytope\"")

// endless is the edge of the cube behind a plane that the gas meets, m.
const endless = 1e4

// behind returns a box with all that is behind a plane, in the reach of a gas.
func behind(p *boundary.Plane) *vec.Box {
	lo, hi := p.Point.Add(vec.New(-1, -1, -1).Mul(endless)).Array(), p.Point.Add(vec.New(1, 1, 1).Mul(endless)).Array()
	at, n := p.Point.Array(), p.Normal.Unit().Array()
	for a := range n {
		if n[a] > 1-1e-12 {
			hi[a] = at[a]
		} else if n[a] < -1+1e-12 {
			lo[a] = at[a]
		}
	}
	return &vec.Box{Min: vec.New(lo[0], lo[1], lo[2]), Max: vec.New(hi[0], hi[1], hi[2])}
}

// column returns the planes of a cylinder about its centre, with flat sides: they are at
// most half a percent of the radius outside of it.
func column(axis vec.Vec3, length, radius float64) []solids.Plane {
	const sides = 32
	n := axis.Unit()
	u, v := n.Basis()
	planes := []solids.Plane{{N: n, D: length / 2}, {N: n.Neg(), D: length / 2}}
	for k := range sides {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / sides)
		planes = append(planes, solids.Plane{N: u.Mul(cos).Add(v.Mul(sin)), D: radius})
	}
	return planes
}

// solidOf returns a wall as the gas meets it.
func solidOf(b boundary.Boundary) (*solids.Solid, error) {
	switch x := b.(type) {
	case *boundary.Sphere:
		s := solids.NewBall(x.Center, x.Radius)
		s.Hole = x.Inside
		return s, nil
	case *boundary.Box:
		if len(x.Open) > 0 {
			return nil, errNoSolid
		}
		box := vec.Box{Min: x.Min, Max: x.Max}
		s := solids.NewBox(box.Center(), box.Size().Mul(0.5))
		s.Hole = x.Inside
		return s, nil
	case *boundary.Plane:
		if x.Normal == (vec.Vec3{}) {
			return nil, errors.New("plane: the normal is zero: give the direction into the gas, such as [0, 1, 0]")
		}
		n := x.Normal.Unit()
		return solids.New(x.Point.Sub(n.Mul(endless/2)), column(n, endless, endless))
	case *boundary.Cylinder:
		axis := x.Top.Sub(x.Bottom)
		if !(axis.Len() > 0) {
			return nil, errors.New("cylinder: bottom and top are the same point: move one of them")
		}
		s, err := solids.New(x.Bottom.Add(axis.Mul(0.5)), column(axis, axis.Len(), x.Radius))
		if err == nil {
			s.Hole = x.Inside
		}
		return s, err
	case *boundary.Polytope:
		solid := &boundary.Polytope{Points: x.Points, Normals: x.Normals}
		if err := cmp.Or(solid.Build(), solid.Closed()); err != nil {
			return nil, err
		}
		rigid, err := body.NewRigid(solid, 1, 0, 0)
		if err != nil {
			return nil, err
		}
		center := rigid.Free.Start.X
		var planes []solids.Plane
		for i, n := range x.Normals {
			n = n.Unit()
			planes = append(planes, solids.Plane{N: n, D: n.Dot(x.Points[i].Sub(center))})
		}
		s, err := solids.New(center, planes)
		if err != nil {
			return nil, fmt.Errorf("polytope: %w", err)
		}
		s.Hole = x.Inside
		return s, nil
	}
	return nil, errNoSolid
}

// solids returns a world without a liquid, which has the walls and the bodies where the
// picture shows them.
func (s *Scene) solids(p *parts) (*sim.World, error) {
	w := sim.New(s.Spacing(), s.RestDensity())
	w.Walls = slices.Clone(p.walls)
	for _, b := range p.bodies {
		w.Walls = append(w.Walls, b)
	}
	return w, w.InitBodies()
}

// buildGas makes a gas ready to run.
func (s *Scene) buildGas(p *parts) (*Built, error) {
	f, err := s.flow(p)
	if err != nil {
		return nil, err
	}
	w, err := s.solids(p)
	if err != nil {
		return nil, err
	}
	b := &Built{parts: p, World: w, Flow: f, GasSolver: p.gas.solver, Meters: s.meters(p), Surface: p.surface, Look: p.look}
	b.Start = f.Vortons.Len() + len(f.Tracers.X)
	b.Most = b.Start + int(s.emitted(s.Time.At(s.Time.Frames())))
	for i := range f.Vortons.X {
		b.Fastest = max(b.Fastest, f.Vortons.W[i].Len()*f.Vortons.Radius[i])
	}
	b.Fastest += s.Gas.Wind.Len()
	return b, nil
}

// emitted returns how many particles the sources have given off at time t.
func (s *Scene) emitted(t float64) (n float64) {
	for _, x := range s.Source {
		n += float64((x.Vortons + x.Tracers) * max(0, min(t, x.Stop)-x.Start))
	}
	return n
}

// gasBounds returns the box of all that there is of a gas at the start, and of the solids.
func (s *Scene) gasBounds(p *parts) vec.Box {
	b := vec.Empty()
	for _, d := range p.gas.vortices {
		if d != nil {
			b = b.Union(d.Bounds())
		}
	}
	for _, r := range slices.Concat(p.gas.sources, p.gas.smoke) {
		if r != nil {
			b = b.Union(r.Bounds())
		}
	}
	for _, w := range p.walls {
		if w != nil {
			b = b.Union(body.Extent(w))
		}
	}
	for _, x := range p.bodies {
		if x != nil {
			b = b.Union(body.Extent(x))
		}
	}
	return b
}

// spreadGas lays out a scene of a gas without a tank. The gas may rise and drift, so there
// is as much room again around it.
func (s *Scene) spreadGas(p *parts, l *scenery.Layout) {
	l.Shown = s.gasBounds(p)
	if l.Shown.IsEmpty() {
		l.Shown = vec.Box{Max: vec.New(1, 1, 1)}
	}
	size := l.Shown.Size()
	l.Shown = l.Shown.Grow(max(size.X, size.Y, size.Z) / 2)
	if math.IsInf(l.Floor, 1) {
		l.Floor = l.Shown.Min.Y
		if m, ok := p.gas.solver.(*vortex.Mesh); ok && m.Low != m.High && m.Low.Y < l.Floor {
			l.Floor = m.Low.Y // or it would hide gas that sinks
		}
	}
	l.Shown.Min.Y = l.Floor
}
