package scenes

import (
	"fmt"
	"math"
	"slices"

	"breakwater/out"
	"breakwater/scenes/stage"
	"breakwater/scenes/toml"
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
	Finish          `recipe:"-"` // which changes pictures alone
	Heat            `recipe:"-"` // which is listed for a gas alone
	Joint           body.Joint   `toml:"joint" doc:"Joint that holds the body. Without one the body is free."`
}

// bodyGrip is the default grip of a body, approximately that between pieces of wood.
const bodyGrip = 0.5

// name returns the name of body i.
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
