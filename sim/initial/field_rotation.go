package initial

import (
	"errors"
	"math"

	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

func init() {
	Fields.Register(registry.Entry[Field]{
		Name: "rotation", Doc: "turns like a rigid body",
		New: func(d registry.Decode) (Field, error) {
			r := &Rotation{Axis: vec.New(0, 0, 1), Rate: 360}
			if err := d(r); err != nil {
				return r, err
			}
			if r.Axis == (vec.Vec3{}) {
				return r, errors.New("axis is [0, 0, 0]; expected the direction of the axis, such as [0, 0, 1]")
			}
			return r, nil
		},
	})
}

// Rotation is v = ω × (x − c), the motion of a rigid body that turns about an axis.
type Rotation struct {
	Center vec.Vec3 `toml:"center" unit:"m" doc:"A point on the axis."`
	Axis   vec.Vec3 `toml:"axis" unit:"1" doc:"Direction of the axis, of any length but 0. Seen against it, the liquid turns counter-clockwise."`
	Rate   float64  `toml:"rate" unit:"deg/s" doc:"Angular speed; below 0 the liquid turns the other way."`
}

// At implements Field.
func (r *Rotation) At(x vec.Vec3) vec.Vec3 {
	return r.Axis.Unit().Mul(r.Rate * math.Pi / 180).Cross(x.Sub(r.Center))
}
