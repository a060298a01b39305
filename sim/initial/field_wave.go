package initial

import (
	"errors"
	"fmt"
	"math"

	"breakwater/sim/num"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

func init() {
	Fields.Register(registry.Entry[Field]{
		Name: "wave", Doc: "standing wave of linear theory: its velocity, and its surface, which cuts the block", Cite: "Dean and Dalrymple 1991",
		New: func(d registry.Decode) (Field, error) {
			w := &Wave{Direction: vec.New(1, 0, 0), Wavelength: 1, Amplitude: 0.02}
			if err := d(w); err != nil {
				return w, err
			}
			if w.Direction.Y != 0 || w.Direction == (vec.Vec3{}) {
				return w, fmt.Errorf("direction is [%g, %g, %g]; expected a level direction, such as [1, 0, 0]", w.Direction.X, w.Direction.Y, w.Direction.Z)
			}
			if w.Depth > 0 && w.Amplitude >= w.Depth {
				return w, fmt.Errorf("the amplitude, %g m, is not less than the depth, %g m; make it smaller", w.Amplitude, w.Depth)
			}
			return w, nil
		},
	})
}

// Wave is a standing wave in water of the depth h (Dean and Dalrymple, Water Wave Mechanics
// for Engineers and Scientists, World Scientific 1991, section 4.3), with the surface
//
//	η = a cos kx cos θ,
//	u = a ω cosh k(h+y)/sinh kh sin kx sin θ,  v = −a ω sinh k(h+y)/sinh kh cos kx sin θ,
//
// the phase θ, ω² = g k tanh kh, and y from the level of the water at rest.
type Wave struct {
	Crest      vec.Vec3 `toml:"crest" unit:"m" doc:"A point on the line of a crest; its y has no effect."`
	Direction  vec.Vec3 `toml:"direction" unit:"1" doc:"Level direction from crest to crest."`
	Wavelength float64  `toml:"wavelength" unit:"m" range:"(0, inf)" doc:"Distance of two crests."`
	Amplitude  float64  `toml:"amplitude" unit:"m" range:"(0, inf)" doc:"Height of a crest above the level at rest. The theory holds for a small part of the wavelength and of the depth."`
	Level      float64  `toml:"level" unit:"m" doc:"Height y of the surface at rest. The block must reach up to the crests."`
	Depth      float64  `toml:"depth" unit:"m" range:"[0, inf)" doc:"Depth of the water at rest; 0 for water that is deep compared with the wavelength."`
	Phase      float64  `toml:"phase" unit:"deg" doc:"Phase of the oscillation: at 0 the surface is highest and the water rests; at 90 the surface is level and the water is fastest."`

	omega float64 // 1/s
}

// SetGravity implements Heavy.
func (w *Wave) SetGravity(g vec.Vec3) error {
	if !(g.Y < 0) || g.X != 0 || g.Z != 0 {
		return errors.New("a wave needs gravity straight down, such as gravity = [0, -9.81, 0] under [liquid]")
	}
	tanh := 1.
	if w.Depth > 0 {
		e := num.Exp(float64(-2 * w.number() * w.Depth))
		tanh = (1 - e) / (1 + e)
	}
	w.omega = math.Sqrt(-g.Y * w.number() * tanh)
	return nil
}

// number returns the wave number k, 1/m.
func (w *Wave) number() float64 { return 2 * math.Pi / w.Wavelength }

// theta returns the phase, rad.
func (w *Wave) theta() float64 { return w.Phase * math.Pi / 180 }

// along returns k times the distance of x from a crest.
func (w *Wave) along(x vec.Vec3) float64 {
	return float64(w.number() * x.Sub(w.Crest).Dot(w.Direction.Unit()))
}

// At implements Field.
func (w *Wave) At(x vec.Vec3) vec.Vec3 {
	k, y := w.number(), x.Y-w.Level
	// cosh k(h+y)/sinh kh and sinh k(h+y)/sinh kh, without large numbers.
	up, down, rest := num.Exp(float64(k*y)), 0., 1.
	if w.Depth > 0 {
		down, rest = num.Exp(float64(-k*(y+float64(2*w.Depth)))), 1-num.Exp(float64(-2*k*w.Depth))
	}
	sin, cos := math.Sincos(w.along(x))
	v := float64(w.Amplitude * w.omega * math.Sin(w.theta()) / rest)
	level := w.Direction.Unit().Mul(v * (up + down) * sin)
	return vec.New(level.X, -v*(up-down)*cos, level.Z)
}

// Below implements Surfaced.
func (w *Wave) Below(x vec.Vec3) bool {
	return x.Y <= w.Level+float64(w.Amplitude*math.Cos(w.along(x))*math.Cos(w.theta()))
}

// Top implements Surfaced.
func (w *Wave) Top() float64 { return w.Level + float64(w.Amplitude*math.Abs(math.Cos(w.theta()))) }
