package gauge

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"breakwater/sim"
	"breakwater/sim/boundary"
	"breakwater/sim/kernel"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

func init() {
	Gauges.Register(registry.Entry[Gauge]{
		Name: "level", Doc: "level of the liquid along a line: a wave gauge",
		New: func(d registry.Decode) (Gauge, error) {
			g := &Level{}
			if err := d(g); err != nil {
				return g, err
			}
			if g.From == g.To && g.From != (vec.Vec3{}) {
				return g, errors.New("from and to are the same point; expected the ends of a line, such as from the floor to above the surface")
			}
			return g, nil
		},
	})
}

// Level measures where the liquid's surface is on a line: the point farthest
// along it where the sum over the particles' kernels is half of that inside. It
// is exact for water at rest, and a drop by itself does not count.
//
// A film is at most about a layer of particles. Where it flows they are farther apart than
// at rest, so that the sum is below half everywhere. A film's level is its lower side plus
// its mean thickness; see film.
type Level struct {
	From vec.Vec3 `toml:"from" unit:"m" doc:"Start of the line, such as a point on the floor. The reading is the distance from here."`
	To   vec.Vec3 `toml:"to" unit:"m" doc:"End of the line, above the highest expected surface."`
}

// Columns implements Gauge.
func (g *Level) Columns() []string { return []string{"level_m"} }

// Read implements Gauge. Where the line meets no liquid, the level is 0.
func (g *Level) Read(dst []float64, w *sim.World, _ []float64) []float64 {
	length := g.To.Sub(g.From).Len()
	along := g.To.Sub(g.From).Mul(1 / length)
	if g.column(w, along, length) >= filmColumn*w.Spacing {
		if t := g.surface(w, along, length); t > 0 {
			return append(dst, t)
		}
	}
	return append(dst, g.film(w, along, length))
}

// surface returns how far along the line the surface is, m, by the sums over the
// particles' kernels. It is 0 without liquid.
func (g *Level) surface(w *sim.World, along vec.Vec3, length float64) float64 {
	h := w.Kernel.H()
	near := where(w, func(x vec.Vec3) bool {
		r := x.Sub(g.From)
		t := r.Dot(along)
		off := r.Sub(along.Mul(t))
		return t > -h && t < length+h && off.Dot(off) < h*h
	})
	volume := w.ParticleVolume()
	full := func(t float64) bool {
		x := g.From.Add(along.Mul(t))
		sum := 0.
		for _, wall := range w.Walls {
			share, _ := wall.Wall(x)
			sum += share
		}
		liquid := 0.
		for _, i := range near {
			liquid += float64(volume * w.Kernel.W(w.X[i].Sub(x).Len()))
		}
		// The part of the kernel inside walls does not measure the liquid.
		return liquid >= 0.5*max(0.1, 1-sum)
	}
	// Down the line in steps that no sheet is thinner than, from the last
	// particle near it.
	top := 0.
	for _, i := range near {
		top = max(top, w.X[i].Sub(g.From).Dot(along)+h)
	}
	step := float64(w.Spacing / 4)
	t := min(length, top)
	if full(t) {
		return t
	}
	for ; t > 0; t -= step {
		if full(t) {
			hi := t + step
			for range 30 {
				if mid := float64((t + hi) / 2); full(mid) {
					t = mid
				} else {
					hi = mid
				}
			}
			return math.Min(length, t)
		}
	}
	return 0
}

// The film of Level. A disc of filmReach spacings about the line has thirteen particles of a
// film that is stretched to a quarter of a layer, and five in two dimensions. Thinner films
// fall apart, see link. A column below filmColumn spacings is one layer, with the waves of
// its lattice. A group of fewer than filmLeast particles is a drop.
const (
	filmReach  = 4
	filmColumn = 1.25
	filmLeast  = 12
)

// offset returns where a point is along the line, and its distance from the line, m.
func (g *Level) offset(w *sim.World, along, x vec.Vec3) (t, off float64) {
	r := x.Sub(g.From)
	if w.Dim() == 2 {
		r.Z = 0
	}
	t = r.Dot(along)
	return t, r.Sub(along.Mul(t)).Len()
}

// acrossKernel returns the kernel W of film.
func acrossKernel(w *sim.World) *kernel.CubicSpline {
	return kernel.NewCubicSpline(w.Dim()-1, filmReach*w.Spacing)
}

// inColumn returns the particles within reach of the line, m, in their order.
func (g *Level) inColumn(w *sim.World, along vec.Vec3, length, reach float64) []int32 {
	return where(w, func(x vec.Vec3) bool {
		t, off := g.offset(w, along, x)
		return t > -w.Spacing && t < length+float64(w.Spacing/2) && off < reach
	})
}

// column returns the thickness of all liquid on the line, m. Beside an upright wall it is
// too small, down to a quarter in a corner.
func (g *Level) column(w *sim.World, along vec.Vec3, length float64) (sum float64) {
	k := acrossKernel(w)
	for _, i := range g.inColumn(w, along, length, k.H()) {
		_, off := g.offset(w, along, w.X[i])
		sum += float64(w.ParticleVolume() * k.W(off))
	}
	return sum
}

// film returns the level of the topmost film, m. The film's thickness along the line is the
// liquid's volume per area,
//
//	s = V Σ W(r_i) / ∫ W dA,
//
// with W a kernel in the plane across the line, r_i the distance of particle i from it, and
// the integral over the part of that plane that is outside walls. The level is s above the
// wall that the film is on, or s/2 above the middle of a sheet in the air. It is 0 without a
// film.
func (g *Level) film(w *sim.World, along vec.Vec3, length float64) float64 {
	d, k := w.Spacing, acrossKernel(w)
	// Particles so near that they tell whether one of the disc belongs to a drop.
	list := g.inColumn(w, along, length, k.H()+float64(link*filmLeast*d))
	counts := connected(w, list, filmLeast)
	type member struct{ t, share float64 }
	var film []member
	for n, i := range list {
		if t, off := g.offset(w, along, w.X[i]); counts[n] && off < k.H() {
			film = append(film, member{t, float64(w.ParticleVolume() * k.W(off))})
		}
	}
	slices.SortStableFunc(film, func(a, b member) int { return cmp.Compare(b.t, a.t) })
	s, middle, lowest := 0., 0., 0.
	for n, m := range film {
		if n > 0 && film[n-1].t-m.t > link*d {
			break // other liquid, below
		}
		s += m.share
		middle += float64(m.t * m.share)
		lowest = m.t
	}
	if s == 0 {
		return 0
	}
	middle /= s
	free := g.free(w, g.From.Add(along.Mul(middle)), along, k)
	if free == 0 {
		return 0
	}
	s /= free
	bottom := middle - float64(s/2)
	if inWall := func(t float64) bool { return g.inWall(w, g.From.Add(along.Mul(t))) }; !inWall(lowest) && inWall(lowest-d) {
		lo, hi := lowest-d, lowest
		for range 30 {
			if mid := float64((lo + hi) / 2); inWall(mid) {
				lo = mid
			} else {
				hi = mid
			}
		}
		bottom = hi
	}
	return min(length, max(0, bottom+s))
}

// inWall reports whether a point is in a wall.
func (g *Level) inWall(w *sim.World, x vec.Vec3) bool {
	return slices.ContainsFunc(w.Walls, func(o boundary.Boundary) bool { t, _ := o.Dist(x); return t < 0 })
}

// free returns the part of the kernel in the plane across the line at x that is outside
// walls.
func (g *Level) free(w *sim.World, x, along vec.Vec3, k *kernel.CubicSpline) float64 {
	u, v := along.LevelBasis()
	side, rows := 32, 32
	if w.Dim() == 2 {
		u, v, rows = vec.New(-along.Y, along.X, 0), vec.Vec3{}, 1
	}
	var all, outside float64
	for a := range side {
		for b := range rows {
			at := func(i int) float64 { return float64(k.H() * (float64(2*(float64(i)+0.5)/float64(side)) - 1)) }
			r := u.Mul(at(a)).Add(v.Mul(at(b)))
			f := k.W(r.Len())
			all += f
			if !g.inWall(w, x.Add(r)) {
				outside += f
			}
		}
	}
	return outside / all
}
