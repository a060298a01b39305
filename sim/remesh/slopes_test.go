package remesh

import (
	"math"
	"testing"

	"breakwater/sim/vec"
)

// TestFlows checks derivatives of polynomials that the differences have exactly.
func TestFlows(t *testing.T) {
	l := Lattice{Edge: 0.5, Low: [3]int{-6, -5, -4}, N: [3]int{13, 12, 11}}
	field := func(f func(x vec.Vec3) float64) []float32 {
		list := make([]float32, l.Len())
		for p := range list {
			list[p] = float32(f(l.At(p)))
		}
		return list
	}
	zero := func(vec.Vec3) float64 { return 0 }
	to, three := field(zero), Vector{field(zero), field(zero), field(zero)}
	open, k := field(func(vec.Vec3) float64 { return 0.5 }), field(func(x vec.Vec3) float64 { return 2 + x.X })
	f := field(func(x vec.Vec3) float64 { return x.X*x.X + 3*x.Y*x.X })
	u := Vector{field(func(x vec.Vec3) float64 { return x.X * x.Y }), field(func(x vec.Vec3) float64 { return x.Z }), field(func(x vec.Vec3) float64 { return -x.Y * x.Z })}
	check := func(name string, got []float32, want func(x vec.Vec3) float64) {
		t.Helper()
		for k := 4; k < l.N[2]-4; k++ {
			for j := 4; j < l.N[1]-4; j++ {
				for i := 4; i < l.N[0]-4; i++ {
					p := i + l.N[0]*(j+l.N[1]*k)
					if w := want(l.At(p)); math.Abs(float64(got[p])-w) > 1e-4 {
						t.Fatalf("%s at %v: %g, want %g", name, l.At(p), got[p], w)
					}
				}
			}
		}
	}
	l.Elliptic(to, open, k, f) // −½ ∇·((2 + x)(2x + 3y, 3x, 0))
	check("elliptic", to, func(x vec.Vec3) float64 { return -0.5 * (2*x.X + 3*x.Y + 2*(2+x.X)) })
	l.Sources(to, open, u)
	check("sources", to, func(x vec.Vec3) float64 { return 0.5 * (x.Y - x.Y) })
	l.Flow(three, k, f)
	check("flow", three[1], func(x vec.Vec3) float64 { return (2 + x.X) * 3 * x.X })
	l.Convect(three, u, [3]float64{1, 2, 3})
	check("convect x", three[0], func(x vec.Vec3) float64 { return (x.X*x.Y+1)*x.Y + (x.Z+2)*x.X })
	check("convect y", three[1], func(x vec.Vec3) float64 { return -x.Y*x.Z + 3 })
	closed := field(zero)
	l.Elliptic(to, closed, k, f)
	check("elliptic in a body", to, zero)
	l.Sources(to, closed, u)
	check("sources in a body", to, zero)
}
