// Package grains draws clouds of drops in air or of bubbles in water: spray, mist and
// plumes of bubbles, and foam that lies on a surface.
//
// A cloud is gathered along straight pieces of a path of light, wherever the path goes:
// Gather returns the light that the grains on the piece send along it, and the share of
// the light behind them that is left. Most grains are far smaller than a pixel. Each is
// drawn as wide as the ray that looks at it, and as much fainter, so that every ray sees
// its right share of every grain and nothing flickers. With an open shutter a grain
// leaves the streak that the mean over the exposure is.
//
//	parcels.go  what a cloud is made of
//	grid.go     the grains by cells, in sparse blocks
//	frame.go    the grains by where a camera sees them
//	gather.go   along a ray
//	sphere.go   a grain that is seen as a ball
//	voxels.go   extinction and light on the nodes of the blocks
//	bricks.go   copies of the nodes for rays that pass
//	light.go    how much of the light of sun and surroundings reaches a node
//	diffuse.go  light that was scattered more than once
//	splat.go    in a picture without rays
//	foam.go     foam on the vertices of a mesh
//
// The package knows no liquid. Colours are linear triples; radiance is in the units of
// the surroundings. Results do not depend on the number of threads: order is by distance
// and then by number, sums are taken in the order of the grains, and there is no
// randomness but a hash of ids.
package grains

import (
	"breakwater/raster/scatter"
	"breakwater/sim/vec"
)

// Light is what shines on a cloud.
type Light struct {
	ToSun vec.Vec3                               // unit, in the medium of the cloud
	Sun   func(p vec.Vec3) (irradiance vec.Vec3) // of the sun at p without the cloud, on a surface that faces it
	// Around returns the radiance that comes from the unit direction d, without the sun.
	Around func(d vec.Vec3) vec.Vec3
	// Open returns the share of the light from around that reaches p without the cloud.
	// Nil is all of it.
	Open func(p vec.Vec3) vec.Vec3
	// Seen returns the radiance that comes to o from the unit direction d, where details
	// finer than width blur. A grain that is seen as a ball mirrors and refracts it.
	Seen       func(o, d vec.Vec3, width float64) vec.Vec3
	Phase      [3]*scatter.Phase // of red, green and blue light
	Ratio      float64           // refractive index of the grains over the index around
	Absorption vec.Vec3          // coefficients of the medium, 1/m
	Color      vec.Vec3          // share of the light that grains do not absorb
	Emission   vec.Vec3          // radiance of the grains themselves
	Flame      vec.Vec3          // radiance besides, of those that glow
	// Surface returns the radiance of an opaque grain of the colour 1 at o, where its unit normal
	// is n, against the direction d. It takes the place of Seen.
	Surface func(o, n, d vec.Vec3, width float64) vec.Vec3
}

// View is how a cloud is looked at first.
type View struct {
	Eye     vec.Vec3
	Spread  float64 // width of a pixel at a distance of 1 m, m
	Shutter float64 // time for which the grains leave streaks, s
	// Frame is the picture that all rays from Eye of no width go through. The rays of other
	// origins or widths see the voxels. Without it, all rays may see the grains one by one.
	Frame *Frame
}
