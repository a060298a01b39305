package article

import (
	"math"
	"math/rand/v2"
	"runtime"
	"strconv"

	"breakwater/raster/figure"
	"breakwater/sim/neighbor"
	"breakwater/sim/num"
	"breakwater/sim/par"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

func init() {
	register("neighbor-searches", "run times of all neighbour searches, by particles and threads", "Gourlay 2013; Teschner et al. 2003; Goswami et al. 2010; Heirich 2010; van Kooten 2010", measured(neighborSearches))
}

// points returns n points in a cube, one to a unit of volume, in some disorder, and
// in order of places as a solver has them.
func points(n int) []vec.Vec3 {
	rng := rand.New(rand.NewPCG(uint64(n), 1))
	side := int(math.Cbrt(float64(n)) + 0.5)
	var pos []vec.Vec3
	for z := range side {
		for y := range side {
			for x := range side {
				pos = append(pos, vec.New(float64(x)+float64(0.4*rng.Float64()), float64(y)+float64(0.4*rng.Float64()), float64(z)+float64(0.4*rng.Float64())))
			}
		}
	}
	return pos
}

// search builds what finds all neighbours closer than 2 of points, and finds them.
type search struct {
	name string
	find func(pos []vec.Vec3)
}

// searches are the registered ones, and the half stencil, which is not registered since
// it finds pairs.
func searches() ([]search, error) {
	var all []search
	for _, e := range neighbor.Finders.Entries() {
		f, err := e.New(registry.None)
		if err != nil {
			return nil, err
		}
		all = append(all, search{e.Name, func(pos []vec.Vec3) {
			f.Build(pos, 2)
			par.For(len(pos), func(lo, hi int) {
				var near []int32
				for i := lo; i < hi; i++ {
					near = f.Near(near[:0], pos[i])
				}
			})
		}})
	}
	var half neighbor.HalfStencil
	var slab [][]neighbor.Pair
	return append(all, search{"half stencil", func(pos []vec.Vec3) {
		half.Build(pos, 2)
		for len(slab) < half.Slabs() {
			slab = append(slab, nil)
		}
		half.Phases(func(k int) { slab[k] = half.Slab(slab[k][:0], k) })
	}}), nil
}

// time returns the time of a search, in ns per particle.
func (s search) time(pos []vec.Vec3) (float64, error) {
	t, err := clock(max(3, min(20, 60_000/len(pos))), func() error {
		s.find(pos)
		return nil
	})
	return 1e9 * t / float64(len(pos)), err
}

func neighborSearches() (*figure.Plot, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	size := figure.Panel{Name: "size", X: figure.Axis{Label: "particles", Log: true}, Y: figure.Axis{Label: "ns per particle, one thread", Log: true}}
	threads := figure.Panel{Name: "threads", X: figure.Axis{Label: "threads"}, Y: figure.Axis{Label: "ns per particle, 13,824 particles", Log: true}}
	counts := []int{512, 1728, 5832, 13824}
	table := [][]string{{"search"}}
	for _, n := range counts {
		table[0] = append(table[0], "N = "+strconv.Itoa(n))
	}
	table[0] = append(table[0], "2 threads", "4 threads")
	all, err := searches()
	if err != nil {
		return nil, err
	}
	for _, f := range all {
		a, b := figure.Curve{Name: f.name, Both: true}, figure.Curve{Name: f.name, Both: true}
		row := []string{f.name}
		last := 0.
		for _, n := range counts {
			if f.name == "brute" && n > 2000 {
				row = append(row, "")
				continue // it would take all the time
			}
			runtime.GOMAXPROCS(1)
			if last, err = f.time(points(n)); err != nil {
				return nil, err
			}
			a.X, a.Y = append(a.X, float64(n)), append(a.Y, last)
			row = append(row, num.Decimals(last, 0))
		}
		for _, k := range []int{1, 2, 4} {
			if f.name == "brute" {
				if b.Name = ""; k > 1 {
					row = append(row, "")
				}
				continue
			}
			if runtime.GOMAXPROCS(k); k > 1 {
				if last, err = f.time(points(counts[len(counts)-1])); err != nil {
					return nil, err
				}
				row = append(row, num.Decimals(last, 0))
			}
			b.X, b.Y = append(b.X, float64(k)), append(b.Y, last)
		}
		size.Curve, threads.Curve = append(size.Curve, a), append(threads.Curve, b)
		table = append(table, row)
	}
	return &figure.Plot{Columns: 2, Wide: true, Rows: []float64{230, 152}, Panels: []figure.Panel{size, threads, {Name: "table", Title: "ns per particle", Table: table}},
		Caption: "Time to find all neighbours of all particles, about 33 each, with the searches of the literature. All give the same result. The half stencil finds each pair once, with its distance and direction. The times are in nanoseconds per particle, over the number of particles on one thread, and over the number of threads on " + strconv.Itoa(runtime.NumCPU()) + " cores."}, nil
}
