package march

import (
	"math"

	"breakwater/sim/num"
	"breakwater/sim/vec"
)

// mostBounces bounds the scatterings of a path.
const mostBounces = 512

// Path returns the light that one path of a photon brings along the ray from o, against
// its direction d, with the light from around. The mean over many paths is the exact
// solution that Gather approaches. Free paths are found by delta tracking (Woodcock,
// Murphy, Hemmings and Longworth 1965), with the highest extinction of each brick. Equal
// keys give equal paths.
func (c *Cloud) Path(o, d vec.Vec3, key uint64) (light vec.Vec3) {
	l := &c.light
	weight := vec.New(1, 1, 1)
	draws := uint64(0)
	random := func() float64 {
		draws++
		return float64(num.SplitMix64(key+draws*num.Golden)>>11) / (1 << 53)
	}
	for range mostBounces {
		p, i, s, met := c.collide(o, d, random)
		if !met {
			return light.Add(times(weight, l.Around(d)))
		}
		sigma := float64(s.value(&c.sigma[i]))
		if c.glow[i] != nil {
			light = light.Add(times(weight, c.glowAt(i, &s)).Mul(1 / sigma))
		}
		weight = times(weight, l.Albedo)
		if l.Sun != (vec.Vec3{}) {
			left := c.Through(p, l.ToSun, 0, math.Inf(1)) * c.phase.At(l.ToSun.Dot(d))
			if l.Shade != nil {
				left *= l.Shade(p)
			}
			light = light.Add(times(weight, l.Sun).Mul(left))
		}
		if keep := max(weight.X, weight.Y, weight.Z); keep < 0.5 { // Russian roulette
			if random() >= keep {
				return light
			}
			weight = weight.Mul(1 / keep)
		}
		cos := c.phase.sample(random())
		sin := math.Sqrt(max(0, 1-float64(cos*cos)))
		sa, ca := math.Sincos(2 * math.Pi * random())
		u, v := d.Basis()
		o, d = p, d.Mul(cos).Add(u.Mul(sin*ca)).Add(v.Mul(sin*sa)).Unit()
	}
	return light
}

func times(a, b vec.Vec3) vec.Vec3 { return vec.New(a.X*b.X, a.Y*b.Y, a.Z*b.Z) }

// collide returns where a photon from o in the direction d meets the medium, and the brick
// and the spot in it.
func (c *Cloud) collide(o, d vec.Vec3, random func() float64) (p vec.Vec3, brick int32, at spot, met bool) {
	w, ok := c.newWalk(o, d, 0, math.Inf(1))
	if !ok {
		return p, 0, at, false
	}
	size := Side * c.edge
	for {
		i, t, to := w.next()
		if i < 0 {
			return p, 0, at, false
		}
		for highest := float64(c.highest[i]); highest > 0; {
			t -= math.Log(1-random()) / (highest * size)
			if t >= to {
				break
			}
			s := w.spot(t, &c.at[i])
			if random()*highest < float64(s.value(&c.sigma[i])) {
				return o.Add(d.Mul(t * size)), i, s, true
			}
		}
	}
}

// glowAt returns the light that a metre emits at a spot of brick i.
func (c *Cloud) glowAt(i int32, s *spot) vec.Vec3 {
	var sum [3]float64
	for k := range 8 {
		dx, dy, dz := k>>2, k>>1&1, k&1
		n := s.i + dx*strideX + dy*strideY + dz
		x, y, z := n/strideX, n/strideY%brickSide, n%brickSide
		w := mix(s.fx, dx) * mix(s.fy, dy) * mix(s.fz, dz)
		g := c.glowOf(i, x, y, z)
		for a := range sum {
			sum[a] += float64(w * float64(g[a]))
		}
	}
	return vec.New(sum[0], sum[1], sum[2])
}

func mix(f float32, k int) float64 {
	if k == 0 {
		return float64(1 - f)
	}
	return float64(f)
}

// glowOf returns the light that a metre emits at a node of brick i.
func (c *Cloud) glowOf(i int32, x, y, z int) [3]float32 {
	at := c.at[i]
	p := [3]int{int(at[0])/Side - c.lo[0], int(at[1])/Side - c.lo[1], int(at[2])/Side - c.lo[2]}
	for a, v := range [3]*int{&x, &y, &z} {
		if *v == Side {
			*v, p[a] = 0, p[a]+1
		}
		if p[a] >= c.n[a] {
			return [3]float32{}
		}
	}
	k := c.index[c.place(p[0], p[1], p[2])]
	if k < 0 || c.glow[k] == nil {
		return [3]float32{}
	}
	return c.glow[k][x*64+y*8+z]
}
