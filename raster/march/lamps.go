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

// ember is what glows in a small cube.
type ember struct {
	at    [3]int
	power vec.Vec3
	place vec.Vec3 // times the sum of the power
}

func (e *ember) sum() float64 { return e.power.X + e.power.Y + e.power.Z }

func (e *ember) middle() vec.Vec3 { return e.place.Mul(1 / e.sum()) }

// Lamps divides all that glows into parts of about the same power, at most the given number,
// and returns a lamp in the middle of each. What glows in a cube of the given edge in m stays
// together. The light is cut in halves across the side along which it extends farthest, and
// the halves likewise, as in the k-d tree of Bentley 1975.
func (c *Cloud) Lamps(most int, edge float64) []Lamp {
	list := c.embers(edge)
	if len(list) == 0 {
		return nil
	}
	parts := [][]ember{list}
	for len(parts)*2 <= most {
		next := make([][]ember, 0, 2*len(parts))
		for _, p := range parts {
			if len(p) == 1 {
				next = append(next, p)
				continue
			}
			k := halve(p)
			next = append(next, p[:k], p[k:])
		}
		if len(next) == len(parts) {
			break
		}
		parts = next
	}
	lamps := make([]Lamp, len(parts))
	for k, p := range parts {
		var all ember
		for i := range p {
			all.power, all.place = all.power.Add(p[i].power), all.place.Add(p[i].place)
		}
		at, spread := all.middle(), 0.0
		for i := range p {
			d := p[i].middle().Sub(at)
			spread += float64(p[i].sum() * d.Dot(d))
		}
		lamps[k] = Lamp{At: at, Size: float64(edge/2) + math.Sqrt(spread/all.sum()), Intensity: all.power}
	}
	return lamps
}

// embers returns what glows in cubes of an edge in m, which are fixed in space.
func (c *Cloud) embers(edge float64) []ember {
	number := map[[3]int]int{}
	var list []ember
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
				list = append(list, ember{at: at})
			}
			power := vec.New(float64(g[0]), float64(g[1]), float64(g[2])).Mul(volume)
			list[k].power = list[k].power.Add(power)
			list[k].place = list[k].place.Add(p.Mul(power.X + power.Y + power.Z))
		}
	}
	return list
}

// halve sorts embers across the side along which they extend farthest, and returns the number
// of those that have half of the power.
func halve(list []ember) int {
	var mean, square vec.Vec3
	total := 0.0
	for i := range list {
		p, w := list[i].middle(), list[i].sum()
		total += w
		mean = mean.Add(p.Mul(w))
		square = square.Add(vec.New(float64(p.X*p.X), float64(p.Y*p.Y), float64(p.Z*p.Z)).Mul(w))
	}
	mean, square = mean.Mul(1/total), square.Mul(1/total)
	m, s := mean.Array(), square.Array()
	axis, widest := 0, -1.0
	for a := range s {
		if v := s[a] - float64(m[a]*m[a]); v > widest {
			axis, widest = a, v
		}
	}
	slices.SortFunc(list, func(a, b ember) int {
		return cmp.Or(cmp.Compare(a.at[axis], b.at[axis]), cmp.Compare(a.at[(axis+1)%3], b.at[(axis+1)%3]), cmp.Compare(a.at[(axis+2)%3], b.at[(axis+2)%3]))
	})
	half := 0.0
	for k := range list {
		w := list[k].sum()
		if half+float64(w/2) >= total/2 { // the nearer side
			return min(max(k, 1), len(list)-1)
		}
		half += w
	}
	return len(list) - 1
}

// Irradiance returns the irradiance over π of l on a surface at p with the unit normal n,
// with nothing between them.
func (l *Lamp) Irradiance(p, n vec.Vec3) vec.Vec3 {
	d := l.At.Sub(p)
	r2 := d.Dot(d)
	cos := max(0, d.Dot(n)) / math.Sqrt(max(r2, 1e-300))
	return l.Intensity.Mul(cos / (math.Pi * (r2 + float64(l.Size*l.Size))))
}
