package vortex

import (
	"math"

	"breakwater/sim/par"
	"breakwater/sim/vec"
	"breakwater/sim/vortex/grid"
)

// age adds dt to the ages and removes what is older than life, unless that is 0.
func (f *Flow) age(life, dt float64) {
	v, t := &f.Vortons, &f.Tracers
	for i := range v.Age {
		v.Age[i] += dt
	}
	for i := range t.Age {
		t.Age[i] += dt
	}
	if life > 0 {
		v.Keep(func(i int) bool { return v.Age[i] < life })
		t.Keep(func(i int) bool { return t.Age[i] < life })
	}
}

// assign gives the tracers the temperature of the grid, from the excess of density at its
// points (Gourlay, part 7). Where light vortons overlap, their excesses add up; a hundredth
// of the ambient density is the least.
func assign(t *Tracers, gas *Gas, g *grid.Grid, excess []float64) {
	par.For(len(t.X), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			t.Temperature[i] = gas.TemperatureOf(max(gas.Density/100, gas.Density+g.FetchNumber(excess, t.X[i])))
		}
	})
}

// advect adds the wind to the velocities and moves particles for dt.
func advect(x, v []vec.Vec3, wind vec.Vec3, dt float64) {
	par.For(len(x), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			v[i] = v[i].Add(wind)
			x[i] = x[i].Add(v[i].Mul(dt))
		}
	})
}

// farthest is the distance in m from the origin beyond which a particle is lost.
const farthest = 1e9

// sound checks the particles after a step. An error gives the advice.
func (f *Flow) sound(info *StepInfo, advice string) error {
	for _, set := range []struct {
		what string
		id   []uint32
		x, v []vec.Vec3
	}{{"vorton", f.Vortons.ID, f.Vortons.X, f.Vortons.V}, {"tracer", f.Tracers.ID, f.Tracers.X, f.Tracers.V}} {
		most := 0. // square of the highest speed
		for i := range set.x {
			x, v := &set.x[i], &set.v[i]
			square := v.Dot(*v)
			if !(x.Dot(*x) < farthest*farthest) || !(square < farthest*farthest) {
				return &Unstable{What: set.what, ID: set.id[i], Time: f.Time, X: *x, V: *v, Advice: advice}
			}
			if square > most {
				most = square
			}
		}
		info.MaxSpeed = max(info.MaxSpeed, math.Sqrt(most))
	}
	return nil
}
