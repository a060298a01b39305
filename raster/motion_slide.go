package raster

import (
	"breakwater/raster/bvh"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// slideAlongSolids has the liquid's surface slide along the solids that it touches, and
// move with them. Its own velocity is a mean over particles nearby, which would
// open gaps at the solid or go into it. In a glass, such a gap or overlap is a
// wrong sequence of media: the light then breaks as in cracks.
func (m *motion) slideAlongSolids(w *scene) {
	if w.firstWall == w.liquid || w.liquidVertices == 0 {
		return
	}
	c := &contacts{scene: w, motion: m, tree: bvh.New(w.pos, w.tri[w.liquid:w.firstWall]), reach: contactGap * w.size}
	touched := c.find()
	m.trajectoryOf = make([]int32, w.liquidVertices)
	var sliders []int
	for i, s := range touched {
		if m.trajectoryOf[i] = -1; s >= 0 {
			m.trajectoryOf[i] = int32(len(sliders))
			sliders = append(sliders, i)
		}
	}
	m.trajectories = make([]trajectory, len(sliders))
	par.For(len(sliders), func(lo, hi int) {
		for k := lo; k < hi; k++ {
			m.trajectories[k] = c.trajectory(sliders[k], touched[sliders[k]])
		}
	})
	for k, i := range sliders { // for a caller that needs only the speed
		m.velocity[i] = m.trajectories[k][trajectorySteps].Sub(m.trajectories[k][0]).Mul(1 / w.view.Shutter)
	}
}

// trajectory is where a vertex is at the begin of the exposure, at its end, and at
// times between, evenly.
type trajectory [trajectorySteps + 1]vec.Vec3

const trajectorySteps = timeSlabs / 2

// at returns the point on the trajectory after a part of the exposure, from 0 to 1.
func (t *trajectory) at(part float64) vec.Vec3 {
	k := min(trajectorySteps-1, max(0, int(part*trajectorySteps)))
	return t[k].Lerp(t[k+1], float64(part*trajectorySteps)-float64(k))
}

// contacts finds where the liquid's surface touches solids, in the middle of
// the exposure.
type contacts struct {
	*scene
	motion *motion
	tree   *bvh.Tree // of the solids
	reach  float64   // distance from a solid at which the liquid touches it, m
}

// find returns for each of the liquid's vertices the triangle of a solid in contact with
// it, or -1. A vertex is in contact with the solid of any of its triangles, so the line
// where the liquid's surface meets the solid is among them.
func (c *contacts) find() []int32 {
	near := vec.Empty()
	for _, tri := range c.tri[c.liquid:c.firstWall] {
		for _, v := range tri {
			near = near.Include(c.pos[v])
		}
	}
	near = near.Grow(c.reach)
	against := make([]int32, c.liquid)
	par.For(c.liquid, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			against[i] = -1
			t := c.tri[i]
			p, q, r := c.pos[t[0]], c.pos[t[1]], c.pos[t[2]]
			if middle := p.Add(q).Add(r).Mul(1. / 3); near.Contains(middle) {
				n := q.Sub(p).Cross(r.Sub(p)).Unit()
				against[i] = c.facing(middle, n.Neg(), c.reach).Tri
			}
		}
	})
	touched := make([]int32, c.liquidVertices)
	for i := range touched {
		touched[i] = -1
	}
	for i, s := range against {
		for _, v := range c.tri[i] {
			if s >= 0 && touched[v] < 0 {
				touched[v] = s
			}
		}
	}
	return touched
}

// facing returns where a solid's surface of about the normal n, which points
// out of it, is within reach of p along n.
func (c *contacts) facing(p, n vec.Vec3, reach float64) bvh.Hit {
	h := c.tree.CastRay(bvh.Ray{O: p.Add(n.Mul(reach)), D: n.Neg(), Max: 2 * reach})
	const slope = 0.7
	if h.Tri >= 0 && c.normal(h.Tri).Dot(n) < slope {
		h.Tri = -1
	}
	return h
}

// normal returns the normal of a solid's triangle, counted from the first.
func (c *contacts) normal(tri int32) vec.Vec3 {
	flat, _ := c.normals(int32(c.liquid)+tri, 0, 0)
	return flat
}

// velocity returns how fast a solid moves at a point of its surface.
func (c *contacts) velocity(h bvh.Hit) vec.Vec3 {
	t := c.tri[int32(c.liquid)+h.Tri]
	v := c.motion.velocity
	return v[t[0]].Mul(1 - h.U - h.V).Add(v[t[1]].Mul(h.U)).Add(v[t[2]].Mul(h.V))
}

// trajectory returns how vertex i, which touches a triangle of a solid, slides along
// the solid. It stops at an edge.
func (c *contacts) trajectory(i int, tri int32) (t trajectory) {
	here := c.facing(c.pos[i], c.normal(tri), 2*c.reach)
	if here.Tri < 0 { // beside the solid, at an edge of it
		here = bvh.Hit{Tri: tri}
	}
	t[trajectorySteps/2] = c.pos[i]
	const hop = 1. / trajectorySteps
	for _, way := range [2]int{-1, 1} {
		q, on := c.pos[i], here // on the solid as it is in the middle of the exposure
		gap := q.Sub(c.pos[c.tri[int32(c.liquid)+on.Tri][0]]).Dot(c.normal(on.Tri))
		for k := 1; k <= trajectorySteps/2; k++ {
			n := c.normal(on.Tri)
			along := c.motion.velocity[i].Sub(c.velocity(on))
			along = along.Sub(n.Mul(along.Dot(n))).Mul(hop * float64(way) * c.view.Shutter)
			reach := c.reach + along.Len()
			if h := c.facing(q.Add(along), n, reach); h.Tri >= 0 {
				q = q.Add(along).Add(n.Mul(reach - h.T)).Add(c.normal(h.Tri).Mul(gap))
				on = h
			}
			t[trajectorySteps/2+way*k] = q.Add(c.velocity(on).Mul(hop * float64(way*k) * c.view.Shutter))
		}
	}
	return t
}
