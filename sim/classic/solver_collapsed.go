package classic

import (
	"math"
	"slices"

	"breakwater/sim"
	"breakwater/sim/kernel"
	"breakwater/sim/neighbor"
	"breakwater/sim/par"
	"breakwater/sim/particle"
	"breakwater/sim/phase"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

func init() {
	sim.Solvers.Add("collapsed", "SPH in one pass over the neighbours with the densities of the previous step, and the algorithms it is compared with",
		"van Kooten 2010", func() sim.Solver {
			return &Collapsed{Algorithm: "collapsed", Support: 2, CFL: 0.3, Restitution: 0.01, LongestStep: 1. / 30}
		})
}

// Algorithms are the algorithms of van Kooten, Optimized SPH, in: Game Physics Pearls,
// 2010:
//
//	three-pass   algorithm 1: densities, forces, motion, each over all particles
//	list         the same, with the neighbours found for the densities kept for the forces
//	naive        algorithm 2: densities and forces in one loop, which moves each
//	             particle at once. Distances come from the hash, from before the
//	             step; velocities and densities are whatever they are by then
//	updated      the same, with the places of those moved already, though the hash
//	             has them where they were
//	rehash       the same, with the hash kept up to date
//	collapsed    algorithm 3: one loop that reads the old state and the densities of
//	             the step before, and writes another
//	cell-hash    the same, with a hash of cells in place of particles
//	homogeneous  the same, with the particles in order of cells, the particles of a cell
//	             sharing what they look through
//
// All but naive, updated and rehash give the same result for any order of the particles.
var Algorithms = []string{"three-pass", "list", "naive", "updated", "rehash", "collapsed", "cell-hash", "homogeneous"}

// Collapsed is that chapter's liquid, with the forces of Müller et al. 2003:
//
//	ρ_i = m Σ W_ij   p = c² (ρ − ρ₀), at least 0
//	dv_i/dt = g − Σ m (p_i + p_j)/(2ρ_iρ_j) ∇W_ij + Σ m μ (v_j − v_i)/(ρ_iρ_j) ∇²W_ij
//
// Its algorithms of one pass take ρ from the step before.
type Collapsed struct {
	Algorithm   string  `toml:"algorithm" oneof:"three-pass list naive updated rehash collapsed cell-hash homogeneous" doc:"Algorithm of the chapter: 1 (three-pass, or with a list), 2 (naive, updated, rehash) or 3 (collapsed, or with its two improvements). Variants of 2 move the particles one by one."`
	Support     float64 `toml:"support" unit:"1" range:"[1.2, 4]" doc:"Support radius h in spacings."`
	SoundSpeed  float64 `toml:"sound_speed" unit:"m/s" range:"[0, inf)" doc:"Speed of sound c, the square root of the chapter's k; 0 is five times the highest expected speed."`
	Viscosity   float64 `toml:"viscosity" unit:"Pa*s" range:"[0, inf)" doc:"Viscosity μ. 0 is the larger of the liquid's own and ρ₀hc/50, which damps pressure waves."`
	Restitution float64 `toml:"restitution" unit:"1" range:"[0, 1]" doc:"Share of its speed that a particle keeps when it bounces off a wall."`
	LongestStep float64 `toml:"longest_step" unit:"s" range:"(0, 1]" doc:"Longest time step."`
	CFL         float64 `toml:"cfl" unit:"1" range:"(0, 1]" doc:"Distance that sound may travel per step, in support radii. It is a third of this with the densities of the previous step, which amplify waves."`

	hash    neighbor.SpatialHash
	cells   neighbor.CellHash
	moving  movingHash
	lists   [][]int32 // of chunks of particles
	end     []int32
	x0      []vec.Vec3
	v0      []vec.Vec3
	rho0    []float64
	scratch particle.Scratch
}

// lagged is the attribute that keeps the densities of the last step.
const lagged = "density_lagged"

// Compressible implements sim.Compressible.
func (*Collapsed) Compressible() {}

// lags reports whether the densities belong to the previous step.
func (s *Collapsed) lags() bool { return s.Algorithm != "three-pass" && s.Algorithm != "list" }

// sound returns c, m/s.
func (s *Collapsed) sound(w *sim.World) float64 {
	if s.SoundSpeed > 0 {
		return s.SoundSpeed
	}
	return 5 * w.Speed
}

// Check implements sim.Checker.
func (s *Collapsed) Check(w *sim.World) error {
	if err := alone(w); err != nil {
		return err
	}
	if s.SoundSpeed > 0 && s.SoundSpeed < 2*w.Speed {
		return slow(s.SoundSpeed, w.Speed)
	}
	return nil
}

// MaxDt implements sim.Solver.
func (s *Collapsed) MaxDt(w *sim.World) float64 {
	g, cfl := s.gather(w), s.CFL
	if s.lags() { // a pressure that is late by dt makes waves grow at a rate of ω²dt/2
		cfl /= 3
	}
	// The sum of viscosity over an even liquid is 15ν/h² times v.
	return min(s.LongestStep, cfl*g.h/s.sound(w), 0.05*g.h*g.h*w.Rho0/g.mu)
}

// gather returns the constants of the sums.
func (s *Collapsed) gather(w *sim.World) gather {
	h := s.Support * w.Spacing
	make, err := kernel.Kernels.New("poly6", registry.None)
	if err != nil {
		panic(err) // it is in the family
	}
	steep, err := kernel.Kernels.New("spiky", registry.None)
	if err != nil {
		panic(err)
	}
	density, pressure := make(w.Dim(), h), steep(w.Dim(), h)
	c := s.sound(w)
	g := gather{h: h, h2: h * h, rest: w.Rho0, m: w.Rho0 * volume(w) / kernel.LatticeSum(density, w.Spacing), c2: c * c, mu: s.Viscosity}
	if g.mu == 0 {
		g.mu = max(w.Viscosity*w.Rho0, w.Rho0*h*c/50)
	}
	g.w = density.W(0) / (h * h * h * h * h * h)             // poly6 is w (h² − r²)³
	g.dw = -pressure.DW(0) / (h * h)                         // spiky's slope is −dw (h − r)²
	g.lap = kernel.NewViscosity(w.Dim(), h).Laplacian(0) / h // of lap (h − r)
	return g
}

// Step implements sim.Solver: symplectic Euler.
func (s *Collapsed) Step(w *sim.World, dt float64) (info sim.StepInfo, err error) {
	watch := phase.Start(&info.Seconds)
	n := w.Len()
	rho := w.Carry(lagged)
	g := s.gather(w)
	switch s.Algorithm {
	case "cell-hash":
		s.cells.Build(w.X, g.h)
	case "homogeneous":
		if s.cells.Build(w.X, g.h); !slices.IsSorted(s.cells.Order()) {
			w.Permute(s.cells.Order(), &s.scratch)
			s.cells.Build(w.X, g.h)
			rho = w.Carry(lagged)
		}
	default:
		s.hash.Build(w.X, g.h)
	}
	watch.Lap(phase.Sorting)
	if s.lags() && slices.Contains(rho, 0) {
		s.densities(w.X, rho, &g) // the first step has none before it
	}
	s.x0 = append(s.x0[:0], w.X...)
	s.v0 = append(s.v0[:0], w.V...)
	move := func(i int, a vec.Vec3) {
		w.V[i] = s.v0[i].Add(a.Add(w.Gravity).Mul(dt))
		w.X[i] = s.x0[i].Add(w.V[i].Mul(dt))
	}
	switch s.Algorithm {
	case "three-pass":
		s.densities(w.X, rho, &g)
		watch.Lap(phase.Density)
		par.For(n, func(lo, hi int) {
			var lists [27][]int32
			for i := lo; i < hi; i++ {
				a := sum{v: s.v0[i], rho: rho[i]}
				for _, list := range s.hash.Candidates(lists[:0], s.x0[i]) {
					g.forces(&a, i, list, s.x0, s.v0, rho)
				}
				move(i, a.a)
			}
		})
	case "list":
		s.listed(w, rho, &g, move, func() { watch.Lap(phase.Density) })
	case "naive", "updated", "rehash":
		s.inPlace(w, rho, &g, move)
	default:
		s.rho0 = append(s.rho0[:0], rho...)
		find := s.hash.Candidates
		if s.Algorithm != "collapsed" {
			find = s.cells.Candidates
		}
		par.For(n, func(lo, hi int) {
			var room [27][]int32
			lists := room[:0]
			cell := -1
			for i := lo; i < hi; i++ {
				if s.Algorithm != "homogeneous" {
					lists = find(room[:0], s.x0[i])
				} else if c := s.cells.Cell(i); c != cell {
					cell, lists = c, s.cells.Around(room[:0], s.x0[i])
				}
				a := sum{v: s.v0[i], rho: s.rho0[i]}
				for _, list := range lists {
					g.both(&a, i, list, s.x0, s.v0, s.rho0)
				}
				rho[i] = a.sum * g.m * g.w
				move(i, a.a)
			}
		})
	}
	watch.Lap(phase.Forcing)
	for i, r := range rho {
		w.Rho[i] = r
		info.DensityError += max(0, r/w.Rho0-1) / float64(n)
	}
	b := bouncer{radius: w.Spacing / 2, bounce: s.Restitution, passes: passes}
	err = b.finishStep(w, dt, &info)
	watch.Lap(phase.Moving)
	return info, err
}

// densities is the first pass: ρ from the places x.
func (s *Collapsed) densities(x []vec.Vec3, rho []float64, g *gather) {
	find := s.hash.Candidates
	if s.Algorithm == "cell-hash" || s.Algorithm == "homogeneous" {
		find = s.cells.Candidates
	}
	par.For(len(x), func(lo, hi int) {
		var lists [27][]int32
		for i := lo; i < hi; i++ {
			sum := 0.
			for _, list := range find(lists[:0], x[i]) {
				sum = g.density(sum, i, list, x)
			}
			rho[i] = sum * g.m * g.w
		}
	})
}

// listed is algorithm 1 with the neighbours found in the first pass kept.
func (s *Collapsed) listed(w *sim.World, rho []float64, g *gather, move func(i int, a vec.Vec3), lap func()) {
	n := w.Len()
	chunks := (n + listChunk - 1) / listChunk
	for len(s.lists) < chunks {
		s.lists = append(s.lists, nil)
	}
	s.end = slices.Grow(s.end[:0], n)[:n]
	par.For(n, func(lo, hi int) {
		var lists [27][]int32
		kept := s.lists[lo/listChunk][:0]
		for i := lo; i < hi; i++ {
			from := len(kept)
			for _, list := range s.hash.Candidates(lists[:0], s.x0[i]) {
				for _, j := range list {
					if d := s.x0[i].Sub(s.x0[j]); d.Dot(d) < g.h2 {
						kept = append(kept, j)
					}
				}
			}
			rho[i] = g.density(0, i, kept[from:], s.x0) * g.m * g.w
			s.end[i] = int32(len(kept))
		}
		s.lists[lo/listChunk] = kept
	})
	lap()
	par.For(n, func(lo, hi int) {
		from := int32(0)
		for i := lo; i < hi; i++ {
			a := sum{v: s.v0[i], rho: rho[i]}
			g.forces(&a, i, s.lists[lo/listChunk][from:s.end[i]], s.x0, s.v0, rho)
			from = s.end[i]
			move(i, a.a)
		}
	})
}

// inPlace is algorithm 2: one particle after the other, in their order, each moved
// before the next looks at it.
func (s *Collapsed) inPlace(w *sim.World, rho []float64, g *gather, move func(i int, a vec.Vec3)) {
	x := w.X
	if s.Algorithm == "naive" {
		x = s.x0
	}
	find := s.hash.Candidates
	if s.Algorithm == "rehash" {
		s.moving.build(w.X, g.h)
		find = s.moving.candidates
	}
	var lists [27][]int32
	for i := range w.X {
		a := sum{v: w.V[i], rho: rho[i]}
		for _, list := range find(lists[:0], s.x0[i]) {
			g.both(&a, i, list, x, w.V, rho)
		}
		rho[i] = a.sum * g.m * g.w
		if move(i, a.a); s.Algorithm == "rehash" {
			s.moving.move(int32(i), s.x0[i], w.X[i])
		}
	}
}

// gather adds up over neighbours.
type gather struct {
	h, h2, rest, m, c2, mu float64
	w, dw, lap             float64
}

// sum is the sum over the neighbours of a particle of velocity v and density rho.
type sum struct {
	v   vec.Vec3
	rho float64
	sum float64 // of (h² − r²)³
	a   vec.Vec3
}

// density returns sum and Σ (h² − r²)³, particle i's own among them.
func (g *gather) density(sum float64, i int, list []int32, x []vec.Vec3) float64 {
	xi := x[i]
	for _, j := range list {
		d := xi.Sub(x[j])
		if q := g.h2 - d.Dot(d); q > 0 {
			sum += float64(q * q * q)
		}
	}
	return sum
}

// forces adds to a.a.
func (g *gather) forces(a *sum, i int, list []int32, x, v []vec.Vec3, rho []float64) {
	xi := x[i]
	for _, j := range list {
		d := xi.Sub(x[j])
		if r2 := d.Dot(d); r2 < g.h2 && int(j) != i {
			g.force(a, d, math.Sqrt(r2), v[j], rho[j])
		}
	}
}

// both adds to the sum for the density and to a.a.
func (g *gather) both(a *sum, i int, list []int32, x, v []vec.Vec3, rho []float64) {
	xi := x[i]
	for _, j := range list {
		d := xi.Sub(x[j])
		r2 := d.Dot(d)
		q := g.h2 - r2
		if q <= 0 {
			continue
		}
		a.sum += float64(q * q * q)
		if int(j) != i {
			g.force(a, d, math.Sqrt(r2), v[j], rho[j])
		}
	}
}

// force adds the force of a neighbour that is r away, along d.
func (g *gather) force(a *sum, d vec.Vec3, r float64, v vec.Vec3, rho float64) {
	left, share := g.h-r, g.m/(a.rho*rho)
	if r > 0 {
		p := g.c2 * (max(0, a.rho-g.rest) + max(0, rho-g.rest)) / 2
		a.a = a.a.Add(d.Mul(share * p * g.dw * left * left / r))
	}
	a.a = a.a.Add(v.Sub(a.v).Mul(share * g.mu * g.lap * left))
}

// movingHash is Teschner's hash with buckets that particles can leave and enter.
type movingHash struct {
	inv    float64
	bucket [][]int32
}

func (m *movingHash) build(x []vec.Vec3, h float64) {
	m.inv = 1 / h
	size := 1
	for size < 2*len(x) {
		size *= 2
	}
	for b := range m.bucket {
		m.bucket[b] = m.bucket[b][:0]
	}
	if len(m.bucket) != size {
		m.bucket = make([][]int32, size)
	}
	for i := range x {
		b := m.at(m.cell(x[i]))
		m.bucket[b] = append(m.bucket[b], int32(i))
	}
}

func (m *movingHash) cell(x vec.Vec3) [3]int64 {
	return [3]int64{int64(math.Floor(x.X * m.inv)), int64(math.Floor(x.Y * m.inv)), int64(math.Floor(x.Z * m.inv))}
}

// at returns the bucket of a cell (Teschner et al. 2003).
func (m *movingHash) at(c [3]int64) int {
	h := uint64(c[0])*73856093 ^ uint64(c[1])*19349663 ^ uint64(c[2])*83492791
	return int((h ^ h>>32) & uint64(len(m.bucket)-1))
}

// move has particle i where it has come to.
func (m *movingHash) move(i int32, from, to vec.Vec3) {
	a, b := m.at(m.cell(from)), m.at(m.cell(to))
	if a == b {
		return
	}
	k := slices.Index(m.bucket[a], i)
	m.bucket[a] = slices.Delete(m.bucket[a], k, k+1)
	m.bucket[b] = append(m.bucket[b], i)
}

// candidates appends the buckets around x, each once.
func (m *movingHash) candidates(dst [][]int32, x vec.Vec3) [][]int32 {
	var seen [27]int
	n := 0
	c := m.cell(x)
	for dz := range int64(3) {
		for dy := range int64(3) {
			for dx := range int64(3) {
				b := m.at([3]int64{c[0] + dx - 1, c[1] + dy - 1, c[2] + dz - 1})
				if len(m.bucket[b]) > 0 && !slices.Contains(seen[:n], b) {
					seen[n], n = b, n+1
					dst = append(dst, m.bucket[b])
				}
			}
		}
	}
	return dst
}
