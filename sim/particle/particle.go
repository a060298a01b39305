// Package particle holds the state of a liquid's particles: the solvers move it, the
// cache stores it, and surfaces and pictures are made from it.
package particle

import (
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// Set is a liquid, one slice a quantity, all of the same length, in the order
// in which the solver keeps them, and the bodies that float in it.
type Set struct {
	X    []vec.Vec3 // position, m
	V    []vec.Vec3 // velocity, m/s
	Rho  []float64  // density, kg/m³
	ID   []uint32   // unique, constant over a particle's life
	Attr []Attr     // what a solver carries from one step to the next

	Bodies []Body // the rigid bodies that move freely, in the order of the scene; not items of the particles
}

// Attr is a named quantity a particle has beyond those every set has, such as
// the pressure an iterative solver starts from.
type Attr struct {
	Name string // lower case, [a-z0-9_]+: it names a property in files
	Data []float64
}

// Len returns the number of particles.
func (s *Set) Len() int { return len(s.X) }

// Carry returns the values of the named attribute. It adds the attribute, all zero, if
// the set lacks it.
func (s *Set) Carry(name string) []float64 {
	for i := range s.Attr {
		if a := &s.Attr[i]; a.Name == name {
			if n := len(s.X) - len(a.Data); n > 0 {
				a.Data = append(a.Data, make([]float64, n)...)
			}
			return a.Data
		}
	}
	s.Attr = append(s.Attr, Attr{name, make([]float64, len(s.X))})
	return s.Attr[len(s.Attr)-1].Data
}

// Round rounds every value to the nearest float32, which is what the cache
// keeps. A run does so at the end of each frame, so that one resumed from a
// file goes on from the same bits as one that was never stopped.
func (s *Set) Round() {
	for i := range s.X {
		s.X[i], s.V[i] = s.X[i].Round(), s.V[i].Round()
	}
	for i, v := range s.Rho {
		s.Rho[i] = float64(float32(v))
	}
	for _, a := range s.Attr {
		for i, v := range a.Data {
			a.Data[i] = float64(float32(v))
		}
	}
	for i := range s.Bodies {
		s.Bodies[i].Round()
	}
}

// Permute reorders the set so that item i comes from order[i]. tmp is scratch
// that is grown as needed and may be shared between calls.
func (s *Set) Permute(order []int32, tmp *Scratch) {
	s.X, tmp.v = par.Permuted(s.X, tmp.v, order)
	s.V, tmp.v = par.Permuted(s.V, tmp.v, order)
	s.Rho, tmp.f = par.Permuted(s.Rho, tmp.f, order)
	s.ID, tmp.u = par.Permuted(s.ID, tmp.u, order)
	for i := range s.Attr {
		a := &s.Attr[i]
		a.Data, tmp.f = par.Permuted(a.Data, tmp.f, order)
	}
}

// Scratch is the memory Permute works in. The zero value is ready to use.
type Scratch struct {
	v []vec.Vec3
	f []float64
	u []uint32
}
