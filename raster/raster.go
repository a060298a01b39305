// Package raster draws a liquid in its tank, under a sky, with no GPU.
package raster

import (
	"image"

	"breakwater/sim/plug"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// Quality trades time for finish.
type Quality string

const (
	Draft Quality = "draft" // a look at the scene
	Good  Quality = "good"  // the film
)

// Camera is a pinhole camera. The scene's [camera] table decodes into it.
type Camera struct {
	Eye    vec.Vec3 `toml:"eye" unit:"m" doc:"Where the camera stands."`
	Target vec.Vec3 `toml:"target" unit:"m" doc:"The point in the middle of the picture."`
	Focal  float64  `toml:"focal" unit:"mm" range:"[8, 400]" doc:"Focal length for a sensor 36 mm wide."`
}

// Light is the sun and the sky. The scene's [light] table decodes into it.
type Light struct {
	Azimuth   float64 `toml:"azimuth" unit:"deg" range:"[-360, 360]" doc:"Direction the sun stands in, from +z towards +x."`
	Elevation float64 `toml:"elevation" unit:"deg" range:"[5, 90]" doc:"Height of the sun above the horizon."`
	Sun       float64 `toml:"sun" unit:"1" range:"[0, 100]" doc:"Strength of the sun."`
	Sky       float64 `toml:"sky" unit:"1" range:"[0, 100]" doc:"Strength of the sky."`
	Exposure  float64 `toml:"exposure" unit:"EV" range:"[-10, 10]" doc:"Exposure correction of the picture in stops."`
}

// Overlay is what is written over the picture. The scene's [overlay] table
// decodes into it.
type Overlay struct {
	Title string  `toml:"title" doc:"Text in the upper left corner."`
	Time  bool    `toml:"time" doc:"Whether the simulated time is shown."`
	Scale float64 `toml:"scale" unit:"m" range:"[0, inf)" doc:"Length of the scale bar at the tank; 0 for none."`
}

// Solid is an obstacle in the picture.
type Solid struct {
	Mesh *mesh.Mesh
}

// View is all there is in one picture.
type View struct {
	Camera        Camera
	Light         Light
	Width, Height int // pixels
	Quality       Quality
	Tank          *vec.Box // inner faces of a glass tank without a lid; nil for none
	Floor         float64  // height of the floor, m
	Solids        []Solid
	Liquid        *mesh.Mesh // closed, with normals; nil for none
	Look          Look
}

// Look is how the liquid looks.
type Look interface {
	// Draw draws v. The picture is the same, to the bit, for any number of
	// threads.
	Draw(v *View) (*image.RGBA, error)
}

// Looks are the known looks.
var Looks = plug.Set[Look]{Kind: "look"}
