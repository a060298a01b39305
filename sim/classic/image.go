package classic

import (
	"breakwater/sim"
	"breakwater/sim/boundary"
	"breakwater/sim/vec"
)

// image is what walls do to the sums of Gourlay's law: what the liquid's mirror image
// would. The walls' own images, Boundary.Mirror, give its decay with the distance from
// the wall. A lattice that ends half a spacing off a plane gives its strength.
type image struct {
	h         float64 // m
	n, m      float64 // of N and M, by share
	far, near float64 // of 2 Σ u² r_ij/r and 2 Σ u³ r_ij/r, by the share's gradient, m
}

func newImage(w *sim.World, h float64) image {
	plane := &boundary.Plane{Normal: vec.New(0, 1, 0)}
	if err := plane.Init(w.Kernel); err != nil {
		panic(err) // it has a normal
	}
	share, grad := plane.Mirror(vec.New(0, w.Spacing/2, 0))
	e := image{h: h}
	latticePoints(w.Dim(), w.Spacing, h, func(x vec.Vec3, r, u float64) {
		if x.Y > 0 { // of the half of it that the plane takes away
			e.n, e.m = e.n+u*u*u/share, e.m+u*u*u*u/share
			slope := 2 * x.Y / r / grad.Len()
			e.far, e.near = e.far+float64(u*u*slope), e.near+float64(u*u*u*slope)
		}
	})
	return e
}

// at returns what images in the walls of w add to N and M at x, and the gradient of
// their share, away from the walls, 1/m.
func (e *image) at(w *sim.World, x vec.Vec3) (n, m float64, away vec.Vec3) {
	for _, wall := range w.Walls {
		if d, _ := boundary.RoughDist(wall, x); d < e.h {
			share, grad := wall.Mirror(x)
			n, m, away = n+float64(e.n*share), m+float64(e.m*share), away.Sub(grad)
		}
	}
	return n, m, away
}
