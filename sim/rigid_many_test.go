package sim

import (
	"math"
	"runtime"
	"slices"
	"testing"

	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/boundary/walltest"
	"breakwater/sim/longtest"
	"breakwater/sim/particle"
	"breakwater/sim/registry/registrytest"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// strewn returns a tank with water to half its height and about as many bodies as
// asked for in and above it, each a ball of 224 triangles.
func strewn(t testing.TB, spacing float64, size vec.Vec3, bodies int) *World {
	t.Helper()
	w := New(spacing, 1000)
	w.Gravity = earth
	w.Walls = []boundary.Boundary{&boundary.Box{Max: vec.New(size.X, 2*size.Y, size.Z), Inside: true}}
	radius := 2.2 * spacing
	across := int(math.Ceil(math.Sqrt(float64(bodies))))
	for k := range bodies {
		at := vec.New((float64(k%across)+0.5)*size.X/float64(across), size.Y/2+radius*float64(k%3-1), (float64(k/across)+0.5)*size.Z/float64(across))
		// One shape for all, so that all find one grid.
		b, err := body.NewRigid(walltest.Mesh(t, mesh.Sphere(vec.Vec3{}, radius, 16), false), 200+10*float64(k%60), 0, 0.5)
		if err != nil {
			t.Fatal(err)
		}
		b.Free.Start.X = at
		b.Free.Start.Turn = vec.Turn(vec.New(float64(k), 1, 0))
		w.Walls = append(w.Walls, b)
		b.PutAtStart()
	}
	w.Fill(&shape.Box{Max: vec.New(size.X, size.Y/2, size.Z)}, vec.Vec3{})
	mustInit(t, w)
	return w
}

// TestManyBodies checks that 100 bodies give the same bytes on any number of threads.
func TestManyBodies(t *testing.T) {
	longtest.Only(t)
	var want []particle.Body
	var liquid uint64
	for _, threads := range []int{1, 2, 3, 8} {
		func() {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
			w := strewn(t, 0.05, vec.New(2.6, 0.5, 2.6), 100)
			mustAdvance(t, w, registrytest.New(t, &Solvers, "iisph"), 0.03, nil)
			if want == nil {
				want, liquid = slices.Clone(w.Set.Bodies), sum(w)
			}
			if !slices.Equal(w.Set.Bodies, want) || sum(w) != liquid {
				t.Errorf("%d threads give other bytes", threads)
			}
		}()
	}
	for _, b := range want {
		if !b.X.Finite() || b.V.Len() > 3 {
			t.Errorf("a body at %v goes at %v", b.X, b.V)
		}
	}
}

// TestSolidsNear checks that a block's list has all solids closer than h to its
// particles, and few others.
func TestSolidsNear(t *testing.T) {
	longtest.NotShort(t)
	w := strewn(t, 0.05, vec.New(1.6, 0.6, 1.6), 25)
	mustAdvance(t, w, registrytest.New(t, &Solvers, "iisph"), 0.05, nil)
	p, err := w.updateNeighbors(nil)
	if err != nil {
		t.Fatal(err)
	}
	h := w.Kernel.H()
	listed := 0
	for b := range blocks(p.n) {
		blk := &p.blocks[b]
		listed += len(blk.bodies)
		for i := b * blockLen; i < min(p.n, (b+1)*blockLen); i++ {
			for k, b := range w.rigid.Bodies {
				if d, _ := b.Dist(w.X[i]); d < h && !slices.Contains(blk.bodies, int32(k)) {
					t.Fatalf("block %d lacks body %d, %.3f h from particle %d", i/blockLen, k, d/h, i)
				}
			}
			for _, wall := range w.fixed() {
				if d, _ := wall.Dist(w.X[i]); d < h && !slices.Contains(blk.solids, wall) {
					t.Fatalf("block %d lacks a wall, %.3f h from particle %d", b, d/h, i)
				}
			}
		}
	}
	if all := blocks(p.n) * len(w.rigid.Bodies); listed == 0 || listed > all/2 {
		t.Errorf("the blocks list %d of %d bodies", listed, all)
	}
}
