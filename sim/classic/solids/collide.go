package solids

import (
	"runtime"
	"sync"
	"sync/atomic"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// Tracers are particles that bounce.
type Tracers struct {
	X, V   []vec.Vec3
	Radius float64 // m
	Mass   float64 // kg

	last [][]int32 // of each solid: the plane that parted it from each particle
}

// Push is what a body gets from the particles: an impulse in N s, and one about
// its centre in N m s; and how many hit it.
type Push struct {
	Lin, Ang vec.Vec3
	Hits     int
}

func (p Push) add(o Push) Push { return Push{p.Lin.Add(o.Lin), p.Ang.Add(o.Ang), p.Hits + o.Hits} }

// passes is how often a particle is looked at, so that what one solid throws into
// another gets out of that too.
const passes = 3

// bounce is the share of a particle's speed into a body after a hit: the article
// reverses 1.01 of it.
const bounce = 1.01

// grain is how many particles a leaf of the tree of sums has. It depends on no
// machine, so nor do the sums.
const grain = 512

// ready makes room to remember planes.
func (t *Tracers) ready(solids []*Solid) {
	if len(t.last) != len(solids) || len(t.last) > 0 && len(t.last[0]) != len(t.X) {
		t.last = make([][]int32, len(solids))
		for k := range t.last {
			t.last[k] = make([]int32, len(t.X))
		}
	}
}

// hit lets the particles from lo to hi, at most grain of them, bounce off the solids, and adds to sums
// what each solid gets.
func (t *Tracers) hit(solids []*Solid, sums []Push, lo, hi int) {
	r := t.Radius
	reach := make([]zone, len(solids))
	for k, s := range solids {
		reach[k] = s.zone(r)
	}
	var list [grain]int32
	for _, n := range near(list[:], t.X[lo:hi], group(reach)) {
		i := lo + int(n)
		for range passes {
			again := false
			for k := range reach {
				if !reach[k].holds(&t.X[i]) {
					continue
				}
				s := solids[k]
				if !s.Hole && s.Apart(t.X[i], r, &t.last[k][i]) {
					continue
				}
				x, n, ok := s.touch(t.X[i], t.V[i], r)
				if !ok {
					continue
				}
				again = true
				sums[k].Hits++
				t.X[i] = x.Add(n.Mul(r * (1 + 1e-4)))
				if in := t.V[i].Sub(s.At(x)).Dot(n); in < 0 {
					dv := n.Mul(-bounce * in)
					t.V[i] = t.V[i].Add(dv)
					p := dv.Mul(-t.Mass)
					sums[k].Lin, sums[k].Ang = sums[k].Lin.Add(p), sums[k].Ang.Add(x.Sub(s.X).Cross(p))
				}
			}
			if !again {
				break
			}
		}
	}
}

// touch returns where a ball at q is in contact with the surface and the normal there,
// towards the particles. ok is false without a contact.
func (s *Solid) touch(q, v vec.Vec3, r float64) (x, n vec.Vec3, ok bool) {
	if s.Hole {
		d, k := s.Contact(q)
		if -d >= r {
			return x, n, false
		}
		x, n = s.Point(q, d, k)
		return x, n.Neg(), true
	}
	d, k := s.collision(q, v, r)
	if d >= r {
		return x, n, false
	}
	x, n = s.Point(q, d, k)
	return x, n, true
}

// Collide lets the particles bounce off the solids and returns what each of these
// gets. The impulses of grain particles are added up one after the other, and
// those sums in a binary tree: the bits are the same on any number of threads.
func (t *Tracers) Collide(solids []*Solid) []Push {
	t.ready(solids)
	leaves := make([][]Push, (len(t.X)+grain-1)/grain)
	par.Each(len(leaves), func(b int) {
		leaves[b] = make([]Push, len(solids))
		t.hit(solids, leaves[b], b*grain, min(len(t.X), (b+1)*grain))
	})
	sums := make([]Push, len(solids))
	if len(leaves) > 0 {
		for k := range sums {
			sums[k] = tree(leaves, k)
		}
	}
	return sums
}

func tree(leaves [][]Push, k int) Push {
	if n := len(leaves); n > 1 {
		return tree(leaves[:n/2], k).add(tree(leaves[n/2:], k))
	}
	return leaves[0][k]
}

// CollideAsItComes is Collide without the tree: each thread adds the pushes it found
// when it is done with a piece. The last bits differ from run to run, and it
// is here to be compared.
func (t *Tracers) CollideAsItComes(solids []*Solid) []Push {
	t.ready(solids)
	sums := make([]Push, len(solids))
	var next atomic.Int64
	var mu sync.Mutex
	var all sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for {
				lo := int(next.Add(grain)) - grain
				if lo >= len(t.X) {
					return
				}
				own := make([]Push, len(solids))
				t.hit(solids, own, lo, min(len(t.X), lo+grain))
				mu.Lock()
				for k := range sums {
					sums[k] = sums[k].add(own[k])
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return sums
}
