package surface

import (
	"math"

	"breakwater/sim/num"
	"breakwater/sim/par"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// straying says what becomes of strays: parts of a few particles, down to lone
// ones, which all methods make balls of one size.
type straying struct {
	Strays    string `toml:"strays" oneof:"keep drop drops" doc:"Treatment of isolated particles and tiny groups. keep meshes them by their volume, all alike; drop leaves them out; drops makes them round droplets of many sizes with the same total volume."`
	StraySize int    `toml:"stray_size" unit:"particles" range:"[1, 1000]" doc:"Largest number of particles in a tiny group."`
}

// Counts are the numbers of things that a method found in a cloud beside its surface.
type Counts struct {
	Strays         int     // lone particles and tiny groups
	StrayParticles int     // in them
	Cavities       int     // pockets of air in the liquid that were kept
	Filled         int     // filled pockets
	Air            float64 // in filled pockets, larger than bubbles, m³
}

// sort finds the strays among the parts, which have n particles each. It takes strays
// apart that do not keep their shape, and sets their volumes in want, in m³, to 0. cube
// is the volume of a particle. It reports whether there are any.
func (c *straying) sort(s *vertices, f *field, cloud *Cloud, liquid *parts, n, want []float64, cube float64, t *Counts) bool {
	s.droplets = s.droplets[:0]
	const none = -1
	number := make([]int32, len(n)) // of each stray
	largest := 0
	for p, k := range n {
		number[p] = none
		if want[p] > 0 && k <= float64(c.StraySize) {
			number[p] = int32(t.Strays)
			t.Strays++
			t.StrayParticles += int(k)
		}
		if k > n[largest] {
			largest = p
		}
	}
	switch {
	case t.Strays == 0 || c.Strays == "keep":
		return false
	case c.Strays == "drop":
		for p := range number {
			if number[p] != none {
				want[p] = 0
			}
		}
		return true
	}
	for v, k := range s.kind {
		if k == wall {
			number[s.part[v]] = none // it clings to the wall, so it is not a ball
		}
	}
	all := make([]droplet, t.Strays)
	for i, p := range liquid.under {
		if p < 0 || number[p] == none {
			continue
		}
		// Larger groups are truer to their volume, so that none changes when
		// a particle joins that makes it too large for a stray.
		share := (float64(c.StraySize) + 1 - n[p]) / float64(c.StraySize)
		d := &all[number[p]]
		d.part = p
		d.middle = d.middle.Add(f.x[i].Mul(1 / n[p]))
		d.volume += float64(cube * (1 + float64(share*(dropletVolume(cloud.id(f.cells.Order()[i]))-1))))
	}
	var before float64
	for _, d := range all {
		if d.volume > 0 {
			before += want[d.part]
			want[d.part] = 0
			s.droplets = append(s.droplets, d)
		}
	}
	s.balance(before, &want[largest])
	return true
}

// droplet is a round drop.
type droplet struct {
	part   int32
	middle vec.Vec3 // m
	volume float64  // m³
}

// balance lets the largest part, which is to have the volume rest, give or take
// what the droplets are too many or too few for the volume should. If that is
// too much for it, the droplets change.
func (s *vertices) balance(should float64, rest *float64) {
	var sum float64
	for _, d := range s.droplets {
		sum += d.volume
	}
	if miss := should - sum; math.Abs(miss) < 0.01**rest {
		*rest += miss
		return
	}
	for k := range s.droplets {
		s.droplets[k].volume *= should / sum
	}
}

// addDroplets adds the droplets to the finished mesh, before walls.
func (s *vertices) addDroplets(f *field) {
	if len(s.droplets) == 0 {
		return
	}
	first := len(s.Pos)
	n := first + len(s.droplets)*len(roundBall.Pos)
	s.Pos, s.Nrm = extend(s.Pos, n), extend(s.Nrm, n)
	tris := len(s.Tri)
	s.Tri = extend(s.Tri, tris+len(s.droplets)*len(roundBall.Tri))
	par.For(len(s.droplets), func(lo, hi int) {
		for k := lo; k < hi; k++ {
			d := &s.droplets[k]
			radius := math.Cbrt(d.volume / ballVolume)
			at := d.middle
			if len(f.all) > 0 {
				if e, m := f.dist(at); e < radius {
					at = at.Add(m.Mul(radius - e))
				}
			}
			v := first + k*len(roundBall.Pos)
			for i, p := range roundBall.Pos {
				s.Pos[v+i], s.Nrm[v+i] = at.Add(p.Mul(radius)), p
			}
			for i, t := range roundBall.Tri {
				s.Tri[tris+k*len(roundBall.Tri)+i] = [3]int32{t[0] + int32(v), t[1] + int32(v), t[2] + int32(v)}
			}
		}
	})
}

// roundBall is what droplets are made of, as fine as other drops of a particle: of
// radius 1, and with the volume ballVolume.
var (
	roundBall  = mesh.Geodesic(3)
	ballVolume = roundBall.Volume()
)

// Droplets that tear off threads of liquid have diameters with the gamma distribution of
// order 4 to 5 (Villermaux, Marmottant and Duplat, Ligament-mediated spray formation,
// Phys. Rev. Lett. 92, 074501, 2004). The middle of the distribution of order 4 and mean
// 1 is used: larger droplets would touch their neighbours, smaller ones are invisible.
const (
	leastDroplet = 0.4
	mostDroplet  = 1.3
	meanDroplet  = 0.73085 // of the cubes in between
)

// dropletVolume returns how large a droplet the particle id is when it is alone,
// in volumes of a particle: always the same, and 1 in the mean.
func dropletVolume(id uint32) float64 {
	for seed := uint64(id); ; {
		product := 1.0
		for range 4 { // a sum of four exponential variates
			seed += num.Golden
			product *= (float64(num.SplitMix64(seed)>>11) + 0.5) * 0x1p-53
		}
		if x := -math.Log(product) / 4; leastDroplet < x && x < mostDroplet {
			return x * x * x / meanDroplet
		}
	}
}
