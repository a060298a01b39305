package scenes

import (
	"fmt"
	"strconv"

	"breakwater/raster"
	"breakwater/scenes/stage"
	"breakwater/scenes/toml"
	"breakwater/sim"
	"breakwater/sim/gauge"
	"breakwater/sim/neighbor"
	"breakwater/sim/registry"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
	"breakwater/surface"
)

// A stage's version is raised when its files come out otherwise than before
// from the same settings, so that a new program keeps nothing of an old one
// that it would not make itself.
const (
	simVersion  = 26
	meshVersion = 13
	drawVersion = 23
)

// Keys are the fingerprints of all that a scene makes. Frame n, from 1, has
// index n.
type Keys struct {
	Particles []string
	Meshes    []string
	Pictures  []string
}

// NewKeys returns the fingerprints of s, of which b was built. The fingerprint of a
// frame's particles covers the settings and the times of all frames up to it: the
// solver's steps end at each, and the state is rounded there. So a film made longer keeps
// its frames.
func NewKeys(s *Scene, b *Built) (*Keys, error) {
	sims, err := s.simRecipe()
	if err != nil {
		return nil, err
	}
	var meshes, pictures stage.Recipe
	meshes.Add("version", meshVersion)
	if err := addVariant(&meshes, "surface", &surface.Methods, s.Surface); err != nil {
		return nil, err
	}
	pictures.Add("version", drawVersion)
	if unit := s.Mesh.Axes(nil); unit.Unit != 1 { // coordinates in it are rounded otherwise
		pictures.Add("unit", unit.Unit)
	}
	pictures.Add("picture", s.Picture)
	pictures.Line("shutter", registry.Number(s.Shutter()))
	pictures.Add("floor", b.Floor)
	pictures.Add("ground", []vec.Vec3{b.Ground.Min, b.Ground.Max})
	if err := s.addLight(&pictures); err != nil {
		return nil, err
	}
	if err := s.addPaint(&pictures); err != nil {
		return nil, err
	}
	pictures.Add("overlay", s.Overlay)
	if err := addVariant(&pictures, "look", &raster.Looks, s.Look); err != nil {
		return nil, err
	}

	k := &Keys{Particles: []string{""}, Meshes: []string{""}, Pictures: []string{""}}
	last := sims.Sum()
	for n := 1; n <= s.Time.Frames(); n++ {
		last = stage.After(last, "time", registry.Number(s.Time.At(n)))
		mesh := stage.After(last, "mesh", meshes.Sum())
		k.Particles = append(k.Particles, last)
		k.Meshes = append(k.Meshes, mesh)
		drawn := mesh
		if s.DrawsParticles() {
			drawn = last
		}
		k.Pictures = append(k.Pictures, stage.After(stage.After(drawn, "picture", pictures.Sum()), "camera", s.poseRecipe(b.Shot, n).Sum()))
	}
	return k, nil
}

// poseRecipe lists the settings of the camera of frame n beside the contents of the
// frame. A camera that follows a target depends on how often it sees it.
func (s *Scene) poseRecipe(shot *shot, n int) *stage.Recipe {
	r := &stage.Recipe{}
	r.Add("pose", shot.At(s.Time.Film(n)))
	if c := s.Camera; c != nil && c.Follow != "" {
		r.Add("follow", c.Follow)
		r.Add("wall", c.Wall)
		r.Add("lag", c.Lag)
		r.Add("pan", c.Pan)
		r.Add("fps", s.Time.FPS)
	}
	return r
}

// DrawsParticles reports whether the frames are drawn from the particles and
// not from the meshes.
func (s *Scene) DrawsParticles() bool {
	look, err := raster.Looks.New(s.Look.Kind, registry.None)
	if err != nil {
		return false
	}
	_, ok := look.(raster.ParticleLook)
	return ok
}

// simRecipe lists the settings that the particles of all frames depend on.
func (s *Scene) simRecipe() (*stage.Recipe, error) {
	r := &stage.Recipe{}
	r.Add("version", simVersion)
	r.Add("liquid", s.Liquid)
	var err error
	for i, b := range s.Fluid {
		key := fmt.Sprintf("fluid[%d]", i)
		r.Add(key, b)
		if err = addVariant(r, key, &shape.Shapes, b.Shape); err != nil {
			return nil, err
		}
		if err = addMesh(b.Shape, r, key); err != nil {
			return nil, err
		}
	}
	for i := range s.Inflow {
		key, in := fmt.Sprintf("inflow[%d]", i), &s.Inflow[i]
		r.Add(key, *in)
		if err = addVariant(r, key, &sim.Openings, in.Opening); err != nil {
			return nil, err
		}
	}
	for i := range s.Outflow {
		key, o := fmt.Sprintf("outflow[%d]", i), &s.Outflow[i]
		r.Add(key, *o)
		if err = addVariant(r, key, &sim.Regions, o.Region); err != nil {
			return nil, err
		}
	}
	for i := range s.Gauge {
		key, g := fmt.Sprintf("gauge[%d]", i), &s.Gauge[i]
		r.Add(key, *g)
		if err = addVariant(r, key, &gauge.Gauges, g.What); err != nil {
			return nil, err
		}
	}
	for i := range s.Wall {
		if err = s.Wall[i].addTo(r, fmt.Sprintf("wall[%d]", i)); err != nil {
			return nil, err
		}
	}
	for i := range s.Body {
		key := fmt.Sprintf("body[%d]", i)
		if err = s.Body[i].addTo(r, key); err != nil {
			return nil, err
		}
		if k := s.joinedTo(i); k >= 0 {
			r.Line(key+".joined", strconv.Itoa(k))
		}
	}
	for i, f := range s.Force {
		if err = addVariant(r, fmt.Sprintf("force[%d]", i), &sim.Forces, f); err != nil {
			return nil, err
		}
	}
	if err = addVariant(r, "solver", &sim.Solvers, s.Solver); err != nil {
		return nil, err
	}
	return r, addVariant(r, "neighbor", &neighbor.Finders, s.Search)
}

// addVariant lists the variant that p names with all its settings, the
// defaults among them.
func addVariant[T any](r *stage.Recipe, key string, set *registry.Set[T], p toml.Variant) error {
	r.Line(key, p.Kind)
	_, err := set.New(p.Kind, func(dst any) error {
		var f toml.Report
		language().Settings(p, dst, &f)
		if err := f.Err(); err != nil {
			return err
		}
		r.Add(key, dst)
		return nil
	})
	return err
}
