package biot

import (
	"math"

	"breakwater/sim/vec"
)

const (
	lanes = 16  // points of a group
	tile  = 512 // particles between additions in double precision
)

// source is a particle in units of Sums: position, square of the radius, strength, and
// the square of the radius times ½ for Core and 3/2 for the others. The assembly knows
// the layout.
type source struct{ x, y, z, s2, ax, ay, az, s3 float32 }

// vector has a number for each point of a group.
type vector [lanes]float32

// group is sixteen points and the sums at them, in units of Sums. The assembly knows the
// layout.
type group struct {
	x, y, z vector
	u       [3]vector // Σ g α×d
	w       [3]vector // Σ g α
	m       [8]vector // Σ h (α×d)_i d_j without the last, by rows; its trace is 0
}

// Sums is the work space of one goroutine that sums over particles, a part of them at a
// time. It is for sources in three dimensions.
type Sums struct {
	kernel   Kernel
	gradient bool
	unit     float64 // m
	origin   vec.Vec3
	groups   []group
	tile     [tile]source
	n        int // particles in tile
	u        []vec.Vec3
	w        []vec.Vec3
	m        [][8]float64
	points   []vec.Vec3
}

// NewSums returns a work space for sums of a kernel. The unit of length, in m, comes from
// Unit.
func NewSums(k Kernel, unit float64, gradient bool) *Sums {
	return &Sums{kernel: k, unit: unit, gradient: gradient}
}

// Start begins the sums at points, which must stay as they are until the results are
// read.
func (s *Sums) Start(points []vec.Vec3) {
	n := len(points)
	s.points, s.n = points, 0
	s.u = cleared(s.u, n)
	if s.gradient {
		s.w, s.m = cleared(s.w, n), cleared(s.m, n)
	}
	box := vec.Empty()
	for _, p := range points {
		box = box.Include(p)
	}
	s.origin = box.Center()
	s.groups = cleared(s.groups, (n+lanes-1)/lanes)
	for i := range len(s.groups) * lanes {
		g, l := &s.groups[i/lanes], i%lanes
		p := points[min(i, n-1)].Sub(s.origin).Mul(1 / s.unit)
		g.x[l], g.y[l], g.z[l] = float32(p.X), float32(p.Y), float32(p.Z)
	}
}

// cleared returns a slice of n zero values, in the memory of v if that is large enough.
func cleared[T any](v []T, n int) []T {
	if cap(v) < n {
		return make([]T, n)
	}
	v = v[:n]
	clear(v)
	return v
}

// Add adds the fields of more particles.
func (s *Sums) Add(sources *Sources) {
	third, scale := s.kernel.third(), 1/s.unit
	for j, x := range sources.X {
		if s.n == tile {
			s.flush()
		}
		x, a, r := x.Sub(s.origin).Mul(scale), sources.Alpha[j], scale*sources.Radius[j]
		p := &s.tile[s.n] // a value of source would be built elsewhere and copied, which is slow
		p.x, p.y, p.z, p.s2 = float32(x.X), float32(x.Y), float32(x.Z), float32(r*r)
		p.ax, p.ay, p.az, p.s3 = float32(a.X), float32(a.Y), float32(a.Z), float32(third*r*r)
		s.n++
	}
}

// flush adds the particles in the tile to the sums in double precision.
func (s *Sums) flush() {
	if s.n == 0 {
		return
	}
	for i := range s.groups {
		g := &s.groups[i]
		g.u = [3]vector{}
		if s.gradient {
			g.w, g.m = [3]vector{}, [8]vector{}
		}
	}
	s.sum(s.tile[:s.n])
	for i := range s.groups {
		g := &s.groups[i]
		lo := i * lanes
		for l := range min(lanes, len(s.points)-lo) {
			s.u[lo+l] = s.u[lo+l].Add(at(&g.u, l))
			if s.gradient {
				s.w[lo+l] = s.w[lo+l].Add(at(&g.w, l))
				m := &s.m[lo+l]
				for k := range m {
					m[k] += float64(g.m[k][l])
				}
			}
		}
	}
	s.n = 0
}

// at returns the vector of point l.
func at(v *[3]vector, l int) vec.Vec3 {
	return vec.New(float64(v[0][l]), float64(v[1][l]), float64(v[2][l]))
}

// Velocity sets dst to the velocities at the points, in m/s.
func (s *Sums) Velocity(dst []vec.Vec3) {
	s.flush()
	scale := 1 / (4 * math.Pi * s.unit * s.unit)
	for i, u := range s.u {
		dst[i] = u.Mul(scale)
	}
}

// Gradient sets dst to the gradients of the velocities at the points, in 1/s:
//
//	∂u_i/∂x_j = 1/(4π) Σ (g ε_ikj α_k + g'/|d| (α×d)_i d_j).
func (s *Sums) Gradient(dst []Gradient) {
	s.flush()
	scale := 1 / (4 * math.Pi * s.unit * s.unit * s.unit)
	for i, w := range s.w {
		m := &s.m[i]
		g := Gradient{
			vec.New(m[0], m[1]-w.Z, m[2]+w.Y),
			vec.New(m[3]+w.Z, m[4], m[5]-w.X),
			vec.New(m[6]-w.Y, m[7]+w.X, -m[0]-m[4]),
		}
		dst[i] = (&Gradient{}).add(g, scale)
	}
}

// sumGo adds the fields of particles to the sums of all groups.
func (s *Sums) sumGo(list []source) {
	for i := range s.groups {
		points := min(lanes, len(s.points)-i*lanes)
		if s.gradient {
			gradientGo(s.kernel, &s.groups[i], points, list)
		} else {
			velocityGo(s.kernel, &s.groups[i], points, list)
		}
	}
}

// velocityGo adds the sums over the particles to g.u, for the first points of g.
func velocityGo(k Kernel, g *group, points int, tile []source) {
	for l := range points {
		ux, uy, uz := g.u[0][l], g.u[1][l], g.u[2][l]
		x, y, z := g.x[l], g.y[l], g.z[l]
		for j := range tile {
			p := &tile[j]
			dx, dy, dz := x-p.x, y-p.y, z-p.z
			f, _ := k.factors(float32(float32(dx*dx)+float32(dy*dy))+float32(dz*dz), p.s2, p.s3)
			cx := float32(p.ay*dz) - float32(p.az*dy)
			cy := float32(p.az*dx) - float32(p.ax*dz)
			cz := float32(p.ax*dy) - float32(p.ay*dx)
			ux += float32(cx * f)
			uy += float32(cy * f)
			uz += float32(cz * f)
		}
		g.u[0][l], g.u[1][l], g.u[2][l] = ux, uy, uz
	}
}

// gradientGo adds the sums over the particles to g.u, g.w and g.m, for the first points
// of g.
func gradientGo(k Kernel, g *group, points int, tile []source) {
	for l := range points {
		ux, uy, uz := g.u[0][l], g.u[1][l], g.u[2][l]
		wx, wy, wz := g.w[0][l], g.w[1][l], g.w[2][l]
		var m [8]float32
		for k := range m {
			m[k] = g.m[k][l]
		}
		x, y, z := g.x[l], g.y[l], g.z[l]
		for j := range tile {
			p := &tile[j]
			dx, dy, dz := x-p.x, y-p.y, z-p.z
			f, h := k.factors(float32(float32(dx*dx)+float32(dy*dy))+float32(dz*dz), p.s2, p.s3)
			cx := float32(p.ay*dz) - float32(p.az*dy)
			cy := float32(p.az*dx) - float32(p.ax*dz)
			cz := float32(p.ax*dy) - float32(p.ay*dx)
			ux += float32(cx * f)
			uy += float32(cy * f)
			uz += float32(cz * f)
			wx += float32(p.ax * f)
			wy += float32(p.ay * f)
			wz += float32(p.az * f)
			cx, cy, cz = float32(cx*h), float32(cy*h), float32(cz*h)
			m[0] += float32(cx * dx)
			m[1] += float32(cx * dy)
			m[2] += float32(cx * dz)
			m[3] += float32(cy * dx)
			m[4] += float32(cy * dy)
			m[5] += float32(cy * dz)
			m[6] += float32(cz * dx)
			m[7] += float32(cz * dy)
		}
		g.u[0][l], g.u[1][l], g.u[2][l] = ux, uy, uz
		g.w[0][l], g.w[1][l], g.w[2][l] = wx, wy, wz
		for k := range m {
			g.m[k][l] = m[k]
		}
	}
}
