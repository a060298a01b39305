package gauge

import (
	"math"
	"slices"

	"breakwater/sim"
	"breakwater/sim/vec"
)

func init() {
	Gauges.Add("front", "farthest wet point along a line, and how much of the line is wet: the front of a dam break", "Martin and Moyce 1952", func() Gauge { return &Front{} })
}

// Front measures how far the liquid has come along a line, and how much of the line is
// wet. Each particle wets half a spacing to either side of it, so a single layer of
// particles counts. Drops thrown ahead do not count: experiments follow the tip of the
// liquid that is connected (Martin and Moyce, Phil. Trans. R. Soc. A 244, 1952; Lobovský et
// al., J. Fluids Struct. 48, 2014).
type Front struct {
	From      vec.Vec3 `toml:"from" unit:"m" doc:"Start of the line, such as the foot of the column on the floor. Readings are distances from here."`
	Direction vec.Vec3 `toml:"direction" unit:"1" doc:"Direction of the line, of any length. Required."`
	Width     float64  `toml:"width" unit:"m" range:"[0, inf)" doc:"Width of the strip in which liquid counts: level, across the line, half to either side. For an upright line it is the edge of a square. Liquid within a spacing of the line always counts."`
	Height    float64  `toml:"height" unit:"m" range:"[0, inf)" doc:"Height above the line up to which liquid counts. Liquid within a spacing of the line always counts."`
	Drop      float64  `toml:"drop" unit:"m" range:"[0, inf)" doc:"Diameter of the largest separate drop that does not count. 0 is four spacings. A drop is separate if it is two spacings from other liquid. With less than a spacing, all liquid counts."`

	// Of a line that has moved: the directions of its width and height, of unit length, and
	// whether it was upright. Both directions are zero before.
	across, up vec.Vec3
	square     bool
}

// Upright reports whether the line is upright, and thus has no side that is above it.
func (g *Front) Upright() bool {
	n := g.Direction.Unit()
	return math.Abs(n.Y) > 1-1e-6
}

// sides returns the directions of the width and height, and whether both are the edges of a
// square.
func (g *Front) sides() (across, up vec.Vec3, square bool) {
	if g.across != (vec.Vec3{}) {
		return g.across, g.up, g.square
	}
	across, up = g.Direction.Unit().LevelBasis()
	return across, up, g.Upright()
}

// Columns implements Gauge.
func (g *Front) Columns() []string { return []string{"front_m", "wet_m"} }

// Read implements Gauge. Where there is no liquid ahead of the start of the line, both
// values are 0. The wet length is the sum of all wet parts of the line. Dry parts shorter
// than a spacing count as wet.
func (g *Front) Read(dst []float64, w *sim.World, _ []float64) []float64 {
	d := w.Spacing
	n := g.Direction.Unit()
	u, v, square := g.sides()
	wide := max(float64((g.Width+d)/2), d)
	low, high := -d, max(g.Height+float64(d/2), d)
	if square {
		low, high = -wide, wide
	}
	// drop is the diameter of the largest drop that does not count, and least the number
	// of particles of one that does.
	drop := g.Drop
	if drop == 0 {
		drop = 4 * d
	}
	volume := math.Pi / 6 * drop * drop * drop
	if w.Dim() == 2 {
		volume = math.Pi / 4 * drop * drop
	}
	least := int(min(volume/w.ParticleVolume(), math.MaxInt32)) + 1

	// place returns where a particle is along the line, and whether it is in the strip,
	// made wider by a margin.
	place := func(x vec.Vec3, margin float64) (t float64, in bool) {
		r := x.Sub(g.From)
		if w.Dim() == 2 {
			r.Z = 0
		}
		t = r.Dot(n)
		a, b := r.Dot(u), r.Dot(v)
		slack := float64(1e-9 * d)
		return t, t > -float64(link*d)-margin && math.Abs(a) < wide+margin-slack && b > low-margin+slack && b < high+margin-slack
	}
	list := slices.DeleteFunc(where(w, func(x vec.Vec3) bool { _, in := place(x, drop); return in }),
		func(i int32) bool { return w.InBuffer(w.ID[i], w.Time) })
	counts := connected(w, list, least)
	var along []float64
	for k, i := range list {
		if t, in := place(w.X[i], 0); in && counts[k] {
			along = append(along, t)
		}
	}
	if len(along) == 0 {
		return append(dst, 0, 0)
	}
	slices.Sort(along)
	wet, from := 0., along[0]-float64(d/2)
	part := func(to float64) { wet += max(0, to) - max(0, from) }
	for k, t := range along[1:] {
		if before := along[k]; t-before > float64(d*(link-1e-6)) {
			part(before + float64(d/2))
			from = t - float64(d/2)
		}
	}
	front := along[len(along)-1] + float64(d/2)
	part(front)
	return append(dst, max(0, front), wet)
}
