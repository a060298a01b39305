package surface

import (
	"math"
	"math/rand/v2"
	"path"
	"reflect"
	"slices"
	"testing"

	"breakwater/sim/longtest"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
	"breakwater/surface/meshtest"
)

// coarse calls f with every method, made to coarsen its meshes.
func coarse(t *testing.T, adaptive float64, triangles int, f func(t *testing.T, m Method)) {
	for _, e := range Methods.Entries() {
		t.Run(e.Name, func(t *testing.T) {
			m, err := e.New(func(dst any) error {
				set(dst, adaptive, triangles)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			f(t, m)
		})
	}
}

// set gives a method its settings of coarse meshes.
func set(dst any, adaptive float64, triangles int) {
	v := reflect.ValueOf(dst).Elem()
	v.FieldByName("Adaptive").SetFloat(adaptive)
	v.FieldByName("Triangles").SetInt(int64(triangles))
}

// sameVolumes compares the pieces of two meshes, which must have as many.
func sameVolumes(t *testing.T, got, want *mesh.Mesh, off float64) {
	t.Helper()
	volumes := func(m *mesh.Mesh) (v []float64) {
		_, all := m.Components()
		for _, p := range all {
			v = append(v, p.Volume)
		}
		slices.Sort(v)
		return v
	}
	a, b := volumes(got), volumes(want)
	if len(a) != len(b) {
		t.Errorf("%d pieces, want %d", len(a), len(b))
		return
	}
	for k := range a {
		if math.Abs(a[k]-b[k]) > off*math.Abs(b[k]) {
			t.Errorf("a piece holds %.6g, want %.6g", a[k], b[k])
		}
	}
}

// TestCoarsen makes the meshes of a splash in a tank coarser by a tolerance and to a
// number of triangles. They must be sound. Their pieces keep their volumes and places,
// stay on their walls, and no triangle may be turned from its vertices' normals.
func TestCoarsen(t *testing.T) {
	longtest.Only(t)
	c := splash(5000)
	r := c.Spacing / 2
	fine := map[string]*mesh.Mesh{}
	family(t, func(t *testing.T, m Method) { fine[t.Name()] = surfaceOf(t, m, c) })
	for _, k := range []struct {
		name      string
		adaptive  float64
		triangles int
		left      float64 // share of the triangles, at most
		mean, max float64 // of the way of the surface, radii
	}{
		{"tolerance", 0.05, 0, 0.3, 0.03, 0.5},
		{"number", 0, 5000, 1, 0.08, 0.6},
	} {
		t.Run(k.name, func(t *testing.T) {
			coarse(t, k.adaptive, k.triangles, func(t *testing.T, m Method) {
				got := surfaceOf(t, m, c)
				want := fine["TestCoarsen/"+t.Name()[len("TestCoarsen/"+k.name+"/"):]]
				sameVolumes(t, got, want, 1e-3)
				if n := len(got.Tri); k.triangles > 0 && (n > k.triangles || n < k.triangles-2) {
					t.Errorf("%d triangles, want %d", n, k.triangles)
				}
				if n := float64(len(got.Tri)) / float64(len(want.Tri)); n > k.left {
					t.Errorf("%.3f of the triangles are left", n)
				}
				for _, d := range [][2]*mesh.Mesh{{got, want}, {want, got}} {
					mean, largest := meshtest.Deviation(d[0], d[1])
					if mean > k.mean*r || largest > k.max*r {
						t.Errorf("the surface has moved by %.3g radii in the mean and %.3g at most", mean/r, largest/r)
					}
				}
				var was, is float64 // area under walls
				for _, x := range []struct {
					m    *mesh.Mesh
					area *float64
				}{{want, &was}, {got, &is}} {
					for _, tri := range x.m.Tri {
						a, b, d := x.m.Pos[tri[0]], x.m.Pos[tri[1]], x.m.Pos[tri[2]]
						on := 0
						for _, p := range [...]vec.Vec3{a, b, d} {
							if e, _ := c.Walls[0].Dist(p); e < 1e-5*r {
								on++
							}
							if e, _ := c.Walls[0].Dist(p); e < -1e-5*r {
								t.Fatalf("%v lies %.3g radii behind a wall", p, -e/r)
							}
						}
						if on == 3 {
							*x.area += b.Sub(a).Cross(d.Sub(a)).Len() / 2
						}
					}
				}
				if math.Abs(is/was-1) > 0.01 {
					t.Errorf("%g m² lie on walls, want %g", is, was)
				}
				angles := got.Report()
				if angles.MinAngleMean < 36 || angles.MinAngleP1 < 12 {
					t.Errorf("angles of %.3g° in the mean, of %.3g° for one in a hundred", angles.MinAngleMean, angles.MinAngleP1)
				}
			})
		})
	}
}

// TestCoarsenCalm checks that coarsening still water in a tank leaves little but the lines where
// it meets the walls, and that it stays flat and level.
func TestCoarsenCalm(t *testing.T) {
	const d = 0.02
	box := vec.Box{Max: vec.New(40*d, 8*d, 30*d)}
	c := Cloud{Spacing: d, Walls: []Wall{tank{vec.Box{Max: vec.New(40*d, 1, 30*d)}, 2 * d}}}
	c.X = lattice(box, d, 0.05, 5)
	var fine int
	family(t, func(t *testing.T, m Method) {
		if _, ok := m.(*sph); ok {
			fine = len(surfaceOf(t, m, c).Tri)
		}
	})
	coarse(t, 0.05, 0, func(t *testing.T, m Method) {
		if _, ok := m.(*sph); !ok {
			return
		}
		got := surfaceOf(t, m, c)
		if share := float64(len(got.Tri)) / float64(fine); share > 0.12 {
			t.Errorf("%d triangles of %d are left", len(got.Tri), fine)
		}
		for v, p := range got.Pos {
			if got.Nrm[v].Y > 0.5 && math.Abs(p.Y-8*d) > 0.1*d {
				t.Fatalf("%v is off the water's level", p)
			}
			if e, _ := box.Grow(0.05 * d).Dist(p); e > 0 {
				t.Fatalf("%v is outside the water", p)
			}
		}
		for _, tri := range got.Tri {
			for k := range 3 {
				if l := got.Pos[tri[k]].Sub(got.Pos[tri[(k+1)%3]]).Len(); l > (longestSide+1)*d {
					t.Fatalf("a side is %.3g spacings long", l/d)
				}
			}
		}
	})
}

// TestCoarsenDrops makes drops as coarse as they get: each must stay a closed
// body of its volume.
func TestCoarsenDrops(t *testing.T) {
	longtest.NotShort(t)
	const d = 0.02
	c := Cloud{Spacing: d}
	for k := range 12 {
		center := vec.New(float64(k)*0.5, 1e4, 0.2)
		for _, p := range lattice(vec.Box{Min: center.Sub(vec.New(4*d, 4*d, 4*d)), Max: center.Add(vec.New(4*d, 4*d, 4*d))}, d, 0.15, uint64(k)) {
			if p.Sub(center).Len() < d*(0.6+0.25*float64(k)) {
				c.X = append(c.X, p)
			}
		}
	}
	fine := map[string]*mesh.Mesh{}
	family(t, func(t *testing.T, m Method) { fine[t.Name()] = surfaceOf(t, m, c) })
	t.Run("coarse", func(t *testing.T) {
		coarse(t, 0, 1, func(t *testing.T, m Method) {
			got := surfaceOf(t, m, c)
			want := fine["TestCoarsenDrops/"+t.Name()[len("TestCoarsenDrops/coarse/"):]]
			sameVolumes(t, got, want, 1e-6)
			if len(got.Tri) > len(want.Tri)/5 {
				t.Errorf("%d triangles are left of %d", len(got.Tri), len(want.Tri))
			}
		})
	})
}

// TestCoarsenRandomly coarsens the meshes of random particles in tanks with a ball in
// them, where walls bend and meet the liquid in all ways.
func TestCoarsenRandomly(t *testing.T) {
	longtest.Only(t)
	for _, k := range []struct {
		adaptive  float64
		triangles int
	}{{0.1, 0}, {1, 0}, {0, 500}, {0.02, 1}} {
		coarse(t, k.adaptive, k.triangles, func(t *testing.T, m Method) {
			for seed := range uint64(6) {
				c, box := ballInBox(seed, 20+130*int(seed))
				for _, p := range surfaceOf(t, m, c).Pos {
					if !box.Grow(0.01 * c.Spacing).Contains(p) {
						t.Fatalf("seed %d: vertex %v lies outside of %v", seed, p, box)
					}
				}
			}
		})
	}
}

func TestCoarsenSameForAnyThreads(t *testing.T) {
	c := splash(4000)
	coarse(t, 0.03, 3000, func(t *testing.T, m Method) {
		if path.Base(t.Name()) != "sph" { // the others coarsen their meshes with the same code
			longtest.Only(t)
		}
		sameForAnyThreads(t, m, c)
	})
}

// TestQuadric compares a quadric that is moved and added to with the sum over its planes,
// and its inverse with its matrix.
func TestQuadric(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	random := func() vec.Vec3 { return vec.New(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()) }
	type plane struct {
		p, n vec.Vec3
		area float64
	}
	var planes []plane
	var sum quadric
	center := random()
	for range 5 {
		p := random()
		var q quadric
		for range 4 {
			x := plane{p, random().Unit(), rng.Float64()}
			q.plane(x.n, x.area)
			planes = append(planes, x)
		}
		q.move(center.Sub(p))
		sum.add(&q)
	}
	for range 20 {
		x := random()
		var want, area float64
		for _, p := range planes {
			d := center.Add(x).Sub(p.p).Dot(p.n)
			want, area = want+p.area*d*d, area+p.area
		}
		if got := sum.at(x); math.Abs(got-want) > 1e-12*want || math.Abs(sum.area-area) > 1e-12*area {
			t.Fatalf("at %v: %g over %g m², want %g over %g", x, got, sum.area, want, area)
		}
		i, ok := sum.inverse()
		if back := i.Times(sum.a.Times(x)); !ok || back.Sub(x).Len() > 1e-10 {
			t.Fatalf("the inverse gives %v for %v", back, x)
		}
	}
	var flat quadric
	flat.plane(vec.New(0, 1, 0), 2)
	if _, ok := flat.inverse(); ok {
		t.Error("one plane has an inverse")
	}
}
