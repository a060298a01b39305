package raster

import (
	"fmt"
	"math"

	"breakwater/raster/bvh"
	"breakwater/raster/camera"
	"breakwater/raster/color"
	"breakwater/raster/optics"
	"breakwater/sim/num"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// Vessel is a tank that is not an upright box: it is of any shape, or turned, or
// a single plane. It is drawn as panes of glass with bars of glass along its
// edges, as a Tank is.
type Vessel struct {
	Panes *mesh.Mesh  // its inner faces, with normals; both point away from the liquid
	Edges []mesh.Edge // the edges that have bars
	Walls *Material   // of the sides that are seen from inside; nil for panes of glass, which all others are
	Rest  []vec.Vec3  // positions for the grain of wood; nil for the vertices of Panes
	// Block is drawn in place of everything else where the camera sees the first
	// pane from inside; nil for none.
	Block    *Solid
	Velocity func(p vec.Vec3) vec.Vec3 // of its points, m/s; nil if it stands still
}

// check returns a fault of x, or nil.
func (x *Vessel) check() error {
	if x.Panes == nil {
		return fmt.Errorf("it has no panes")
	}
	if err := x.Panes.CheckData(); err != nil {
		return err
	}
	if n := len(x.Panes.Pos); len(x.Panes.Nrm) != n || x.Rest != nil && len(x.Rest) != n {
		return fmt.Errorf("%d normals and %d rest positions for %d vertices", len(x.Panes.Nrm), len(x.Rest), n)
	}
	if x.Walls != nil {
		return x.Walls.check()
	}
	return nil
}

// inward reports whether a triangle of the panes is seen from inside.
func (x *Vessel) inward(t [3]int32, eye vec.Vec3) bool {
	a := x.Panes.Pos[t[0]]
	return x.Panes.Pos[t[1]].Sub(a).Cross(x.Panes.Pos[t[2]].Sub(a)).Dot(eye.Sub(a)) < 0
}

// visibleParts returns the parts of x to draw for a camera at eye: its panes of glass and its
// solid sides, nil for either without any.
func (x *Vessel) visibleParts(eye vec.Vec3) (glass *Vessel, solid *Solid) {
	if x.Block != nil && len(x.Panes.Tri) > 0 && x.inward(x.Panes.Tri[0], eye) {
		return nil, x.Block
	}
	if x.Walls == nil {
		return x, nil
	}
	front, back := &mesh.Mesh{Pos: x.Panes.Pos, Nrm: x.Panes.Nrm}, &mesh.Mesh{Pos: x.Panes.Pos}
	for _, t := range x.Panes.Tri {
		if x.inward(t, eye) {
			back.Tri = append(back.Tri, [3]int32{t[0], t[2], t[1]})
		} else {
			front.Tri = append(front.Tri, t)
		}
	}
	for _, n := range x.Panes.Nrm {
		back.Nrm = append(back.Nrm, n.Neg())
	}
	if x.Velocity != nil {
		for _, p := range back.Pos {
			back.Vel = append(back.Vel, x.Velocity(p))
		}
	}
	open := *x
	open.Panes, open.Walls, open.Rest = front, nil, nil
	return &open, &Solid{Mesh: back, Material: *x.Walls, Rest: x.Rest}
}

// addBars appends the bars of x.
func (g *geometry) addBars(x *Vessel, l *camera.Lens, q Quality) {
	box := vec.Empty()
	for _, e := range x.Edges {
		box = box.Include(e.A).Include(e.B)
	}
	if box.IsEmpty() {
		return
	}
	bars := mesh.Frame(x.Edges, visibleBarWidth(l, box, q))
	g.add(bars)
	for _, p := range bars.Pos {
		v := vec.Vec3{}
		if x.Velocity != nil {
			v = x.Velocity(p)
		}
		g.barVel = append(g.barVel, v)
	}
}

// visibleBarWidth returns the width of the bars of a tank whose edges are in box. Thinner
// bars would be missed by some samples, and their lines would become dots.
func visibleBarWidth(l *camera.Lens, box vec.Box, q Quality) float64 {
	least := 0.55 // px
	if q == Draft {
		least = 1.05
	}
	size := box.Size()
	long := max(size.X, size.Y, size.Z)
	away := box.Center().Sub(l.Eye).Len() + float64(size.Len()/2)
	return max(float64(barWidth*long), min(float64(least*l.PixelAngle()*away), float64(4*barWidth*long)))
}

// panes are the panes of all vessels of a picture.
type panes struct {
	geometry
	tree *bvh.Tree
}

// newPanes returns the panes of the vessels, nil without vessels.
func newPanes(list []Vessel) *panes {
	p := &panes{}
	for i := range list {
		p.add(list[i].Panes)
	}
	if len(p.tri) == 0 {
		return nil
	}
	p.tree = bvh.New(p.pos, p.tri)
	return p
}

// mostPanes is how many sides of tanks count along a ray.
const mostPanes = 8

// crossings adds to c the panes that the ray from o along d passes before tmax,
// where it is nearer than near to none.
func (p *panes) crossings(c *[mostPanes]crossing, n int, o, d vec.Vec3, tmax, near float64) int {
	from := 0.
	for range mostPanes {
		h := p.tree.Cast(o.Add(d.Mul(from)), d, tmax-from)
		if h.Tri < 0 {
			break
		}
		_, normal := p.normals(h.Tri, h.U, h.V)
		n = insert(c, n, crossing{t: from + h.T, normal: normal, cos: math.Abs(d.Dot(normal)), vessel: true})
		from += h.T + near
	}
	return n
}

// insert puts x into the list of n crossings, nearest first. Of too many it
// leaves out the farthest.
func insert(c *[mostPanes]crossing, n int, x crossing) int {
	k := min(n, mostPanes-1)
	if n == mostPanes && c[k].t <= x.t {
		return n
	}
	for ; k > 0 && c[k-1].t > x.t; k-- {
		c[k] = c[k-1]
	}
	c[k] = x
	return min(n+1, mostPanes)
}

// touches reports whether the liquid's surface at p, with the unit normal n, lies
// on a pane.
func (p *panes) touches(at, n vec.Vec3, near float64) bool {
	h := p.tree.Cast(at.Sub(n.Mul(near)), n, 2*near)
	if h.Tri < 0 {
		return false
	}
	flat, _ := p.normals(h.Tri, h.U, h.V)
	return math.Abs(flat.Dot(n)) > 0.97
}

// transmittance returns the transmittance of a pane for light that crosses it. The path through
// a round one is long where it is seen edge on.
func (x *crossing) transmittance() color.RGB {
	tint := glassTint
	if x.vessel {
		tint = tint.Each(func(c float64) float64 { return num.Pow(c, 1/max(0.08, x.cos)) })
	}
	return tint.Scale(1 - optics.PaneReflectance(x.cos))
}
