package march

import (
	"math"

	"breakwater/sim/num"
	"breakwater/sim/vec"
)

// opaque is the transmittance that is as good as none: less than a step of an 8-bit
// picture.
const opaque = 1. / 1024

// thickStep is the optical depth above which a step is halved: a step that is opaque
// shows as a stripe.
const thickStep = 0.7

// depthSamples is the number of samples in the length of a voxel for Depth.
const depthSamples = 2

// Depth returns the optical depth along the ray from o in the unit direction d, from t0 to
// t1. It stops at most.
func (c *Cloud) Depth(o, d vec.Vec3, t0, t1, most float64) float64 {
	return c.depth(c.sigma, o, d, t0, t1, most, depthSamples)
}

// depth returns the optical depth for the given extinctions of the bricks, with perVoxel samples
// in the length of a voxel.
func (c *Cloud) depth(sigma [][brickNodes]float32, o, d vec.Vec3, t0, t1, most float64, perVoxel int) float64 {
	if c.Empty() {
		return 0
	}
	w, ok := c.newWalk(o, d, t0, t1)
	if !ok {
		return 0
	}
	sum, size := 0.0, float64(Side*c.edge)
	for sum < most {
		i, from, to := w.next()
		if i < 0 {
			break
		}
		if c.highest[i] == 0 {
			continue
		}
		n := max(1, math.Ceil(float64((to-from)*float64(perVoxel*Side))))
		dt := (to - from) / n
		start, step := w.points(from, dt, &c.at[i])
		sum += float64(float64(samples(&sigma[i], &start, &step, int(n))) * dt * size)
	}
	return min(sum, most)
}

// Through returns the transmittance along the ray from o in the unit direction d, from t0
// to t1.
func (c *Cloud) Through(o, d vec.Vec3, t0, t1 float64) float64 {
	return num.Decay(c.Depth(o, d, t0, t1, -math.Log(opaque)))
}

// Gather returns the light that the medium sends along a ray from o, against its unit
// direction d, from t0 to t1, and the share of the light from beyond t1 that comes
// through. Steps are as many voxels long, and half of that in thick smoke. The medium is even
// over a step, whose light is integrated exactly.
func (c *Cloud) Gather(o, d vec.Vec3, t0, t1, step float64) (light vec.Vec3, left float64) {
	left = 1
	if c.Empty() {
		return light, left
	}
	w, ok := c.newWalk(o, d, t0, t1)
	if !ok {
		return light, left
	}
	sun := c.sunColor.Mul(c.phase.At(c.toSun.Dot(d)))
	size := Side * c.edge
	var some [32][5]float32
	room := some[:]
	for left > opaque {
		i, from, to := w.next()
		if i < 0 {
			return light, left
		}
		n := max(1, math.Ceil((to-from)*Side/step), math.Ceil(min(2*(to-from)*Side/step, (to-from)*size*float64(c.highest[i])/thickStep)))
		dt := (to - from) / n
		ds := dt * size
		start, forward := w.points(from, dt, &c.at[i])
		if cap(room) < int(n) {
			room = make([][5]float32, int(n))
		}
		room = room[:int(n)]
		lights(room, &c.lit[i], &c.sigma[i], &start, &forward)
		for k := range room {
			j := &room[k]
			if *j == [5]float32{} {
				continue
			}
			sigma := float64(j[4])
			tau := sigma * ds
			pass := num.Decay(tau)
			share := left * ds // the part of what the step sends on that leaves it
			if tau > 1e-4 {
				share *= (1 - pass) / tau
			}
			j0 := float64(j[0])
			light.X += float64(share * (float64(j0*sun.X) + float64(j[1])))
			light.Y += float64(share * (float64(j0*sun.Y) + float64(j[2])))
			light.Z += float64(share * (float64(j0*sun.Z) + float64(j[3])))
			left *= pass
		}
	}
	return light, 0
}
