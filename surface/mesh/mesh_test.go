package mesh

import (
	"math"
	"slices"
	"strings"
	"testing"

	"breakwater/sim/vec"
)

func unitBox() *Mesh { return Box(vec.Box{Max: vec.New(1, 2, 3)}) }

func TestShapes(t *testing.T) {
	far := vec.New(1e6, -1e6, 3e5)
	for _, c := range []struct {
		name         string
		m            *Mesh
		volume, area float64
		tol          float64 // relative, of volume and area
	}{
		{"box", unitBox(), 6, 22, 0.01},
		{"box far away", Box(vec.Box{Min: far, Max: far.Add(vec.New(1, 1, 1))}), 1, 6, 0.01},
		{"sphere", Sphere(vec.New(1, 2, 3), 0.5, 64), math.Pi / 6, math.Pi, 0.01},
		{"geodesic sphere", Geodesic(15), 4 * math.Pi / 3, 4 * math.Pi, 0.005},
		{"coarse sphere", Sphere(far, 1, 6), 4 * math.Pi / 3, 4 * math.Pi, 0.5},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := c.m.Check(); err != nil {
				t.Fatal(err)
			}
			if got := c.m.Volume(); math.Abs(got-c.volume) > c.tol*c.volume {
				t.Errorf("volume: got %g, want %g", got, c.volume)
			}
			if got := c.m.Area(); math.Abs(got-c.area) > c.tol*c.area {
				t.Errorf("area: got %g, want %g", got, c.area)
			}
			for i, tri := range c.m.Tri {
				face := c.m.normal(tri[0], tri[1], tri[2])
				if face.Len() == 0 {
					t.Errorf("triangle %d has no area", i)
				}
				for _, v := range tri {
					if face.Dot(c.m.Nrm[v]) <= 0 {
						t.Errorf("normal of vertex %d points into triangle %d", v, i)
					}
				}
			}
		})
	}
}

// TestCheckFinds breaks a sound mesh in each of the ways Check must see.
func TestCheckFinds(t *testing.T) {
	for _, c := range []struct {
		name   string
		damage func(*Mesh)
		want   string
	}{
		{"hole", func(m *Mesh) { m.Tri = m.Tri[1:] }, "3 edges with one triangle"},
		{"flipped triangle", func(m *Mesh) { m.Tri[3][0], m.Tri[3][1] = m.Tri[3][1], m.Tri[3][0] }, "two of opposite orientation"},
		{"triangle twice", func(m *Mesh) { m.Tri = append(m.Tri, m.Tri[0]) }, "more than one triangle on a side"},
		{"index too large", func(m *Mesh) { m.Tri[2][1] = 1000 }, "1 triangles with an index out of range, the first triangle 2"},
		{"negative index", func(m *Mesh) { m.Tri[2][1] = -1 }, "out of range"},
		{"vertex twice", func(m *Mesh) { m.Tri[5][2] = m.Tri[5][1] }, "use a vertex twice"},
		{"loose vertex", func(m *Mesh) { m.Pos = append(m.Pos, vec.Vec3{}); m.Nrm = nil }, "vertices in no triangle"},
		{"NaN position", func(m *Mesh) { m.Pos[7].Y = math.NaN() }, "vertex 7"},
		{"infinite normal", func(m *Mesh) { m.Nrm[4].X = math.Inf(1) }, "normal"},
		{"too few normals", func(m *Mesh) { m.Nrm = m.Nrm[1:] }, "normals for"},
		{"too many velocities", func(m *Mesh) { m.Vel = make([]vec.Vec3, 999) }, "999 velocities"},
		{"two fans at a vertex", func(m *Mesh) {
			// A second sphere that hangs on a vertex of the first.
			n, base := Sphere(vec.New(5, 5, 5), 1, 6), int32(len(m.Pos))
			m.Pos, m.Nrm = append(m.Pos, n.Pos[1:]...), nil
			for _, tri := range n.Tri {
				for k, v := range tri {
					if tri[k] = base + v - 1; v == 0 {
						tri[k] = 0
					}
				}
				m.Tri = append(m.Tri, tri)
			}
		}, "1 vertices where several fans meet, the first vertex 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := Sphere(vec.Vec3{}, 1, 12)
			if err := m.Check(); err != nil {
				t.Fatal(err)
			}
			c.damage(m)
			err := m.Check()
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
	if err := new(Mesh).Check(); err != nil {
		t.Errorf("the empty mesh is a fault: %v", err)
	}
}

// join adds n to m, turned inside out if it is to be a cavity.
func join(m, n *Mesh, cavity bool) {
	base := int32(len(m.Pos))
	m.Pos, m.Nrm = append(m.Pos, n.Pos...), append(m.Nrm, n.Nrm...)
	for _, t := range n.Tri {
		t = [3]int32{t[0] + base, t[1] + base, t[2] + base}
		if cavity {
			t[1], t[2] = t[2], t[1]
		}
		m.Tri = append(m.Tri, t)
	}
}

func TestComponents(t *testing.T) {
	m := Box(vec.Box{Max: vec.New(4, 4, 4)})
	join(m, Sphere(vec.New(2, 2, 2), 1, 32), true)
	join(m, Sphere(vec.New(9, 2, 2), 1, 32), false)
	of, all := m.Components()
	if len(all) != 3 {
		t.Fatalf("got %d components, want 3", len(all))
	}
	ball := Sphere(vec.Vec3{}, 1, 32).Volume()
	for i, want := range []float64{64, -ball, ball} {
		if got := all[i].Volume; math.Abs(got-want) > 0.01*math.Abs(want) {
			t.Errorf("volume of component %d: got %g, want %g", i, got, want)
		}
	}
	if !slices.IsSorted(of) {
		t.Error("the components are not in the order of their vertices")
	}
	r := m.Report()
	if r.Components != 3 || r.Cavities != 1 || r.OpenEdges != 0 {
		t.Errorf("got %d components, %d cavities, %d open edges; want 3, 1, 0", r.Components, r.Cavities, r.OpenEdges)
	}
	if math.Abs(r.Volume-m.Volume()) > 1e-9 || math.Abs(r.Area-m.Area()) > 1e-9 {
		t.Errorf("volume %g and area %g by component, %g and %g of the whole", r.Volume, r.Area, m.Volume(), m.Area())
	}
}

// TestReport measures a regular tetrahedron, whose angles are known.
func TestReport(t *testing.T) {
	m := &Mesh{
		Pos: []vec.Vec3{{X: 1, Y: 1, Z: 1}, {X: 1, Y: -1, Z: -1}, {X: -1, Y: 1, Z: -1}, {X: -1, Y: -1, Z: 1}},
		Tri: [][3]int32{{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}},
	}
	r := m.Report()
	between := 180 - math.Acos(1.0/3)*180/math.Pi // of the normals across an edge
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"volume", r.Volume, 8.0 / 3},
		{"mean of the smallest angles", r.MinAngleMean, 60},
		{"their first percentile", r.MinAngleP1, 60},
		{"mean dihedral", r.DihedralMean, between},
		{"its 95th percentile", r.DihedralP95, between},
	} {
		if math.Abs(c.got-c.want) > 1e-9 {
			t.Errorf("%s: got %g, want %g", c.name, c.got, c.want)
		}
	}
	m.Tri = m.Tri[1:]
	if got := m.Report().OpenEdges; got != 3 {
		t.Errorf("without a face: got %d open edges, want 3", got)
	}
}

// TestRingsInParts collects the rings of two pieces at once, and one after the
// other, the second in two sizes.
func TestRingsInParts(t *testing.T) {
	one := Sphere(vec.Vec3{}, 1, 12)
	var r Rings
	for _, n := range []int{20, 8} {
		both := &Mesh{Pos: slices.Clone(one.Pos), Tri: slices.Clone(one.Tri)}
		two := Sphere(vec.New(5, 0, 0), 1, n)
		both.Pos = append(both.Pos, two.Pos...)
		for _, tri := range two.Tri {
			for k := range tri {
				tri[k] += int32(len(one.Pos))
			}
			both.Tri = append(both.Tri, tri)
		}
		if n == 20 {
			r.Build(one, 0, 0)
		}
		r.Build(both, len(one.Pos), len(one.Tri))
		want := NewRings(both)
		if !slices.Equal(r.Start, want.Start) || !slices.Equal(r.Next, want.Next) || !slices.Equal(r.Prev, want.Prev) {
			t.Errorf("second piece with %d segments: other rings than at once", n)
		}
		for v := range int32(len(both.Pos)) {
			for k := r.Start[v]; k < r.Start[v+1]; k++ {
				tri := [3]int32{v, r.Next[k], r.Prev[k]}
				if !slices.Contains(both.Tri, tri) && !slices.Contains(both.Tri, [3]int32{tri[1], tri[2], tri[0]}) && !slices.Contains(both.Tri, [3]int32{tri[2], tri[0], tri[1]}) {
					t.Fatalf("vertex %d: %v is not a triangle", v, tri)
				}
			}
		}
	}
}
