package initial

import (
	"errors"
	"math"

	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

func init() {
	Fields.Register(registry.Entry[Field]{
		Name: "shear", Doc: "simple shear: layers that slide over each other",
		New: func(d registry.Decode) (Field, error) {
			s := &Shear{Direction: vec.New(1, 0, 0), Across: vec.New(0, 1, 0), Rate: 1}
			if err := d(s); err != nil {
				return s, err
			}
			a, b := s.Direction.Unit(), s.Across.Unit()
			if a == (vec.Vec3{}) || b == (vec.Vec3{}) || math.Abs(a.Dot(b)) > 1e-9 {
				return s, errors.New("direction and across must be two directions upright to each other, such as [1, 0, 0] and [0, 1, 0]; other fields change the volume of the liquid")
			}
			return s, nil
		},
	})
}

// Shear is v = γ ((x − c)·n) u, with u and n upright to each other.
type Shear struct {
	Center    vec.Vec3 `toml:"center" unit:"m" doc:"A point at which the liquid rests."`
	Direction vec.Vec3 `toml:"direction" unit:"1" doc:"Direction of the velocity, of any length but 0."`
	Across    vec.Vec3 `toml:"across" unit:"1" doc:"Direction in which the speed grows, upright to the velocity."`
	Rate      float64  `toml:"rate" unit:"1/s" doc:"Shear rate: the growth of the speed per metre."`
}

// At implements Field.
func (s *Shear) At(x vec.Vec3) vec.Vec3 {
	return s.Direction.Unit().Mul(s.Rate * x.Sub(s.Center).Dot(s.Across.Unit()))
}
