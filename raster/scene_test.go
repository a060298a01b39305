package raster

import (
	"math"
	"slices"
	"sync"

	"breakwater/sim/num"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// testTank is a tank of 2 m × 1 m × 1 m on the floor.
var testTank = vec.Box{Min: vec.Vec3{}, Max: vec.Vec3{X: 2, Y: 1, Z: 1}}

// splash returns a closed mesh of water that has run up the right wall of testTank. It is
// a wavy pool, flat against the glass, with drops and a thin sheet in the air. n is the
// number of cells along the tank. The mesh is the caller's, and made once for each n.
func splash(n int) *mesh.Mesh {
	made, _ := splashes.LoadOrStore(n, sync.OnceValue(func() *mesh.Mesh { return newSplash(n) }))
	m := made.(func() *mesh.Mesh)()
	return &mesh.Mesh{Pos: slices.Clone(m.Pos), Nrm: slices.Clone(m.Nrm), Vel: slices.Clone(m.Vel), Tri: slices.Clone(m.Tri)}
}

var splashes sync.Map

func newSplash(n int) *mesh.Mesh {
	m := pool(testTank, n, splashHeight)
	for i := range 60 {
		r := 0.006 + 0.028*math.Pow(num.Hash(i, 1), 3)
		c := vec.Vec3{X: 1.0 + 0.9*num.Hash(i, 2), Z: 0.08 + 0.84*num.Hash(i, 4)}
		c.Y = 0.5 + 0.4*num.Hash(i, 3)*(c.X-0.7)
		ball(m, c, r, max(8, n/12), func(d vec.Vec3) float64 {
			return 1 + 0.12*math.Sin(3*d.X+float64(i))*math.Cos(2*d.Y+float64(i))
		})
	}
	sheet(m, n/2)
	return m
}

// splashHeight returns the height of the pool of splash.
func splashHeight(x, z float64) float64 {
	bank := 0.30 * math.Exp(-math.Pow((x-2)/0.35, 2)) * (1 + 0.25*math.Sin(3*z))
	roll := 0.07*math.Sin(5.5*x+1.2*math.Sin(3*z)) + 0.03*math.Sin(11*z-4*x)
	ripple := 0.006*math.Sin(41*x+19*z) + 0.005*math.Sin(27*z-33*x+2*math.Sin(9*x))
	return 0.26 + bank + roll*num.Smoothstep(2.1, 1.2, x) + ripple
}

// pool fills tank with water up to the height of the surface over (x, z).
func pool(tank vec.Box, n int, height func(x, z float64) float64) *mesh.Mesh {
	m := &mesh.Mesh{}
	s := tank.Size()
	nz := max(2, int(float64(n)*s.Z/s.X))
	ny := max(2, n/6)
	at := func(i, j int) (x, z, y float64) {
		x, z = tank.Min.X+s.X*float64(i)/float64(n), tank.Min.Z+s.Z*float64(j)/float64(nz)
		return x, z, tank.Min.Y + height(x, z)
	}
	patch(m, n, nz, func(i, j int) (p, nrm vec.Vec3) {
		x, z, y := at(i, j)
		const e = 1e-5
		gx := (height(x+e, z) - height(x-e, z)) / (2 * e)
		gz := (height(x, z+e) - height(x, z-e)) / (2 * e)
		return vec.Vec3{X: x, Y: y, Z: z}, vec.Vec3{X: -gx, Y: 1, Z: -gz}.Unit()
	}, true)
	patch(m, n, nz, func(i, j int) (p, nrm vec.Vec3) {
		x, z, _ := at(i, j)
		return vec.Vec3{X: x, Y: tank.Min.Y, Z: z}, vec.Vec3{Y: -1}
	}, false)
	wall := func(x, z, y float64, k int) vec.Vec3 {
		return vec.Vec3{X: x, Y: tank.Min.Y + (y-tank.Min.Y)*float64(k)/float64(ny), Z: z}
	}
	for _, side := range []int{0, 1} {
		sign := float64(2*side - 1)
		patch(m, n, ny, func(i, k int) (p, nrm vec.Vec3) {
			x, z, y := at(i, side*nz)
			return wall(x, z, y, k), vec.Vec3{Z: sign}
		}, side == 0)
		patch(m, nz, ny, func(j, k int) (p, nrm vec.Vec3) {
			x, z, y := at(side*n, j)
			return wall(x, z, y, k), vec.Vec3{X: sign}
		}, side == 1)
	}
	return m
}

// patch appends a grid of nu × nv quads; flip turns it over.
func patch(m *mesh.Mesh, nu, nv int, f func(i, j int) (p, nrm vec.Vec3), flip bool) {
	base := int32(len(m.Pos))
	for j := range nv + 1 {
		for i := range nu + 1 {
			p, n := f(i, j)
			m.Pos, m.Nrm = append(m.Pos, p), append(m.Nrm, n)
		}
	}
	for j := range nv {
		for i := range nu {
			a := base + int32(j*(nu+1)+i)
			b, c := a+1, a+int32(nu+1)
			d := c + 1
			quad := [2][3]int32{{a, b, d}, {a, d, c}}
			for _, t := range quad {
				if flip {
					t[1], t[2] = t[2], t[1]
				}
				m.Tri = append(m.Tri, t)
			}
		}
	}
}

// ball appends a sphere of radius r about c, its radius scaled by shape.
func ball(m *mesh.Mesh, c vec.Vec3, r float64, n int, shape func(d vec.Vec3) float64) {
	at := func(i, j float64) vec.Vec3 {
		a, b := 2*math.Pi*i/float64(2*n), math.Pi*j/float64(n)
		d := vec.Vec3{X: math.Sin(b) * math.Sin(a), Y: math.Cos(b), Z: math.Sin(b) * math.Cos(a)}
		return d.Mul(r * shape(d))
	}
	patch(m, 2*n, n, func(i, j int) (p, nrm vec.Vec3) {
		x, y := float64(i%(2*n)), float64(j)
		if j == 0 || j == n {
			x = 0
			return c.Add(at(x, y)), at(x, y).Unit()
		}
		const e = 1e-3
		u := at(x+e, y).Sub(at(x-e, y))
		v := at(x, y+e).Sub(at(x, y-e))
		return c.Add(at(x, y)), v.Cross(u).Unit()
	}, true)
}

// sheet appends a thin curved film of water with round edges.
func sheet(m *mesh.Mesh, n int) {
	mid := func(u, v float64) vec.Vec3 {
		return vec.Vec3{X: 1.25 + 0.25*u + 0.12*v*v, Y: 0.62 + 0.25*u + 0.05*math.Sin(4*v), Z: 0.5 + 0.28*v}
	}
	at := func(s, t float64) (p, nrm vec.Vec3) {
		const e = 1e-4
		// s runs around the film's section, t along it.
		a := 2 * math.Pi * s
		u, v := math.Cos(a), t
		scale := math.Sqrt(max(0, 1-t*t*t*t))
		u *= scale
		k := math.Sin(a) * scale
		du := mid(u+e, v).Sub(mid(u-e, v)).Mul(1 / (2 * e))
		dv := mid(u, v+e).Sub(mid(u, v-e)).Mul(1 / (2 * e))
		across := du.Cross(dv).Unit()
		return mid(u, v).Add(across.Mul(0.014 * k)), across.Mul(k).Add(du.Unit().Mul(0.06 * u)).Unit()
	}
	patch(m, n, n/2, func(i, j int) (p, nrm vec.Vec3) {
		return at(float64(i%n)/float64(n), 2*float64(j)/float64(n/2)-1)
	}, true)
}

// boxMesh returns the faces of b, without normals.
func boxMesh(b vec.Box) *mesh.Mesh {
	g := &geometry{}
	g.addBox(b)
	return &mesh.Mesh{Pos: g.pos, Tri: g.tri}
}
