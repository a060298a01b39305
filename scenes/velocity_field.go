package scenes

import (
	"bytes"
	"fmt"

	"breakwater/scenes/toml"
	"breakwater/sim"
	"breakwater/sim/initial"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// velocityField is the key of a block's velocity field.
const velocityField = "velocity_field"

// field builds the velocity field of a block, nil if it has none or cannot have it.
func (s *Scene) field(f *builder, key string, b *Block) initial.Field {
	v := b.Field
	x, ok := makeVariant(f, key, &initial.Fields, v)
	if !ok {
		return nil
	}
	if h, ok := x.(initial.Heavy); ok {
		if gravity := s.root.Find("liquid", "gravity"); gravity != nil && gravity.Broken() {
			return nil
		}
		if err := h.SetGravity(s.Liquid.Gravity); err != nil {
			f.Value(v.Node, "%v", err)
			return nil
		}
	}
	if r, ok := x.(initial.Filed); ok && !f.readField(key, v, r) {
		return nil
	}
	return x
}

// readField gives x the contents of its file.
func (f *builder) readField(key string, v toml.Variant, x initial.Filed) bool {
	return f.readFile(key, v, "velocity.csv", func(_ string, data []byte) error {
		if err := x.Read(bytes.NewReader(data)); err != nil {
			return fmt.Errorf("cannot be read: %w", err)
		}
		return nil
	})
}

// waved is a block whose surface is a wave's.
type waved struct {
	shape.Shape
	surface initial.Surfaced
}

// Contains implements Shape.
func (w waved) Contains(x vec.Vec3) bool { return w.surface.Below(x) && w.Shape.Contains(x) }

// cutBy returns a block below the surface of its velocity field, if that has one.
func cutBy(x shape.Shape, field initial.Field) shape.Shape {
	if w, ok := field.(initial.Surfaced); ok && x != nil {
		return waved{x, w}
	}
	return x
}

// velocityAt returns the velocity of block i at x at the start.
func (p *parts) velocityAt(s *Scene, i int, x vec.Vec3) vec.Vec3 {
	v := s.Fluid[i].Velocity
	if f := p.fields[i]; f != nil {
		v = v.Add(f.At(x))
	}
	return v
}

// setVelocities gives the particles of w from the given one on the velocities of block i.
func (p *parts) setVelocities(s *Scene, i int, w *sim.World, from int) {
	if p.fields[i] == nil {
		return
	}
	for k := from; k < w.Len(); k++ {
		w.V[k] = p.velocityAt(s, i, w.X[k])
	}
}

// fastestIn returns the velocity of block i where it is the fastest, on a grid.
func (p *parts) fastestIn(s *Scene, i int) (fastest vec.Vec3) {
	fastest = s.Fluid[i].Velocity
	if p.fields[i] == nil {
		return fastest
	}
	grid(p.shapes[i].Bounds(), sideFor(len(p.shapes)), true, func(x vec.Vec3) bool {
		if v := p.velocityAt(s, i, x); p.shapes[i].Contains(x) && v.Len() > fastest.Len() {
			fastest = v
		}
		return true
	})
	return fastest
}

// velocityFields reports velocity fields that do not suit their block, or the dimensions.
func (c *checker) velocityFields() {
	for i, f := range c.parts.fields {
		at := c.scene.Fluid[i].Field.Node
		if f == nil || c.shapes[i] == nil {
			continue
		}
		if w, ok := f.(initial.Surfaced); ok {
			if top := c.shapes[i].Bounds().Max.Y; top < w.Top()-float64(1e-9*c.shapes[i].Bounds().Size().Len()) {
				c.Report.Value(at, "has crests at y = %.4g m, above the block, which ends at %.4g m; make the block higher, so that the wave is its surface", w.Top(), top)
				continue
			}
		}
		if fastest := c.parts.fastestIn(c.scene, i); !(fastest.Len() <= mostSpeed) {
			c.Report.Value(at, "makes the liquid as fast as %.3g m/s; expected at most %g", fastest.Len(), float64(mostSpeed))
			continue
		}
		if !c.scene.Flat() {
			continue
		}
		grid(c.shapes[i].Bounds(), gridSide, true, func(x vec.Vec3) bool {
			v := f.At(x)
			if v.Z != 0 {
				c.Report.Value(at, "gives the liquid a velocity of %.3g m/s along z, at %s, and the scene has two dimensions; expected a field in the plane", v.Z, point(x))
			}
			return v.Z == 0
		})
	}
}

// mostSpeed is the highest speed of a velocity field, m/s: as of any speed in a scene.
var mostSpeed = func() float64 {
	for _, l := range toml.Limits {
		if l.Unit == "m/s" {
			return l.Most
		}
	}
	panic("scenes: no limit of speeds")
}()
