package scenes

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"breakwater/out"
	"breakwater/scenes/scenery"
	"breakwater/scenes/stage"
	"breakwater/scenes/toml"
	"breakwater/sim"
	"breakwater/sim/body"
	"breakwater/sim/particle"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// Body is one [[body]] table: a solid that the liquid moves, and that moves the
// liquid.
type Body struct {
	Shape           toml.Variant `toml:",inline"` // a variant of body.Solids: its kind and its keys
	Name            string       `toml:"name" doc:"Name of the body in mesh files: letters, digits, - and _. The default for the first body is body1."`
	Density         float64      `toml:"density" unit:"kg/m³" range:"[0, inf)" doc:"Mean density of the body: 500 for wood, 2700 for stone, 7800 for steel. A body of lower density than the liquid floats. Allowed is 1/2000 to 1000 times the density of the liquid. Give either density or mass."`
	Mass            float64      `toml:"mass" unit:"kg" range:"[0, inf)" doc:"Mass of the body, instead of the density."`
	Position        vec.Vec3     `toml:"position" unit:"m" doc:"Centre of mass at the start; by default as the shape places it."`
	Rotation        vec.Vec3     `toml:"rotation" unit:"deg" doc:"Rotation of the body at the start: the vector's direction is the axis through the centre of mass, its length the angle."`
	Velocity        vec.Vec3     `toml:"velocity" unit:"m/s" doc:"Velocity of the centre of mass at the start."`
	AngularVelocity vec.Vec3     `toml:"angular_velocity" unit:"deg/s" doc:"Angular velocity at the start, about the direction of this vector."`
	Friction        float64      `toml:"friction" unit:"1" range:"[0, 1]" absent:"0, or the value of the named liquid" doc:"Friction with the liquid: 0 is free slip, 1 is no slip."`
	Grip            float64      `toml:"grip" unit:"1" range:"[0, 10]" absent:"0.5" doc:"Coefficient of friction with solids that the body touches; between two bodies the geometric mean of both."`
	Restitution     float64      `toml:"restitution" unit:"1" range:"[0, 1]" doc:"Coefficient of restitution on impact with a solid; between two bodies the larger of both."`
	scenery.Finish  `recipe:"-"` // which changes pictures alone
	Heat            `recipe:"-"` // which is listed for a gas alone
	Joint           body.Joint   `toml:"joint" doc:"Joint that holds the body. Without one the body is free."`
}

// bodyGrip is the default grip of a body, approximately that between pieces of wood.
const bodyGrip = 0.5

// BodyName returns the name of body i.
func (s *Scene) BodyName(i int) string {
	if n := s.Body[i].Name; n != "" {
		return n
	}
	return fmt.Sprintf("body%d", i+1)
}

// body builds the body that t describes, nil if it cannot be.
func (t *Body) body(f *builder, key string) *body.Body {
	shape, ok := makeVariant(f, key, &body.Solids, t.Shape)
	if !ok {
		return nil
	}
	if m, ok := shape.(meshed); ok && !f.readMesh(key, t.Shape, m) {
		return nil
	}
	at := t.Shape.Node
	for _, key := range []string{"density", "mass", "position", "rotation", "velocity", "angular_velocity", "friction", "grip", "restitution", "joint"} {
		if n := at.Get(key); n != nil && n.Broken() {
			return nil
		}
	}
	density, mass := at.Get("density"), at.Get("mass")
	switch {
	case density != nil && mass != nil:
		f.Value(mass, "the density of the body is given too%s, and determines its mass; remove one of them", lineOf(mass, density))
		return nil
	case density == nil && mass == nil:
		f.Value(at, "has no mass; add a line such as density = 500, in kg/m³ as for wood, or mass = 2, in kg")
		return nil
	case density != nil && t.Density == 0:
		f.Value(density, "a body without mass cannot move; expected more than 0 kg/m³, such as 500 for wood, 50 for foam")
		return nil
	case mass != nil && t.Mass == 0:
		f.Value(mass, "a body without mass cannot move; expected more than 0 kg")
		return nil
	}
	newBody := body.NewRigid
	if f.flat {
		if shape = f.flatWall(at, shape); shape == nil {
			return nil
		}
		newBody = body.NewFlatRigid
	}
	b, err := newBody(shape, t.Density, t.Mass, t.Friction)
	if err != nil {
		f.Value(at, "%v", err)
		return nil
	}
	b.Free.Grip, b.Free.Restitution = bodyGrip, t.Restitution
	if at.Get("grip") != nil {
		b.Free.Grip = t.Grip
	}
	start := &b.Free.Start
	if at.Get("position") != nil {
		start.X = t.Position
	}
	start.Turn = vec.Turn(t.Rotation.Mul(math.Pi / 180))
	start.V, start.Spin = t.Velocity, t.AngularVelocity.Mul(math.Pi/180)
	b.PutAtStart()
	return b
}

// addTo lists the settings that every body has, under a key.
func (t *Body) addTo(r *stage.Recipe, key string) {
	named := *t
	named.Name, named.Joint.Body = "", "" // which are not the particles'
	r.Add(key, named)
	r.Line(key+".placed", fmt.Sprint(t.Shape.Node.Get("position") != nil, t.Shape.Node.Get("grip") != nil))
}

// about returns m as seen from c.
func about(m *mesh.Mesh, c vec.Vec3) *mesh.Mesh {
	o := &mesh.Mesh{Nrm: m.Nrm, Tri: m.Tri}
	for _, x := range m.Pos {
		o.Pos = append(o.Pos, x.Sub(c))
	}
	return o
}

// Objects returns the bodies as files of meshes have them, where they are.
func (b *Built) Objects(at []particle.Body) []out.Object {
	list := slices.Clone(b.Afloat)
	for i := range list {
		list[i].Body = at[i]
	}
	return list
}

// touching is how deep, in spacings, a body may start in another solid: more than
// rounding in a scene's numbers may cause.
const touching = 0.01

// A body's mean density is at least this part of the liquid's, and at most this many
// times it. Air has 1/800 of the density of water. With a hundredth of that, bodies would
// be so light that the impulse of a single particle throws them about. Osmium has 23
// times the density of water.
const (
	lightest = 1. / 2000
	heaviest = 1000
)

// weights checks that each body has a mass that the liquid can move.
func (c *checker) weights() {
	if c.badValue("liquid") {
		return
	}
	for i, b := range c.parts.bodies {
		if b == nil {
			continue
		}
		at, unit, per := c.scene.Body[i].Shape.Node.Get("density"), "kg/m³", 1.
		if at == nil {
			at, unit, per = c.scene.Body[i].Shape.Node.Get("mass"), "kg", b.Free.Volume()
		}
		liquid := c.scene.Liquid.Density
		least, most := lightest*liquid, heaviest*liquid
		switch density := b.Free.Mass / b.Free.Volume(); {
		case density < least*(1-1e-9):
			c.Report.Value(at, "makes the body lighter than 1/2000 of the displaced liquid; expected at least %.3g %s", least*per, unit)
		case density > most*(1+1e-9):
			c.Report.Value(at, "makes the body heavier than 1000 times the displaced liquid; expected at most %.3g %s", most*per, unit)
		}
	}
}

// bodies checks that each body has a name of its own, is thick enough for the
// spacing, and starts clear of the walls and of the other bodies.
func (c *checker) bodies(d float64) {
	c.bodyNames()
	c.weights()
	if _, alone := c.parts.solver.(sim.Compressible); alone && len(c.parts.bodies) > 0 {
		c.Report.Value(c.scene.Body[0].Shape.Node, "the solver %q does not support bodies; expected isph, iisph, dfsph or wcsph", c.scene.Solver.Kind)
	}
	k := c.scene.kernel(d)
	for i, b := range c.parts.bodies {
		if b == nil {
			continue
		}
		at := c.scene.Body[i].Shape.Node
		if err := b.Init(k); err != nil {
			c.Report.Value(at, "%v", err)
			c.parts.bodies[i] = nil
			continue
		}
		c.bodyClear(i, d)
	}
}

// bodyClear checks that body i starts clear of the walls and of the bodies before it.
func (c *checker) bodyClear(i int, d float64) {
	b, at := c.parts.bodies[i], c.scene.Body[i].Shape.Node
	for j, w := range c.parts.walls {
		if w == nil {
			continue
		}
		if deep, where := b.Penetration(w); deep > touching*d {
			wall, how := c.scene.Wall[j].Shape.Node, "starts inside"
			if container(w) {
				how = "reaches out of"
			}
			c.Report.Value(at, "%s %s%s by %.3g m, at %s; move the body that far, or move the wall", how, wall.Path, lineOf(at, wall), deep, point(where))
		}
	}
	for j, other := range c.parts.bodies[:i] {
		if other == nil || c.scene.joinedTo(i) == j || c.scene.joinedTo(j) == i { // which do not touch
			continue
		}
		if deep, where := b.Penetration(other); deep > touching*d {
			first := c.scene.Body[j].Shape.Node
			c.Report.Value(at, "overlaps %s%s by %.3g m, at %s; move one of them that far", first.Path, lineOf(at, first), deep, point(where))
			break // with how many more matters little
		}
	}
}

func (c *checker) bodyNames() {
	names := map[string]*toml.Node{}
	for i := range c.scene.Body {
		at := c.scene.Body[i].Shape.Node
		place := at
		if n := at.Get("name"); n != nil && !n.Broken() {
			place = n
			if name := c.scene.Body[i].Name; !validName(name) {
				c.Report.Value(n, "%q is not a valid object name for mesh files; expected up to 64 letters, digits, - and _", name)
				continue
			}
		}
		name := strings.ToLower(c.scene.BodyName(i))
		if first := names[name]; first != nil {
			c.Report.Value(place, "the name %q is already used by %s%s; choose another", c.scene.BodyName(i), first.Path, lineOf(place, first))
		} else if name == "liquid" {
			c.Report.Value(place, "the name %q is reserved for the liquid; choose another", c.scene.BodyName(i))
		} else {
			names[name] = at
		}
	}
}
