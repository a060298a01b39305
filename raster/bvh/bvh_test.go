package bvh

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"breakwater/sim/vec"
)

func randomTriangles(rng *rand.Rand, n int, size float64) (pos []vec.Vec3, tri [][3]int32) {
	v := func(s float64) vec.Vec3 {
		return vec.Vec3{X: s * rng.NormFloat64(), Y: s * rng.NormFloat64(), Z: s * rng.NormFloat64()}
	}
	for i := range n {
		c := v(1)
		pos = append(pos, c.Add(v(size)), c.Add(v(size)), c.Add(v(size)))
		k := int32(3 * i)
		tri = append(tri, [3]int32{k, k + 1, k + 2})
	}
	return pos, tri
}

// nearest is Cast by trying every triangle.
func nearest(pos []vec.Vec3, tri [][3]int32, o, d vec.Vec3) Hit {
	best := Hit{T: math.Inf(1), Tri: -1}
	for i, k := range tri {
		t, u, v := Meet(o, d, pos[k[0]], pos[k[1]], pos[k[2]])
		if t > 0 && t < best.T && u >= 0 && v >= 0 && u+v <= 1 {
			best = Hit{t, int32(i), u, v}
		}
	}
	return best
}

// sight returns a ray from somewhere around the triangles to somewhere among
// them.
func sight(rng *rand.Rand) (o, d vec.Vec3) {
	o = vec.Vec3{X: 4 * rng.NormFloat64(), Y: 4 * rng.NormFloat64(), Z: 4 * rng.NormFloat64()}
	return o, vec.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}.Sub(o).Unit()
}

func TestCastAgainstBruteForce(t *testing.T) {
	for _, n := range []int{1, 2, 4, 5, 9, 100, 5000} {
		rng := rand.New(rand.NewPCG(uint64(n), 1))
		pos, tri := randomTriangles(rng, n, 0.3)
		for range n / 10 { // some that have no area, some that lie twice
			i := rng.IntN(n)
			tri = append(tri, [3]int32{tri[i][0], tri[i][0], tri[i][1]}, tri[i])
		}
		b := New(pos, tri)
		for range 400 {
			o, d := sight(rng)
			got, want := b.Cast(o, d, math.Inf(1)), nearest(pos, tri, o, d)
			if (got.Tri < 0) != (want.Tri < 0) {
				// The edges of Cast are a hair wider.
				if h := got; h.Tri >= 0 && min(h.U, h.V, 1-h.U-h.V) < 1e-4 {
					continue
				}
				t.Fatalf("%d triangles: got triangle %d, want %d", n, got.Tri, want.Tri)
			}
			if want.Tri < 0 {
				continue
			}
			if math.Abs(got.T-want.T) > 1e-5*(1+want.T) {
				t.Fatalf("%d triangles: got %d at %g m, want %d at %g m", n, got.Tri, got.T, want.Tri, want.T)
			}
			if h := b.Cast(o, d, 0.999*got.T); h.Tri >= 0 {
				t.Fatalf("%d triangles: %d at %g m is met before %g m", n, h.Tri, h.T, 0.999*got.T)
			}
		}
	}
}

// TestTwins: the tree and the hits have the bits of plain Go.
func TestTwins(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 31, 32, 33, 100, 3000, 20000} {
		for k, size := range []float64{0.02, 0.5, 0.02, 0.5} {
			var wantTree *Tree
			var wantHits []Hit
			twins(func(name string) {
				rng := rand.New(rand.NewPCG(3, uint64(n)))
				pos, tri := randomTriangles(rng, n, size)
				b := New(pos, tri)
				if n > 0 && k >= 2 {
					to := slices.Clone(pos)
					for i := range to {
						to[i].X += 0.3 * rng.NormFloat64()
					}
					b.Move(pos, to, tri)
				}
				if wantTree == nil {
					wantTree = b
				} else if b.root != wantTree.root || !slices.Equal(b.nodes, wantTree.nodes) || !slices.EqualFunc(b.leaves, wantTree.leaves, same) || !slices.Equal(b.cornerMotions, wantTree.cornerMotions) {
					t.Errorf("%s, %d triangles: another tree", name, n)
				}
				var hits []Hit
				var rays []Ray
				for i := range 500 {
					o, d := sight(rng)
					switch i % 8 {
					case 0:
						d = vec.Vec3{X: 1}
					case 1:
						d = vec.Vec3{Z: -1}
					}
					r := Ray{o, d, []float64{math.Inf(1), 3, 1e-3}[i%3], float64(i%5) / 4}
					rays = append(rays, r)
					hits = append(hits, b.CastRay(r))
				}
				for _, n := range []int{0, 1, 7, 8, 9, 500} {
					all := make([]Hit, n)
					b.CastAll(rays[:n], all)
					if !slices.Equal(all, hits[:n]) {
						t.Errorf("%s, %d triangles: %d rays at once have other hits", name, len(tri), n)
					}
				}
				if wantHits == nil {
					wantHits = hits
				} else if !slices.Equal(hits, wantHits) {
					t.Errorf("%s, %d triangles: other hits", name, n)
				}
			})
		}
	}
}

func same(a, b leaf) bool {
	for k := range a.corner {
		for i := range leafSize {
			if bits(a.corner[k][i]) != bits(b.corner[k][i]) {
				return false
			}
		}
	}
	return a.id == b.id
}

// TestLayout: the assembly knows the structures by the offsets of their fields.
func TestLayout(t *testing.T) {
	var n node
	var l leaf
	var q query
	var b box
	for _, c := range []struct {
		name      string
		got, want uintptr
	}{
		{"node", unsafe.Sizeof(n), 224}, {"node.child", unsafe.Offsetof(n.child), 192},
		{"leaf", unsafe.Sizeof(l), 160}, {"leaf.id", unsafe.Offsetof(l.id), 144},
		{"query.d", unsafe.Offsetof(q.d), 24}, {"query.o32", unsafe.Offsetof(q.o32), 64}, {"query.v", unsafe.Offsetof(q.v), 136},
		{"query.ways", unsafe.Offsetof(q.ways), 144}, {"query.when", unsafe.Offsetof(q.when), 152}, {"query", unsafe.Sizeof(q), 160}, {"way", unsafe.Sizeof(cornerMotion{}), 144},
		{"box", unsafe.Sizeof(b), 32}, {"box.upper", unsafe.Offsetof(b.upper), 16}, {"stack", stack, 449},
	} {
		if unsafe.Sizeof(uintptr(0)) == 8 && c.got != c.want {
			t.Errorf("%s: %d, and gen takes it for %d", c.name, c.got, c.want)
		}
	}
}

func TestTreeHoldsEveryTriangleOnce(t *testing.T) {
	for _, n := range []int{0, 1, 4, 5, 6, 1000, 20000} {
		pos, tri := randomTriangles(rand.New(rand.NewPCG(7, uint64(n))), n, 0.1)
		if n == 1000 { // all middles alike: nothing to split by
			for i := range pos {
				pos[i] = pos[i%3]
			}
		}
		b := New(pos, tri)
		var ids []int32
		var walk func(child int32, depth int)
		walk = func(child int32, depth int) {
			if depth > deep+halvings {
				t.Fatalf("%d triangles: deeper than %d", n, depth)
			}
			if child < 0 {
				for _, id := range b.leaves[^child].id {
					if id >= 0 {
						ids = append(ids, id)
					}
				}
				return
			}
			for i, c := range b.nodes[child].child {
				if !math.IsInf(float64(b.nodes[child].box[0][i]), 1) {
					walk(c, depth+1)
				}
			}
		}
		if n > 0 {
			walk(b.root, 0)
		}
		slices.Sort(ids)
		if len(ids) != n || len(slices.Compact(ids)) != n {
			t.Errorf("%d triangles: found %d", n, len(ids))
		}
	}
}
