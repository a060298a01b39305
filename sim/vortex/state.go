package vortex

import (
	"fmt"

	"breakwater/sim/par"
	"breakwater/sim/particle"
	"breakwater/sim/vec"
)

// State is a flow at the end of a frame, as files keep it. A flow that is restored from
// it continues with the same bits.
type State struct {
	Tracers *particle.Set   // with the attributes of Tracers
	Vortons *particle.Set   // with the attributes of Vortons
	Bodies  []particle.Body // those that move freely, in their order
	Rest    []float64       // the number of the next particle, and the temperature of each body in K
}

// vortonAttributes and tracerAttributes name the attributes of the particles of a State.
var (
	vortonAttributes = []string{"wx", "wy", "wz", "radius", "fuel", "flame", "smoke", "age"}
	tracerAttributes = []string{"temperature", "fuel", "flame", "smoke", "age"}
)

// State rounds the flow to float32 and returns a copy of it. The density of a tracer
// follows from its temperature.
func (f *Flow) State(gas *Gas) *State {
	v, t := &f.Vortons, &f.Tracers
	s := &State{Tracers: set(t.X, t.V, t.ID, tracerAttributes), Vortons: set(v.X, v.V, v.ID, vortonAttributes)}
	for i, x := range t.Temperature {
		s.Tracers.Rho[i] = gas.DensityOf(x)
	}
	copy(s.Vortons.Rho, v.Density)
	for k, list := range t.attributes() {
		copy(s.Tracers.Attr[k].Data, *list)
	}
	for k, list := range v.attributes() {
		copy(s.Vortons.Attr[k+3].Data, *list)
	}
	for i, w := range v.W {
		for k, c := range w.Array() {
			s.Vortons.Attr[k].Data[i] = c
		}
	}
	s.Rest = append(s.Rest, float64(f.next))
	s.Bodies = f.free.States()
	for _, b := range f.Bodies {
		s.Rest = append(s.Rest, b.Temperature)
	}
	s.Tracers.Bodies = s.Bodies
	s.Tracers.Round()
	s.Vortons.Round()
	if err := f.Restore(s); err != nil {
		panic(err)
	}
	return s
}

// Restore sets the particles and the free bodies from s, a state of the same flow. Other
// bodies keep their places.
func (f *Flow) Restore(s *State) error {
	free := len(f.free.Bodies)
	if len(s.Bodies) != free || len(s.Rest) != 1+len(f.Bodies) {
		return fmt.Errorf("vortex: the state has %d free bodies of %d, but the flow %d of %d", len(s.Bodies), len(s.Rest)-1, free, len(f.Bodies))
	}
	v, t := &f.Vortons, &f.Tracers
	refill(&v.X, s.Vortons.X)
	refill(&v.V, s.Vortons.V)
	refill(&v.ID, s.Vortons.ID)
	refill(&v.Density, s.Vortons.Rho)
	refill(&t.X, s.Tracers.X)
	refill(&t.V, s.Tracers.V)
	refill(&t.ID, s.Tracers.ID)
	wx, wy, wz := s.Vortons.Carry("wx"), s.Vortons.Carry("wy"), s.Vortons.Carry("wz")
	v.W = par.Resize(v.W, len(v.X))
	for i := range v.W {
		v.W[i] = vec.New(wx[i], wy[i], wz[i])
	}
	for k, list := range v.attributes() {
		refill(list, s.Vortons.Carry(vortonAttributes[3+k]))
	}
	for k, list := range t.attributes() {
		refill(list, s.Tracers.Carry(tracerAttributes[k]))
	}
	f.next = uint32(s.Rest[0])
	for k, b := range f.Bodies {
		b.Temperature = s.Rest[1+k]
	}
	f.restoreFree(s.Bodies)
	return nil
}

// attributes returns the numbers of the vortons that a State keeps beside their vorticity,
// in the order of their names.
func (v *Vortons) attributes() []*[]float64 {
	return []*[]float64{&v.Radius, &v.Mix.Fuel, &v.Mix.Flame, &v.Mix.Smoke, &v.Age}
}

// attributes returns the numbers of the tracers that a State keeps, in the order of their names.
func (t *Tracers) attributes() []*[]float64 {
	return []*[]float64{&t.Temperature, &t.Mix.Fuel, &t.Mix.Flame, &t.Mix.Smoke, &t.Age}
}

// set returns particles with attributes that are zero.
func set(x, v []vec.Vec3, id []uint32, attributes []string) *particle.Set {
	s := &particle.Set{X: copied(x), V: copied(v), ID: copied(id), Rho: make([]float64, len(x))}
	for _, name := range attributes {
		s.Carry(name)
	}
	return s
}

// refill sets a list to the values of another, in its own memory where that suffices.
func refill[T any](list *[]T, values []T) { *list = append((*list)[:0], values...) }

func copied[T any](list []T) []T { return append([]T{}, list...) }
