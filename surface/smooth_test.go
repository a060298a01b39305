package surface

import (
	"math"
	"slices"
	"testing"

	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// rough is a sphere of bumps, made ready to be smoothed.
func rough() *vertices {
	m := mesh.Sphere(vec.Vec3{}, 1, 32)
	for i, p := range m.Pos {
		m.Pos[i] = p.Mul(1 + 0.05*float64(i%3-1))
	}
	s := &vertices{Mesh: m, kind: make([]kind, len(m.Pos)), constraints: make([]constraint, len(m.Pos)), part: make([]int32, len(m.Pos)), parts: 1}
	s.rings.Build(m, 0, 0)
	s.order()
	s.link()
	return s
}

// evenly is the weight 1 at any distance of the neighbours.
func evenly(int32) (most, e2 float64) { return 1, math.Inf(1) }

// TestRelax compares a pass with its formula, for vertices with and without weight. Some
// weights fall with the distance of the neighbours. The test also checks that five passes
// remove the roughness.
func TestRelax(t *testing.T) {
	s := rough()
	before := slices.Clone(s.Pos)
	weight := func(v int32) (most, e2 float64) {
		if v%5 == 0 {
			return float64(v%3) / 2, 1e-3
		}
		return float64(v%3) / 2, math.Inf(1)
	}
	bumps := s.Report().DihedralMean
	s.relax(1, weight, nil)
	fell := 0
	for v, p := range s.Pos {
		ring := s.rings.Of(int32(v))
		var mean vec.Vec3
		var e2 float64
		for _, u := range ring {
			mean = mean.Add(before[u].Mul(1 / float64(len(ring))))
			e2 += math.Pow(before[u].Sub(before[v]).Len(), 2) / float64(len(ring))
		}
		most, from := weight(int32(v))
		w := most
		if e2 > from {
			w *= from / e2
			fell++
		}
		if want := before[v].Lerp(mean, w); p.Sub(want).Len() > 1e-7 {
			t.Fatalf("vertex %d of weight %g: got %v, want %v", v, w, p, want)
		}
	}
	if fell == 0 {
		t.Error("no weight fell with the distance of the neighbours")
	}
	s.relax(5, evenly, nil)
	if got := s.Report().DihedralMean; got > bumps/2 {
		t.Errorf("mean dihedral %g after smoothing, %g before", got, bumps)
	}
}

// TestRelaxSlides holds a sphere by its own normals, by one direction, and by
// three.
func TestRelaxSlides(t *testing.T) {
	for name, held := range map[string]func(p vec.Vec3) constraint{
		"normals": func(p vec.Vec3) constraint { return constraint{n: 1, dirs: [3]vec.Vec3{p.Unit()}} },
		"planes":  func(p vec.Vec3) constraint { return constraint{n: 1, dirs: [3]vec.Vec3{vec.New(0.6, 0.8, 0)}} },
		"corners": func(p vec.Vec3) constraint { return constraint{n: 3, dirs: [3]vec.Vec3{{X: 1}, {Y: 1}, {Z: 1}}} },
	} {
		s := rough()
		for v, p := range s.Pos {
			s.kind[v], s.constraints[v] = wall, held(p)
		}
		before := slices.Clone(s.Pos)
		s.order()
		s.link()
		s.relax(3, evenly, nil)
		moved := 0.0
		for v, p := range s.Pos {
			step := p.Sub(before[v])
			for _, d := range s.constraints[v].dirs[:s.constraints[v].n] {
				if e := math.Abs(step.Dot(d)); e > 1e-6 {
					t.Fatalf("%s: vertex %d moved by %g along what holds it", name, v, e)
				}
			}
			moved = max(moved, step.Len())
		}
		if (moved > 0.01) != (name != "corners") {
			t.Errorf("%s: vertices moved by up to %g", name, moved)
		}
	}
}
