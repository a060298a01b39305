// Package walltest has walls for tests.
package walltest

import (
	"breakwater/sim/boundary"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
	"math/rand/v2"
	"testing"
)

// Mesh returns a wall of a triangle mesh.
func Mesh(t testing.TB, m *mesh.Mesh, inside bool) *boundary.Mesh {
	t.Helper()
	w := &boundary.Mesh{Scale: 1, Inside: inside}
	if err := w.SetMesh(m); err != nil {
		t.Fatal(err)
	}
	return w
}

// Wedge returns a body with a triangle for its ground, 0.8 m long in z.
func Wedge(t testing.TB, inside bool) *boundary.Polytope {
	t.Helper()
	p := &boundary.Polytope{
		Points:  []vec.Vec3{{X: 0, Y: 0, Z: 0}, {X: 0, Y: 0, Z: 0}, {X: 1.2, Y: 0, Z: 0}, {X: 0, Y: 0, Z: 0}, {X: 0, Y: 0, Z: 0.8}},
		Normals: []vec.Vec3{{Y: -1}, {X: -1}, {X: 1, Y: 1.1}, {Z: -1}, {Z: 1}},
		Inside:  inside,
	}
	if err := p.Build(); err != nil {
		t.Fatal(err)
	}
	return p
}

// Points calls f with points in and around the walls of tests.
func Points(f func(x vec.Vec3)) {
	rng := rand.New(rand.NewPCG(2, 3))
	for range 4000 {
		f(vec.New(float64(1.4*rng.Float64())-0.2, float64(1.6*rng.Float64())-0.15, float64(1.4*rng.Float64())-0.2))
	}
}

// Slope returns the gradient of f at x by central differences.
func Slope(f func(x vec.Vec3) float64, x vec.Vec3) vec.Vec3 {
	const e = 1e-6
	d := func(u vec.Vec3) float64 { return (f(x.Add(u)) - f(x.Sub(u))) / (2 * e) }
	return vec.New(d(vec.New(e, 0, 0)), d(vec.New(0, e, 0)), d(vec.New(0, 0, e)))
}
