package scenes

import (
	"fmt"
	"strconv"
	"strings"

	"breakwater/out"
	"breakwater/raster"
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
	filmVersion = 5

	exportVersion = 2
	pointVersion  = 1
	volumeVersion = 1

	attributeVersion = 1
)

// keys are the fingerprints of all that a scene makes. Frame n, from 1, has
// index n.
type keys struct {
	scene *Scene

	particles []string
	meshes    []string
	pictures  []string
}

// newKeys returns the fingerprints of s, of which b was built. That of a frame's particles stands
// for the settings and for the times of all frames up to it: the solver's
// steps end at each, and the state is rounded there. So a film made longer
// keeps its frames.
func newKeys(s *Scene, b *Built) (*keys, error) {
	sims, err := s.simRecipe()
	if err != nil {
		return nil, err
	}
	var meshes, pictures recipe
	meshes.add("version", meshVersion)
	if err := addVariant(&meshes, "surface", &surface.Methods, s.Surface); err != nil {
		return nil, err
	}
	pictures.add("version", drawVersion)
	if unit := s.Mesh.axes(nil); unit.Unit != 1 { // coordinates in it are rounded otherwise
		pictures.add("unit", unit.Unit)
	}
	pictures.add("picture", s.Picture)
	pictures.line("shutter", registry.Number(s.shutter()))
	pictures.add("floor", b.Floor)
	pictures.add("ground", []vec.Vec3{b.Ground.Min, b.Ground.Max})
	if err := s.addLight(&pictures); err != nil {
		return nil, err
	}
	if err := s.addPaint(&pictures); err != nil {
		return nil, err
	}
	pictures.add("overlay", s.Overlay)
	if err := addVariant(&pictures, "look", &raster.Looks, s.Look); err != nil {
		return nil, err
	}

	k := &keys{scene: s, particles: []string{""}, meshes: []string{""}, pictures: []string{""}}
	last := sims.sum()
	for n := 1; n <= s.Time.Frames(); n++ {
		last = after(last, "time", registry.Number(s.Time.At(n)))
		mesh := after(last, "mesh", meshes.sum())
		k.particles = append(k.particles, last)
		k.meshes = append(k.meshes, mesh)
		drawn := mesh
		if s.drawsParticles() {
			drawn = last
		}
		k.pictures = append(k.pictures, after(after(drawn, "picture", pictures.sum()), "camera", s.poseRecipe(b.shot, n).sum()))
	}
	return k, nil
}

// poseRecipe lists what the camera of frame n is made from beside what the
// frame shows. A camera that follows something depends on how often it sees it.
func (s *Scene) poseRecipe(shot *shot, n int) *recipe {
	r := &recipe{}
	r.add("pose", shot.at(s.Time.film(n)))
	if c := s.Camera; c != nil && c.Follow != "" {
		r.add("follow", c.Follow)
		r.add("wall", c.Wall)
		r.add("lag", c.Lag)
		r.add("pan", c.Pan)
		r.add("fps", s.Time.FPS)
	}
	return r
}

// drawsParticles reports whether the frames are drawn from the particles and
// not from the meshes.
func (s *Scene) drawsParticles() bool {
	look, err := raster.Looks.New(s.Look.Kind, registry.None)
	if err != nil {
		return false
	}
	_, ok := look.(raster.ParticleLook)
	return ok
}

// simRecipe lists what the particles of all frames are made from.
func (s *Scene) simRecipe() (*recipe, error) {
	r := &recipe{}
	r.add("version", simVersion)
	r.add("liquid", s.Liquid)
	var err error
	for i, b := range s.Fluid {
		key := fmt.Sprintf("fluid[%d]", i)
		r.add(key, b)
		if err = addVariant(r, key, &shape.Shapes, b.Shape); err != nil {
			return nil, err
		}
		if err = addMesh(b.Shape, r, key); err != nil {
			return nil, err
		}
	}
	for i := range s.Inflow {
		key, in := fmt.Sprintf("inflow[%d]", i), &s.Inflow[i]
		r.add(key, *in)
		if err = addVariant(r, key, &sim.Openings, in.Opening); err != nil {
			return nil, err
		}
	}
	for i := range s.Outflow {
		key, o := fmt.Sprintf("outflow[%d]", i), &s.Outflow[i]
		r.add(key, *o)
		if err = addVariant(r, key, &sim.Regions, o.Region); err != nil {
			return nil, err
		}
	}
	for i := range s.Gauge {
		key, g := fmt.Sprintf("gauge[%d]", i), &s.Gauge[i]
		r.add(key, *g)
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
			r.line(key+".joined", strconv.Itoa(k))
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
func addVariant[T any](r *recipe, key string, set *registry.Set[T], p toml.Variant) error {
	r.line(key, p.Kind)
	_, err := set.New(p.Kind, func(dst any) error {
		var f toml.Report
		language().Settings(p, dst, &f)
		if err := f.Err(); err != nil {
			return err
		}
		r.add(key, dst)
		return nil
	})
	return err
}

// after returns the fingerprint of what is made from the product with the
// fingerprint before, by a setting.
func after(before, key, value string) string {
	var r recipe
	r.line("from", before)
	r.line(key, value)
	return r.sum()
}

// mesh returns the fingerprint of frame n's mesh file in a format.
func (k *keys) mesh(n int, format string, file product) string {
	if !file.axes.Ours() {
		format += ", " + file.axes.String()
	}
	if _, has := file.format.(out.Quaded); has && k.scene.Mesh.Quads {
		format += ", quads"
	}
	before := k.meshes[n]
	for i := range k.scene.Body {
		before = after(before, "body", k.scene.bodyName(i))
	}
	if list := k.scene.Mesh.Attributes; len(list) > 0 && file.format.(out.PerFrame).Needs()&out.NeedsFields != 0 {
		before = after(before, "attributes", attributeKey(list))
	}
	return after(before, "format", format)
}

// points returns the fingerprint of frame n's particle file in a format.
func (k *keys) points(n int, format string, axes out.Axes) string {
	var r recipe
	r.add("version", pointVersion)
	r.line("from", k.particles[n])
	r.line("format", format)
	r.line("axes", axes.String())
	r.line("attributes", attributeKey(k.scene.Points.Attributes))
	return r.sum()
}

// volume returns the fingerprint of frame n's volume file in a format.
func (k *keys) volume(n int, format string, axes out.Axes) string {
	v := &k.scene.Volume
	var r recipe
	r.add("version", volumeVersion)
	r.line("from", k.particles[n])
	if v.surface() {
		r.line("mesh", k.meshes[n])
	}
	r.line("format", format)
	r.line("axes", axes.String())
	r.line("grids", strings.Join(v.Grids, " "))
	r.line("voxel", registry.Number(v.Voxel))
	return r.sum()
}

// attributeKey stands for a list of attributes.
func attributeKey(list []string) string {
	return strings.Join(list, " ") + " " + strconv.Itoa(attributeVersion)
}

// archive returns the fingerprint of an archive of frames first … last.
func (k *keys) archive(format string, a archive, first, last int) string {
	var r recipe
	r.add("version", exportVersion)
	r.line("format", format)
	r.line("fps", registry.Number(k.scene.Time.FPS))
	r.line("speed", registry.Number(k.scene.Time.Speed))
	r.line("axes", a.axes.String())
	for n := first; n <= last; n++ {
		r.line(strconv.Itoa(n), a.from(n).fingerprint)
	}
	if a.part == out.NeedsParticles {
		r.line("attributes", attributeKey(k.scene.Points.Attributes))
	}
	return r.sum()
}

// film returns the fingerprint of the film of frames first … last in a
// format.
func (k *keys) film(first, last int, format string) string {
	var r recipe
	r.add("version", filmVersion)
	r.line("format", format)
	r.line("fps", registry.Number(k.scene.Time.FPS))
	switch format {
	case "mp4":
		r.line("encoder", k.scene.Video.Encoder)
		r.line("crf", strconv.Itoa(k.scene.Video.CRF))
	case "mov", "mkv":
		r.line("crf", strconv.Itoa(k.scene.Video.CRF))
	}
	for n := first; n <= last; n++ {
		r.line(strconv.Itoa(n), k.pictures[n])
	}
	return r.sum()
}
