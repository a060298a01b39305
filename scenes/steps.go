package scenes

import (
	"math"
	"reflect"
	"slices"

	"breakwater/scenes/toml"
	"breakwater/sim"
	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/force"
	"breakwater/sim/num"
	"breakwater/sim/registry"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// motion is what the length of a solver's steps depends on. It is a value: to
// ask what a setting does, change it in a copy.
type motion struct {
	spacing float64                          // m
	world   func(spacing float64) *sim.World // without particles and walls
	tension float64                          // surface tension over density, m³/s²
	gravity vec.Vec3
	solver  sim.Solver
	forces  []force.Force

	walls []boundary.Boundary // those that may move

	fastest float64 // highest speed to expect, m/s, as sim.World.Speed
	usual   float64 // how fast the fastest particle is for most of the time, m/s
}

// dt returns the step, in seconds, that the solver takes in between. It asks the solver
// about a world of one particle, since all bounds but the bounds of speed and
// acceleration are the same for one as for a million.
func (m motion) dt() float64 {
	w := m.world(m.spacing)
	w.SurfaceTension, w.Gravity, w.Forces = m.tension*w.Rho0, m.gravity, m.forces
	w.Fill(&shape.Box{Max: vec.New(m.spacing, m.spacing, m.spacing)}, vec.New(m.usual, 0, 0))
	if w.Init() != nil {
		return 0
	}
	w.Speed = max(w.Speed, m.fastest)
	w.Walls = m.walls
	w.Time = 1 // under way: the first step is shorter, for the pressure is not known
	return m.solver.MaxDt(w)
}

// motion returns how the liquid of s moves. The walls of p must be ready, and
// those that are nil are not there.
func (s *Scene) motion(p *parts) motion {
	m := motion{
		spacing: s.Liquid.Spacing, world: s.emptyWorld, tension: s.Liquid.SurfaceTension / s.Liquid.Density, gravity: s.Liquid.Gravity,
		solver: p.solver, forces: p.forces,
	}
	if s.Flat() {
		m.gravity.Z = 0 // any other is a fault
	}
	// The corners of the blocks determine the highest speeds as well as all their
	// particles.
	w := s.emptyWorld(m.spacing)
	w.Gravity = m.gravity
	for _, wall := range p.walls {
		if wall != nil {
			w.Walls = append(w.Walls, wall)
		}
	}
	for _, b := range p.bodies {
		if b != nil {
			w.Walls = append(w.Walls, b)
		}
	}
	liquid := p.initial(s)
	for i, shape := range p.shapes {
		if shape == nil {
			continue
		}
		b, v := shape.Bounds(), p.fastestIn(s, i)
		for _, x := range []vec.Vec3{b.Min, b.Max} {
			w.X, w.V = append(w.X, x), append(w.V, v)
			w.Rho, w.ID = append(w.Rho, s.Liquid.Density), append(w.ID, uint32(len(w.ID)))
		}
	}
	for i, opening := range p.inflows {
		if opening != nil {
			in := s.Inflow[i].sim(opening)
			w.X, w.V = append(w.X, in.Position), append(w.V, in.Direction.Unit().Mul(peak(in)))
			w.Rho, w.ID = append(w.Rho, s.Liquid.Density), append(w.ID, uint32(len(w.ID)))
		}
	}
	if w.Init() == nil {
		m.fastest = w.Speed
	}
	m.usual = max(peakRatio*math.Sqrt(2*liquid.free(w)), inflowSpeed(s, p, w))
	for _, v := range w.V { // a part that moves from the start keeps its speed for a while
		m.usual = max(m.usual, v.Len())
	}
	for _, wall := range w.Walls {
		if b, ok := wall.(*body.Body); ok {
			m.walls = append(m.walls, b)
		}
	}
	return m
}

// inflowSpeed returns the highest speed that inflowing liquid reaches on its way to the
// ground of w, m/s.
func inflowSpeed(s *Scene, p *parts, w *sim.World) (fastest float64) {
	for i, opening := range p.inflows {
		if opening == nil {
			continue
		}
		in := s.Inflow[i].sim(opening)
		v := peak(in)
		b := initialLiquid{volume: 1e-9, center: in.Position, kinetic: v * v / 2}
		fastest = max(fastest, math.Sqrt(2*b.free(w)))
	}
	return fastest
}

// peakRatio is the ratio of two speeds. The first is the speed of the fastest particle,
// averaged over a film. The second is the speed of all particles if they shared the
// energy that is set free. It is 1.9 to 2.0 in the shipped scenes where much energy is.
const peakRatio = 2

// initialLiquid is the liquid of a scene at the start, as a whole.
type initialLiquid struct {
	volume  float64  // m³
	center  vec.Vec3 // of mass, m
	kinetic float64  // energy per mass, J/kg
}

// initial adds up the blocks. What does not fill its bounds, a ball for one, is
// measured on a grid.
func (p *parts) initial(s *Scene) (b initialLiquid) {
	if p.known != nil {
		return *p.known
	}
	defer func() { p.known = &b }()
	side := sideFor(len(p.shapes))
	for i, shape := range p.shapes {
		if shape == nil {
			continue
		}
		box := shape.Bounds()
		walls := p.cutters(box)
		var n, in, kinetic float64
		var center vec.Vec3
		grid(box, side, false, func(x vec.Vec3) bool {
			n++
			beyond := func(j int) bool { return distance(p.walls[j], x) < 0 }
			if shape.Contains(x) && !slices.ContainsFunc(walls, beyond) {
				in++
				center = center.Add(x)
				if p.fields[i] != nil {
					v := p.velocityAt(s, i, x)
					kinetic += float64(v.Dot(v) / 2)
				}
			}
			return true
		})
		if in == 0 {
			continue
		}
		v := volumeOf(box) * in / n
		b.center = b.center.Mul(b.volume / (b.volume + v)).Add(center.Mul(v / (b.volume + v) / in))
		kinetic /= in
		if p.fields[i] == nil {
			kinetic = s.Fluid[i].Velocity.Dot(s.Fluid[i].Velocity) / 2
		}
		b.kinetic = (float64(b.kinetic*b.volume) + float64(kinetic*v)) / (b.volume + v)
		b.volume += v
	}
	return b
}

// cutters returns which walls may cut a block of liquid within b.
func (p *parts) cutters(b vec.Box) (list []int) {
	for j, w := range p.walls {
		if free, ok := w.(*body.Body); w != nil && cuts(w) && !(ok && free.Free != nil) && near(w, b) {
			list = append(list, j)
		}
	}
	return list
}

// free returns the energy, in J/kg, that the liquid sets free on its way to rest. At
// rest it lies level in the lowest container of w or flat on the ground.
func (b initialLiquid) free(w *sim.World) float64 {
	g := w.Gravity.Len()
	if g == 0 || b.volume == 0 {
		return b.kinetic
	}
	down := w.Gravity.Mul(1 / g)
	ground, level := math.Inf(-1), 0.
	for _, wall := range w.Walls {
		if box, ok := wall.(interface{ Bounds() vec.Box }); ok {
			if c := box.Bounds(); !c.IsEmpty() {
				half := c.Size().Mul(0.5)
				deep := math.Abs(float64(half.X*down.X)) + math.Abs(float64(half.Y*down.Y)) + math.Abs(float64(half.Z*down.Z))
				if low := c.Center().Dot(down) + deep; low > ground {
					ground, level = low, float64(b.volume/volumeOf(c)*2*deep)
				}
			}
		} else if d, n := wall.Dist(b.center); n.Dot(down) < 0 {
			if low := b.center.Dot(down) + d; low > ground {
				ground, level = low, 0
			}
		}
	}
	if math.IsInf(ground, -1) {
		return b.kinetic
	}
	return b.kinetic + max(0, float64(g*(ground-b.center.Dot(down)-float64(level/2))))
}

// bound is one of the things that bound the steps, by itself.
type bound struct {
	key        string // of its setting in the scene; "" for the motion itself
	motion     motion // without all others
	parameters []parameter
}

// parameter is a number in the scene that changes a bound.
type parameter struct {
	at    *toml.Node
	value float64
	unit  string
	with  func(x float64) (motion, bool) // the bound's motion with another value; false if it cannot be
}

// enough returns the value nearest to the parameter's own at which fits holds.
func (l parameter) enough(fits func(motion) bool) (x float64, ok bool) {
	holds := func(x float64) bool {
		m, ok := l.with(x)
		return ok && fits(m)
	}
	if x, ok = num.Nearest(l.value, -1, holds); ok {
		return x, true
	}
	return num.Nearest(l.value, 1, holds)
}

// bounds lists what bounds the steps: first that the liquid moves, then the
// solver's settings, surface tension, and forces.
func (s *Scene) bounds(p *parts) []bound {
	base := s.motion(p)
	base.tension, base.forces = 0, nil
	own := base
	if v, err := sim.Solvers.New(s.Solver.Kind, registry.None); err == nil {
		base.solver = v
	}
	list := []bound{{motion: base, parameters: s.speedParameters(p, base)}}

	list = append(list, bound{"solver", own, variantParameters(&sim.Solvers, s.Solver, func(v sim.Solver) motion {
		m := own
		m.solver = v
		return m
	})})

	pulled := func(x float64) (motion, bool) {
		m := base
		m.tension = x / s.Liquid.Density
		return m, true
	}
	b := bound{key: "liquid.surface_tension"}
	b.motion, _ = pulled(s.Liquid.SurfaceTension)
	if n := s.root.Find("liquid", "surface_tension"); n != nil {
		b.parameters = []parameter{{n, s.Liquid.SurfaceTension, "N/m", pulled}}
	}
	list = append(list, b)

	for i, f := range p.forces {
		if f == nil {
			continue
		}
		with := func(f force.Force) motion {
			m := base
			m.forces = []force.Force{f}
			return m
		}
		list = append(list, bound{toml.Index("force", i), with(f), variantParameters(&force.Forces, s.Force[i], with)})
	}
	return list
}

// Gravity and speeds at or below these are not a reason to call a film too long. They
// cover a centrifuge and a fast jet.
const (
	usualGravity = 100. // m/s²
	usualSpeed   = 100. // m/s
)

// speedParameters returns the settings that make the liquid move faster than usual. base is the
// motion with them.
func (s *Scene) speedParameters(p *parts, base motion) (list []parameter) {
	add := func(at *toml.Node, value, usual float64, unit string, change func(c *Scene, x float64)) {
		if at == nil || value <= usual {
			return
		}
		list = append(list, parameter{at, value, unit, func(x float64) (motion, bool) {
			if x < usual || x > value {
				return motion{}, false
			}
			c := *s
			c.Fluid, c.Inflow = slices.Clone(s.Fluid), slices.Clone(s.Inflow)
			change(&c, x)
			q := *p
			q.known = nil // which has the speeds of s
			m := c.motion(&q)
			m.tension, m.forces, m.solver = base.tension, base.forces, base.solver
			return m, true
		}})
	}
	g := s.Liquid.Gravity.Len()
	add(s.root.Find("liquid", "gravity"), g, usualGravity, "m/s²", func(c *Scene, x float64) { c.Liquid.Gravity = c.Liquid.Gravity.Mul(x / g) })
	for i, b := range s.Fluid {
		v := b.Velocity.Len()
		add(b.Shape.Node.Get("velocity"), v, usualSpeed, "m/s", func(c *Scene, x float64) { c.Fluid[i].Velocity = c.Fluid[i].Velocity.Mul(x / v) })
	}
	for i, in := range s.Inflow {
		add(in.Opening.Node.Get("speed"), in.Speed, usualSpeed, "m/s", func(c *Scene, x float64) { c.Inflow[i].Speed = x })
	}
	return list
}

// variantParameters returns the settings of the variant that p names that are numbers and
// that the scene gives. with returns the motion with another variant in its place.
func variantParameters[T any](set *registry.Set[T], p toml.Variant, with func(T) motion) (list []parameter) {
	if p.Node == nil {
		return nil
	}
	// build makes the variant with the setting key at x, and shows it.
	build := func(key string, x float64, show func(settings reflect.Value)) (T, error) {
		return set.New(p.Kind, func(dst any) error {
			var f toml.Report
			v := reflect.ValueOf(dst).Elem()
			language().Settings(p, dst, &f)
			if field, ok := toml.Lookup(toml.Fields(v.Type()), key); ok {
				if !field.In.Contains(x) || field.Limit != nil && !field.Limit.Contains(x) {
					return errBadSettings
				}
				v.FieldByIndex(field.Index).SetFloat(x)
			}
			show(v)
			return f.Err()
		})
	}
	_, _ = build("", 0, func(v reflect.Value) {
		for _, field := range toml.Fields(v.Type()) {
			n := p.Node.Get(field.Key)
			if n == nil || field.Inline || field.In == nil || v.FieldByIndex(field.Index).Kind() != reflect.Float64 {
				continue
			}
			list = append(list, parameter{n, v.FieldByIndex(field.Index).Float(), field.Unit, func(x float64) (m motion, ok bool) {
				w, err := build(field.Key, x, func(reflect.Value) {})
				if err != nil {
					return m, false
				}
				return with(w), true
			}})
		}
	})
	return list
}

// StepLength returns how long a step of b is expected to be in between, s.
func (s *Scene) StepLength(b *Built) float64 { return s.motion(b.parts.in(b.World)).dt() }

// Steps returns about how many steps the solver of b takes for the film, and which setting
// makes them shorter than motion alone would, as solver.sound_speed or force[1]; "" if none
// does. In between they have the expected length, and a rehearsal took factor steps for each.
func (s *Scene) Steps(b *Built, factor float64) (n int, shortened string) {
	all, dt := s.bounds(b.parts.in(b.World)), s.StepLength(b)
	least := 0.9 * all[0].motion.dt() // a setting that makes less of a difference shortens nothing
	for _, b := range all {
		if dt := b.motion.dt(); dt < least {
			least, shortened = dt, b.key
		}
	}
	// A frame ends with a step, whatever is left for it: half a step more each.
	frames := s.Time.Frames()
	each := float64(s.Time.At(2)/dt*factor) + 0.5
	return int(float64(frames-1) * max(1, each)), shortened
}
