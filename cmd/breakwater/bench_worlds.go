package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"breakwater/scenes"
	"breakwater/sim"
	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// The tables of this file have a world of their own: a column of water of 1 m³
// that has broken for 0.3 s, in a tank.
var (
	benchTank   = vec.Box{Max: vec.New(3.2, 2, 1)}
	benchColumn = vec.Box{Max: vec.New(1, 1, 1)}
)

// benchIterations is how many iterations each step's solve has in those tables,
// so that all do the same work.
const benchIterations = 4

// instant is a world at a moment from which steps are taken again and again.
type instant struct {
	w      *sim.World
	solver sim.Solver
	walls  []boundary.Boundary
	x, v   []vec.Vec3
	p      []float64
	time   float64
	dt     float64
	taken  int
}

// moment lets a world of n particles in the tank and with the obstacles run up
// to the moment. change may be nil.
func (b *bench) moment(n int, tank boundary.Boundary, obstacles []boundary.Boundary, change func(*sim.World)) (*instant, error) {
	const until, g = 0.3, 9.81
	w := sim.New(math.Cbrt(benchColumn.Volume()/float64(n)), 1000)
	w.Gravity = vec.New(0, -g, 0)
	w.Walls = append([]boundary.Boundary{tank}, obstacles...)
	if change != nil {
		change(w)
	}
	w.Fill(&shape.Box{Min: benchColumn.Min, Max: benchColumn.Max}, vec.Vec3{})
	if err := w.Init(); err != nil {
		return nil, err
	}
	if err := w.Advance(benchSolver(), until, func(sim.StepInfo) error { return b.con.ctx.Err() }); err != nil {
		return nil, err
	}
	fixed := &sim.IISPH{MaxError: math.SmallestNonzeroFloat64, MaxIter: benchIterations, CFL: 0.4}
	return &instant{w: w, solver: fixed, walls: w.Walls, x: slices.Clone(w.X), v: slices.Clone(w.V),
		p: slices.Clone(w.Carry("pressure")), time: w.Time, dt: fixed.MaxDt(w)}, nil
}

// benchSolver returns the solver as scenes have it by default.
func benchSolver() sim.Solver { return &sim.IISPH{MaxError: 1e-4, MaxIter: 100, CFL: 0.4} }

// step takes the step from the moment, with those walls, and returns its
// seconds.
func (m *instant) step(walls []boundary.Boundary) (seconds float64, err error) {
	w := m.w
	copy(w.X, m.x)
	copy(w.V, m.v)
	copy(w.Carry("pressure"), m.p)
	// Another time, lest the solver know the pairs of the last step.
	m.taken++
	w.Time, w.Walls = m.time+float64(float64(m.taken)*1e-12), walls
	for _, wall := range walls {
		wall.Move(w.Time)
	}
	begun := time.Now()
	_, err = m.solver.Step(w, m.dt)
	return time.Since(begun).Seconds(), err
}

// compare returns the median milliseconds of steps with the walls and without
// any, taken in turn.
func (b *bench) compare(m *instant) (with, without float64, err error) {
	var times [2][]float64
	for k := range 2 * (b.Steps + 1) {
		walls := m.walls
		if k%2 == 1 {
			walls = nil
		}
		t, err := m.step(walls)
		if err == nil {
			err = b.con.ctx.Err()
		}
		if err != nil {
			return 0, 0, err
		}
		if k > 1 {
			times[k%2] = append(times[k%2], 1e3*t)
		}
	}
	return median(times[0]), median(times[1]), nil
}

func median(x []float64) float64 {
	slices.Sort(x)
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}

// walls measures the cost of the kinds of walls in a step.
func (b *bench) walls(*scenes.Scene) (*table, error) {
	box := func() boundary.Boundary { return &boundary.Box{Min: benchTank.Min, Max: benchTank.Max, Inside: true} }
	center := vec.New(1.8, 0.2, 0.5)
	const r = 0.2
	ball, err := cubeWall(false, func(p vec.Vec3) vec.Vec3 { return center.Add(p.Unit().Mul(r)) })
	if err != nil {
		return nil, err
	}
	tank, err := cubeWall(true, func(p vec.Vec3) vec.Vec3 {
		half := benchTank.Size().Mul(0.5)
		return benchTank.Center().Add(vec.New(p.X*half.X, p.Y*half.Y, p.Z*half.Z))
	})
	if err != nil {
		return nil, err
	}
	wedge, err := boundary.Boundaries.New("polytope", func(settings any) error {
		p := settings.(*boundary.Polytope)
		for _, side := range []struct{ at, out vec.Vec3 }{
			{vec.New(0, -r, 0), vec.New(0, -1, 0)}, {vec.New(r, 0, 0), vec.New(1, 0, 0)}, {vec.New(-r, -r, 0), vec.New(-1, 1, 0)},
			{vec.New(0, 0, -2*r), vec.New(0, 0, -1)}, {vec.New(0, 0, 2*r), vec.New(0, 0, 1)},
		} {
			p.Points, p.Normals = append(p.Points, center.Add(side.at)), append(p.Normals, side.out)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var planes []boundary.Boundary
	for _, n := range []vec.Vec3{{X: 1}, {Y: 1}, {Z: 1}} {
		planes = append(planes, &boundary.Plane{Point: benchTank.Min, Normal: n}, &boundary.Plane{Point: benchTank.Max, Normal: n.Neg()})
	}
	ofParticles := func(wall boundary.Boundary) boundary.Boundary {
		mover := body.New(wall, body.Motion{}, 0)
		mover.Particles = true
		return mover
	}
	shaken := body.Motion{Amplitude: vec.New(0.02, 0, 0), Frequency: 0.5}
	t := &table{
		Name: "walls", Title: "Walls", Command: b.worldCommand("walls"),
		Columns: []string{"walls", "ms/step", "ms/step for walls", "share"},
	}
	for _, row := range []struct {
		name      string
		tank      boundary.Boundary
		obstacles []boundary.Boundary
	}{
		{"box", box(), nil},
		{"box with friction", body.New(box(), body.Motion{}, 1), nil},
		{"box, shaken", body.New(box(), shaken, 0), nil},
		{"six planes", planes[0], planes[1:]},
		{fmt.Sprintf("mesh of %s triangles", thousands(meshTriangles)), tank, nil},
		{"the same mesh, shaken", body.New(tank, shaken, 0), nil},
		{"box of particles", ofParticles(box()), nil},
		{"the same mesh of particles", ofParticles(tank), nil},
		{"box with a block", box(), []boundary.Boundary{&boundary.Box{Min: center.Sub(vec.New(r, r, r)), Max: center.Add(vec.New(r, r, r))}}},
		{"box with a ball", box(), []boundary.Boundary{&boundary.Sphere{Center: center, Radius: r}}},
		{"box with a cylinder", box(), []boundary.Boundary{&boundary.Cylinder{Bottom: center.Sub(vec.New(0, r, 0)), Top: center.Add(vec.New(0, 3*r, 0)), Radius: r}}},
		{"box with a wedge", box(), []boundary.Boundary{wedge}},
		{fmt.Sprintf("box with a mesh of %s triangles", thousands(meshTriangles)), box(), []boundary.Boundary{ball}},
	} {
		b.say("walls: %s", row.name)
		m, err := b.moment(b.worldSize(), row.tank, row.obstacles, nil)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", row.name, err)
		}
		with, without, err := b.compare(m)
		if err != nil {
			return nil, err
		}
		t.About = fmt.Sprintf("%s: the median of %d steps from there, of %d iterations each. The time for walls is the time beyond the same step without walls.",
			m.about(), b.Steps, benchIterations)
		t.Rows = append(t.Rows, []any{row.name, with, with - without, 1 - without/with})
	}
	return t, nil
}

// liquids measures the cost of viscosity and surface tension in a step.
func (b *bench) liquids(*scenes.Scene) (*table, error) {
	t := &table{
		Name: "liquids", Title: "Viscosity and surface tension", Command: b.worldCommand("liquids"),
		Columns: []string{"liquid", "ms/step", "relative to the first row", "pressure iterations", "viscosity iterations"},
	}
	reference := none
	for _, row := range []struct {
		name   string
		change func(*sim.World)
	}{
		{"neither", nil},
		{"explicit viscosity", func(w *sim.World) { w.Viscosity = 1e-4 }},
		{"implicit viscosity", func(w *sim.World) { w.Viscosity = 0.3 }},
		{"surface tension", func(w *sim.World) { w.SurfaceTension, w.ContactAngle = 0.0728, 90 }},
	} {
		b.say("liquids: %s", row.name)
		m, err := b.moment(b.worldSize(), &boundary.Box{Min: benchTank.Min, Max: benchTank.Max, Inside: true}, nil, row.change)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", row.name, err)
		}
		var times []float64
		viscosity, density := 0, 0
		begun := time.Now()
		err = m.w.Advance(benchSolver(), m.time+far, func(i sim.StepInfo) error {
			times = append(times, 1e3*time.Since(begun).Seconds())
			begun = time.Now()
			viscosity, density = viscosity+i.ViscosityIter, density+i.DensityIter
			if len(times) == b.Steps {
				return errEnough
			}
			return b.con.ctx.Err()
		})
		if !errors.Is(err, errEnough) {
			return nil, err
		}
		ms, steps := median(times), float64(b.Steps)
		if math.IsNaN(reference) {
			reference = ms
		}
		t.About = fmt.Sprintf("%s: the median of the next %d steps.", m.about(), b.Steps)
		t.Rows = append(t.Rows, []any{row.name, ms, ms / reference, float64(density) / steps, float64(viscosity) / steps})
	}
	return t, nil
}

// worldSize is how many particles these tables have: enough for the obstacles.
func (b *bench) worldSize() int {
	if len(b.Particles) > 0 {
		return max(4000, slices.Max(b.Particles))
	}
	return 100_000
}

func (b *bench) worldCommand(table string) string {
	particles := 0
	if len(b.Particles) > 0 {
		particles = b.worldSize()
	}
	return b.command(table, "particles", given(particles), "steps", given(b.Steps))
}

func (m *instant) about() string {
	return fmt.Sprintf("A column of %s particles %.3g m apart, %g s after it broke", thousands(m.w.Len()), m.w.Spacing, m.time)
}

// meshTriangles is what the meshes of the walls have: 29² squares on each side
// of a cube.
const meshTriangles = 6 * 2 * meshSquares * meshSquares

const meshSquares = 29

// cubeWall returns a wall whose mesh is the cube from −1 to 1, with its points
// where place takes them.
func cubeWall(inside bool, place func(vec.Vec3) vec.Vec3) (*boundary.Mesh, error) {
	m := &mesh.Mesh{}
	axes := [3]vec.Vec3{{X: 1}, {Y: 1}, {Z: 1}}
	for k, n := range axes {
		for _, side := range []float64{-1, 1} {
			u, v := axes[(k+1)%3].Mul(side), axes[(k+2)%3]
			at := func(i, j int) vec.Vec3 {
				a, b := float64(2*i-meshSquares)/meshSquares, float64(2*j-meshSquares)/meshSquares
				return place(n.Mul(side).Add(u.Mul(a)).Add(v.Mul(b)))
			}
			for i := range meshSquares {
				for j := range meshSquares {
					c := int32(len(m.Pos))
					m.Pos = append(m.Pos, at(i, j), at(i+1, j), at(i+1, j+1), at(i, j+1))
					m.Tri = append(m.Tri, [3]int32{c, c + 1, c + 2}, [3]int32{c, c + 2, c + 3})
				}
			}
		}
	}
	w := &boundary.Mesh{Scale: 1, Inside: inside}
	return w, w.SetMesh(m)
}
