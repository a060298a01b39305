package main

import (
	"fmt"
	"math"
	"time"

	"breakwater/scenes"
	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

const (
	ballSegments = 16 // about the equator of a body

	// perBody is how many particles there are for each body.
	perBody = 5000
)

// bodies measures the cost of many bodies in a step of a breaking column, compared with
// the same step without bodies. Water at rest in its initial lattice would be
// misleading: its solves converge at once until something stirs it.
func (b *bench) bodies(*scenes.Scene) (*table, error) {
	n := 500_000
	if len(b.Particles) > 0 {
		n = b.worldSize()
	}
	box := func() boundary.Boundary { return &boundary.Box{Min: benchTank.Min, Max: benchTank.Max, Inside: true} }
	count := max(1, n/perBody)
	list, err := strewn(count, 2.2*math.Cbrt(benchColumn.Volume()/float64(n)))
	if err != nil {
		return nil, err
	}
	rows := []struct {
		name       string
		bodies     []boundary.Boundary
		at         *instant
		times      []float64
		iterations int
		hits       int
	}{{name: "none"}, {name: fmt.Sprintf("%d of %d triangles", count, len(mesh.Sphere(vec.Vec3{}, 1, ballSegments).Tri)), bodies: list}}
	for i := range rows {
		r := &rows[i]
		b.say("bodies: %s", r.name)
		if r.at, err = b.moment(n, box(), r.bodies, nil); err != nil {
			return nil, err
		}
	}
	for range b.Steps {
		for i := range rows {
			r := &rows[i]
			s, w := benchSolver(), r.at.w
			begun := time.Now()
			dt := s.MaxDt(w)
			info, err := s.Step(w, dt)
			if err == nil {
				err = b.con.ctx.Err()
			}
			if err != nil {
				return nil, err
			}
			w.Time, w.Dt = w.Time+dt, dt
			r.times = append(r.times, 1e3*time.Since(begun).Seconds())
			r.iterations, r.hits = r.iterations+info.DensityIter, r.hits+info.BodyHits
		}
	}
	t := &table{
		Name: "bodies", Title: "Bodies", Command: b.worldCommand("bodies"),
		About:   fmt.Sprintf("%s: the median of the next %d steps, alternating between runs with and without bodies.", rows[0].at.about(), b.Steps),
		Columns: []string{"bodies", "ms/step", "relative to the first row", "iterations per step", "particles in contact"},
	}
	first := median(rows[0].times)
	for _, r := range rows {
		ms := median(r.times)
		t.Rows = append(t.Rows, []any{r.name, ms, ms / first, float64(r.iterations) / float64(b.Steps), r.hits / b.Steps})
	}
	return t, nil
}

// strewn returns n balls, of 200 to 800 kg/m³, all over the column.
func strewn(n int, radius float64) (list []boundary.Boundary, err error) {
	across := int(math.Ceil(math.Cbrt(float64(n))))
	for k := range n {
		part := vec.New(float64(k%across), float64(k/(across*across)), float64(k/across%across)).Add(vec.New(0.5, 0.5, 0.5)).Mul(1 / float64(across))
		size := benchColumn.Size()
		shape := &boundary.Mesh{Scale: 1}
		if err := shape.SetMesh(mesh.Sphere(vec.Vec3{}, radius, ballSegments)); err != nil {
			return nil, err
		}
		ball, err := body.NewRigid(shape, 200+float64(10*float64(k%60)), 0, 0.5)
		if err != nil {
			return nil, err
		}
		ball.Free.Start.X = benchColumn.Min.Add(vec.New(part.X*size.X, part.Y*size.Y, part.Z*size.Z))
		ball.PutAtStart()
		list = append(list, ball)
	}
	return list, nil
}
