package scenes

import (
	"fmt"
	"strconv"

	"breakwater/raster"
	"breakwater/scenes/stage"
	"breakwater/scenes/toml"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

// A stage's version is raised when the same settings give other files than before. A
// new program thus keeps nothing of an old one that it would not make itself.
const (
	simVersion  = 39
	meshVersion = 17
	drawVersion = 43
	gasVersion  = 4
	latticeGas  = 10 // of gas by the solver mesh alone
	summedGas   = 2  // of gas by the solver vortons alone

	whitewaterVersion = 15
)

// fittedLattice names how a lattice is fitted to a block that a cubic one does not fill. It changes with
// the lattice, so that only runs with such blocks simulate again.
const fittedLattice = "by strain and volume"

// lookVersions are of the pictures of one look alone.
var lookVersions = map[string]int{"fire": 10, "mercury": 1, "smoke": 4}

// Keys are the fingerprints of all that a scene makes. Frame n, from 1, has
// index n.
type Keys struct {
	Particles []string
	Airborne  []string // of the list of particles that are shown as spray; nil without whitewater
	Parcels   []string // of the whitewater; likewise
	Meshes    []string
	Pictures  []string
	Light     string // of the sun and the surroundings
}

// Keys returns the fingerprints of s, without its particles.
func (s *Scene) Keys() (*Keys, error) {
	b, err := s.Plan()
	if err != nil {
		return nil, err
	}
	return NewKeys(s, b)
}

// NewKeys returns the fingerprints of s, of which b was built. The fingerprint of a
// frame's particles covers the settings and the times of all frames up to it: the
// solver's steps end at each, and the state is rounded there. So a film made longer keeps
// its frames.
func NewKeys(s *Scene, b *Built) (*Keys, error) {
	var meshes, pictures stage.Recipe
	meshes.Add("version", meshVersion)
	meshes.Include("surface", b.parts.recipes["surface"])
	pictures.Add("version", drawVersion)
	pictures.Add("picture", s.Picture)
	pictures.Line("shutter", registry.Number(s.Shutter(b)))
	pictures.Add("floor", b.Floor)
	pictures.Add("ground", []vec.Vec3{b.Ground.Min, b.Ground.Max})
	if err := s.addLight(&pictures); err != nil {
		return nil, err
	}
	var light stage.Recipe
	if err := s.addLight(&light); err != nil {
		return nil, err
	}
	if err := s.addPaint(&pictures); err != nil {
		return nil, err
	}
	pictures.Add("overlay", s.Overlay)
	pictures.Include("look", b.parts.recipes["look"])
	if version, ok := lookVersions[s.Look.Kind]; ok {
		pictures.Add(s.Look.Kind, version)
	}

	k := &Keys{Particles: []string{""}, Meshes: []string{""}, Pictures: []string{""}, Light: light.Sum()}
	if s.Whitewater != nil {
		k.Airborne, k.Parcels = []string{""}, []string{""}
	}
	last := s.simRecipe(b).Sum()
	for n := 1; n <= s.Time.Frames(); n++ {
		last = stage.After(last, "time", registry.Number(s.Time.At(n)))
		k.Particles = append(k.Particles, last)
		seen := last // the particles that the mesh has
		if s.Whitewater != nil {
			airborne, parcels := s.whitewaterRecipes()
			seen = stage.After(last, "airborne", airborne.Sum())
			k.Airborne = append(k.Airborne, seen)
			k.Parcels = append(k.Parcels, stage.After(last, "whitewater", parcels.Sum()))
		}
		mesh := stage.After(seen, "mesh", meshes.Sum())
		k.Meshes = append(k.Meshes, mesh)
		drawn := mesh
		if b.DrawsParticles() {
			drawn = last
		}
		if s.DrawsWhitewater(b) {
			drawn = stage.After(drawn, "whitewater", k.Parcels[n])
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
func (b *Built) DrawsParticles() bool { return drawsParticles(b.Look) }

func drawsParticles(l raster.Look) bool {
	_, ok := l.(raster.ParticleLook)
	return ok
}

// DrawsWhitewater reports whether the frames show whitewater.
func (s *Scene) DrawsWhitewater(b *Built) bool { return s.Whitewater != nil && !b.DrawsParticles() }

// simRecipe lists the settings that the particles of all frames depend on.
func (s *Scene) simRecipe(b *Built) *stage.Recipe {
	if s.Gas != nil {
		return s.gasRecipe(b)
	}
	r := &stage.Recipe{}
	r.Add("version", simVersion)
	r.Add("liquid", s.Liquid)
	if s.Flat() || s.Domain.Closed || len(s.Domain.Periodic) > 0 {
		r.Add("domain", s.Domain)
		r.Line("domain.ranged", fmt.Sprint(s.root.Find("domain", "min") != nil))
	}
	variant := func(key string) { r.Include(key, b.parts.recipes[key]) }
	block := func(name string, i int, x any) {
		key := fmt.Sprintf("%s[%d]", name, i)
		r.Add(key, x)
		variant(key)
	}
	for i, x := range s.Fluid {
		block("fluid", i, x)
		if b.World.Lattice(b.parts.shapes[i]).Fitted {
			r.Line(fmt.Sprintf("fluid[%d].lattice", i), fittedLattice)
		}
		if x.Field.Kind != "" {
			variant(toml.Join(fmt.Sprintf("fluid[%d]", i), velocityField))
		}
	}
	for i, x := range s.Inflow {
		block("inflow", i, x)
	}
	for i, x := range s.Outflow {
		block("outflow", i, x)
	}
	for i, x := range s.Gauge {
		x.On = ""
		block("gauge", i, x)
		s.addRide(r, fmt.Sprintf("gauge[%d]", i), i)
		if x.What.Kind == "level" {
			r.Line(fmt.Sprintf("gauge[%d].sees", i), "films") // which it once did not
		}
	}
	for i, x := range s.Wall {
		key := fmt.Sprintf("wall[%d]", i)
		x.Name, x.Motion.Keyframes = "", "" // which are not the particles'
		if !x.plain() {
			r.Add(key, x)
		}
		variant(key)
	}
	for i := range s.Body {
		key := fmt.Sprintf("body[%d]", i)
		s.Body[i].addTo(r, key)
		variant(key)
		if k := s.joinedTo(i); k >= 0 {
			r.Line(key+".joined", strconv.Itoa(k))
		}
	}
	for i := range s.Force {
		variant(fmt.Sprintf("force[%d]", i))
	}
	variant("solver")
	variant("neighbor")
	return r
}

// gasRecipe lists the settings that the particles of a gas depend on.
func (s *Scene) gasRecipe(b *Built) *stage.Recipe {
	r := &stage.Recipe{}
	r.Add("version", gasVersion)
	switch s.Solver.Kind {
	case "mesh":
		r.Add("lattice", latticeGas)
	case "vortons":
		r.Add("sums", summedGas)
	}
	r.Add("gas", *s.Gas)
	if len(s.Domain.Periodic) > 0 {
		r.Add("domain", s.Domain)
	}
	part := func(name string, i int, x any) {
		key := fmt.Sprintf("%s[%d]", name, i)
		r.Add(key, x)
		r.Include(key, b.parts.recipes[key])
	}
	for i, x := range s.Vortex {
		part("vortex", i, x)
	}
	for i, x := range s.Source {
		part("source", i, x)
	}
	for i, x := range s.Smoke {
		part("smoke", i, x)
	}
	for i, x := range s.Wall {
		x.Name, x.Motion.Keyframes = "", ""
		part("wall", i, x)
		r.Add(fmt.Sprintf("wall[%d].heat", i), x.Heat)
	}
	for i := range s.Body {
		key := fmt.Sprintf("body[%d]", i)
		s.Body[i].addTo(r, key)
		r.Add(key+".heat", s.Body[i].Heat)
		r.Line(key+".touches", "solids, at the points of both") // once at the points of the body alone
		r.Include(key, b.parts.recipes[key])
	}
	for i, x := range s.Gauge {
		part("gauge", i, x)
	}
	r.Add("tracers", s.Tracers)
	r.Add("flame", s.Flame)
	if s.Flame != nil && s.Flame.Air > 0 {
		r.Line("flame.soot", "settles") // on bodies, where once it stayed
	}
	r.Include("technique", b.parts.recipes["technique"])
	r.Include("solver", b.parts.recipes["solver"])
	return r
}

// WhitewaterVersion returns the number that is raised when the same particles and settings
// give other whitewater than before.
func WhitewaterVersion() int { return whitewaterVersion }
