package mesh

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"breakwater/sim/vec"
)

// Check reports whether m bounds a solid. Every index is in range, and no triangle uses a
// vertex twice. Every vertex is in a triangle and finite. Every edge has exactly two
// triangles that run along it in opposite directions. The triangles around every vertex
// form one fan. Normals and velocities must be absent or one per vertex, and finite.
//
// The error names each kind of fault with its count and the first place.
func (m *Mesh) Check() error {
	if err := m.CheckData(); err != nil {
		return err // the rest would index out of range
	}
	var degenerate fault
	for i, t := range m.Tri {
		if t[0] == t[1] || t[1] == t[2] || t[2] == t[0] {
			degenerate.add("triangle %d with %v", i, t)
		}
	}
	if err := degenerate.err("triangles that use a vertex twice"); err != nil {
		return err
	}
	r := ringPool.Get().(*Rings)
	defer ringPool.Put(r)
	r.Build(m, 0, 0)
	var unused, open, crowded, fans fault
	for v := range int32(len(m.Pos)) {
		next, prev := r.Of(v), r.Prev[r.Start[v]:r.Start[v+1]]
		if len(next) == 0 {
			unused.add("vertex %d at %v", v, m.Pos[v])
			continue
		}
		if oneFan(next, prev) {
			continue // which visits all of next once: it is sound
		}
		sound := true
		for k, u := range next {
			if i := slices.Index(next, u); i < k {
				sound = false
				crowded.add("from vertex %d at %v to %d at %v", v, m.Pos[v], u, m.Pos[u])
			}
			if !slices.Contains(r.Of(u), v) {
				sound = false
				open.add("between vertices %d at %v and %d at %v", v, m.Pos[v], u, m.Pos[u])
			}
		}
		if sound {
			fans.add("vertex %d at %v", v, m.Pos[v])
		}
	}
	return errors.Join(
		unused.err("vertices in no triangle"),
		open.err("edges with one triangle, or with two of opposite orientation"),
		crowded.err("edges with more than one triangle on a side"),
		fans.err("vertices where several fans meet"))
}

// ringPool keeps the memory of Check: films check a mesh a frame.
var ringPool = sync.Pool{New: func() any { return new(Rings) }}

// CheckData reports an error if the mesh cannot be walked or drawn: indices must be in
// range, normals and velocities as many as vertices or none, and values finite.
func (m *Mesh) CheckData() error {
	var index fault
	n := int32(len(m.Pos))
	for i, t := range m.Tri {
		if min(t[0], t[1], t[2]) < 0 || max(t[0], t[1], t[2]) >= n {
			index.add("triangle %d with %v, for %d vertices", i, t, n)
		}
	}
	errs := []error{index.err("triangles with an index out of range")}
	for _, a := range [...]struct {
		one, many string
		v         []vec.Vec3
	}{{"position", "positions", m.Pos}, {"normal", "normals", m.Nrm}, {"velocity", "velocities", m.Vel}} {
		if l := len(a.v); l != 0 && l != len(m.Pos) {
			errs = append(errs, fmt.Errorf("mesh: %d %s for %d vertices", l, a.many, n))
		}
		if v := vec.NotFinite(a.v); v >= 0 {
			errs = append(errs, fmt.Errorf("mesh: the %s %v of vertex %d is not finite", a.one, a.v[v], v))
		}
	}
	return errors.Join(errs...)
}

// oneFan reports whether stepping from next to prev through the triangles
// around a vertex visits them all before it comes back.
func oneFan(next, prev []int32) bool {
	at := 0
	for steps := 1; steps <= len(next); steps++ {
		at = slices.Index(next, prev[at])
		if at < 0 {
			return false
		}
		if at == 0 {
			return steps == len(next)
		}
	}
	return false
}

// fault counts the faults of one kind and keeps the first.
type fault struct {
	n     int
	first string
}

func (f *fault) add(format string, a ...any) {
	if f.n == 0 {
		f.first = fmt.Sprintf(format, a...)
	}
	f.n++
}

func (f *fault) err(what string) error {
	if f.n == 0 {
		return nil
	}
	return fmt.Errorf("mesh: %d %s, the first %s", f.n, what, f.first)
}
