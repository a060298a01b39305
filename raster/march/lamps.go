package march

import (
	"cmp"
	"math"
	"slices"

	"breakwater/sim/vec"
)

// Lamp is a part of the flames as a small light.
type Lamp struct {
	At        vec.Vec3
	Size      float64  // distance below which it is no point, m
	Intensity vec.Vec3 // radiance times area, the same in all directions
}

// Lamps returns the light of all that glows in cubes of the given edge in m, in the middle
// of what glows there. The cubes are fixed in space, so lamps move and change as
// evenly as flames do.
func (c *Cloud) Lamps(edge float64) []Lamp {
	type sum struct {
		at    [3]int
		power vec.Vec3
		place vec.Vec3 // times the sum of the power
	}
	number := map[[3]int]int{}
	var list []sum
	volume := c.edge * c.edge * c.edge
	for i, glow := range c.glow {
		for m, g := range glow {
			if g == [3]float32{} {
				continue
			}
			p := c.node(i, m>>6, m>>3&7, m&7)
			at := [3]int{int(math.Floor(p.X / edge)), int(math.Floor(p.Y / edge)), int(math.Floor(p.Z / edge))}
			k, ok := number[at]
			if !ok {
				k = len(list)
				number[at] = k
				list = append(list, sum{at: at})
			}
			power := vec.New(float64(g[0]), float64(g[1]), float64(g[2])).Mul(volume)
			list[k].power = list[k].power.Add(power)
			list[k].place = list[k].place.Add(p.Mul(power.X + power.Y + power.Z))
		}
	}
	slices.SortFunc(list, func(a, b sum) int {
		return cmp.Or(cmp.Compare(a.at[0], b.at[0]), cmp.Compare(a.at[1], b.at[1]), cmp.Compare(a.at[2], b.at[2]))
	})
	lamps := make([]Lamp, len(list))
	for k, s := range list {
		lamps[k] = Lamp{At: s.place.Mul(1 / (s.power.X + s.power.Y + s.power.Z)), Size: edge / 2, Intensity: s.power}
	}
	return lamps
}

// Irradiance returns the irradiance over π of l on a surface at p with the unit normal n,
// with nothing between them.
func (l *Lamp) Irradiance(p, n vec.Vec3) vec.Vec3 {
	d := l.At.Sub(p)
	r2 := d.Dot(d)
	cos := max(0, d.Dot(n)) / math.Sqrt(max(r2, 1e-300))
	return l.Intensity.Mul(cos / (math.Pi * (r2 + float64(l.Size*l.Size))))
}
