package gauge

import (
	"errors"
	"math"

	"breakwater/sim"
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
		return append(dst, t)
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
			return append(dst, math.Min(length, t))
		}
	}
	return append(dst, 0)
}
