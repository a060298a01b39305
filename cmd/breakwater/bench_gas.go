package main

import (
	"fmt"
	"math"

	"breakwater/scenes"
	"breakwater/scenes/host"
	"breakwater/sim/biot"
	"breakwater/sim/multipole"
	"breakwater/sim/num"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
)

// gas measures steps of the solver mesh, and compares each with the sums that a step of the
// solver vortons would need.
func (b *bench) gas(*scenes.Scene) (*table, error) {
	t := &table{
		Name: "gas", Title: "Vortex particles on a lattice", Command: b.command("gas", "particles", b.particles()),
		About:   fmt.Sprintf("A cube of warm vortices by the solver `mesh`, in steps of one part with two solutions of Poisson's equation and buoyancy. The last column compares a step with two sums of velocities and gradients by the fast multipole method, with an error of %g. Times are processor time, of all threads together, and the median of %d.", multipole.DefaultError, benchSums),
		Columns: []string{"vortons", "nodes", "step, ms", "Mvortons/s", "Mnodes/s", "two sums/step"},
	}
	sizes := b.Particles
	if len(sizes) == 0 {
		sizes = []int{1000, 10_000, 100_000}
	}
	for _, n := range sizes {
		b.say("gas: about %s vortons", thousands(n))
		row, err := b.gasStep(n)
		if err != nil {
			return nil, err
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

// gasStep measures steps of about n vortons.
func (b *bench) gasStep(n int) ([]any, error) {
	gas := vortex.Air()
	gas.Gravity = vec.New(0, -9.81, 0)
	f := warmCube(n, &gas)
	solver, err := vortex.Solvers.New("mesh", registry.None)
	if err != nil {
		return nil, err
	}
	mesh := solver.(*vortex.Mesh)
	mesh.Cell = 1
	var times []float64
	for range benchSums {
		begun := host.ProcessorTime()
		if _, err := mesh.Step(f, &gas, 1e-3); err != nil {
			return nil, err
		}
		times = append(times, host.ProcessorTime()-begun)
		if err := b.con.ctx.Err(); err != nil {
			return nil, err
		}
	}
	v := &f.Vortons
	s := &biot.Sources{X: v.X, Alpha: make([]vec.Vec3, v.Len()), Radius: make([]float64, v.Len())}
	for i := range v.X {
		s.Alpha[i], s.Radius[i] = v.Strength(i), mesh.Cell
	}
	u, grad := make([]vec.Vec3, v.Len()), make([]biot.Gradient, v.Len())
	begun := host.ProcessorTime()
	(&multipole.Field{Kernel: biot.Algebraic, Error: multipole.DefaultError}).VelocityGradient(u, grad, v.X, s)
	sums, each, nodes := 2*(host.ProcessorTime()-begun), median(times), mesh.Nodes()
	return []any{v.Len(), nodes, 1e3 * each, float64(v.Len()) / 1e6 / each, float64(nodes) / 1e6 / each, sums / each}, nil
}

// warmCube returns about n vortons in a cube, 1 m apart. Their vorticity and excess of
// temperature fall to zero at its sides.
func warmCube(n int, gas *vortex.Gas) *vortex.Flow {
	f, side := &vortex.Flow{}, max(2, int(math.Round(math.Cbrt(float64(n)))))
	for p := range side * side * side {
		i := [3]int{p % side, p / side % side, p / (side * side)}
		x := vec.New(float64(i[0]), float64(i[1]), float64(i[2]))
		at := x.Add(vec.New(0.5, 0.5, 0.5)).Mul(2 * math.Pi / float64(side))
		share := num.Pow(math.Sin(at.X/2)*math.Sin(at.Y/2)*math.Sin(at.Z/2), 2)
		w := vec.New(-math.Sin(at.Y), math.Sin(at.Z), math.Sin(at.X)).Mul(share)
		f.AddVorton(x, w, vortex.BallRadius(1), gas.DensityOf(gas.Temperature+float64(10*share)), vortex.Blend{})
	}
	return f
}
