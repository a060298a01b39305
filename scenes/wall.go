package scenes

import (
	"fmt"

	"breakwater/scenes/scenery"
	"breakwater/scenes/toml"
	"breakwater/sim/body"
	"breakwater/sim/boundary"
)

// Wall is one [[wall]] table: what the liquid may not cross.
type Wall struct {
	Shape          toml.Variant `toml:",inline"` // a variant of boundary.Boundaries: its kind and its keys
	Name           string       `toml:"name" recipe:"set" doc:"Name of the wall, for gauges that ride on it: letters, digits, - and _. The default for the first wall is wall1."`
	Model          string       `toml:"model" oneof:"density-map particles" doc:"Representation of the wall in the solver. \"density-map\", the default, adds the sums of a lattice of particles behind the surface, in closed form or from a grid. \"particles\" is a layer of particles half a spacing behind the surface (Akinci et al. 2012). The layer takes about a quarter of a step's time for any tank; a density map takes a tenth for a box. In the edges and corners of a tank its density is 1 and 4 % too low. On curved and sharp shapes the layer is more accurate."`
	Friction       float64      `toml:"friction" unit:"1" range:"[0, 1]" absent:"0, or the value of the named liquid" doc:"Friction with the liquid: 0 is free slip, 1 is no slip."`
	scenery.Finish `recipe:"-"` // which changes pictures alone
	Heat           `recipe:"-"` // which is listed for a gas alone
	Motion         body.Motion  `toml:"motion" doc:"Motion of the wall; by default it rests. All parts of a motion add up."`
}

// wallName returns the name of wall i, from 0.
func (s *Scene) wallName(i int) string {
	if n := s.Wall[i].Name; n != "" {
		return n
	}
	return fmt.Sprintf("wall%d", i+1)
}

// wall builds the wall that t describes, nil if it cannot be.
func (t *Wall) wall(f *builder, key string) boundary.Boundary {
	shape, ok := makeVariant(f, key, &boundary.Boundaries, t.Shape)
	if !ok {
		return nil
	}
	if m, ok := shape.(meshed); ok && !f.readMesh(key, t.Shape, m) {
		return nil
	}
	if f.flat {
		if shape = f.flatWall(t.Shape.Node, shape); shape == nil {
			return nil
		}
	}
	motion := t.Shape.Node.Get("motion")
	if motion != nil && motion.Broken() {
		return nil
	}
	if t.Motion.Keyframes != "" && len(t.Motion.Times) == 0 { // whose file is reported
		return nil
	}
	if err := t.Motion.Check(); err != nil {
		f.Value(motion, "%v", err)
		return nil
	}
	if t.plain() {
		return shape
	}
	mover := body.New(shape, t.Motion, t.Friction)
	mover.Particles = t.particles()
	return mover
}

// particles reports whether the wall is made of particles.
func (t *Wall) particles() bool { return t.Model == "particles" }

// plain reports whether the wall neither moves nor rubs, and is a density map.
func (t *Wall) plain() bool { return t.Motion.Still() && t.Friction == 0 && !t.particles() }

// course calls f with b where it is at every frame of the film, and leaves it
// at the start.
func (t Time) course(b *body.Body, f func()) {
	const most = 2000 // a film of an hour need not be looked at in every frame
	step := 1 + t.Frames()/most
	for n := 1; n <= t.Frames(); n += step {
		b.Move(t.At(n))
		f()
	}
	b.Move(0)
}

// motions checks that no wall moves too fast for the film to end.
func (c *checker) motions() {
	frames := c.scene.Time.Frames()
	t := c.scene.Time.At(frames)
	if t == 0 || frames > maxFrames || c.badValue("time") || c.badValue("liquid") || c.parts.solver == nil {
		return
	}
	for i, w := range c.parts.walls {
		b, ok := w.(*body.Body)
		if !ok || b.Motion.Still() {
			continue
		}
		far := 0.
		for _, s := range c.shapes {
			if s != nil {
				far = max(far, s.Bounds().Center().Sub(b.Motion.Center).Len()+float64(s.Bounds().Size().Len()/2))
			}
		}
		speed := b.TopSpeed(0, t, far)
		way := float64(c.scene.Liquid.Spacing * wallWay)
		if steps, most := t*speed/way, c.scene.maxSteps(); steps > most {
			c.Report.Value(c.scene.Wall[i].Shape.Node.Get("motion"),
				"moves the wall at up to %.3g m/s, which takes steps of %.2g s, or %.2g steps for this film; expected at most %.2g: slow it to %.2g m/s or less, make liquid.spacing larger, or shorten the film",
				speed, way/speed, steps, most, speed*most/steps)
			c.parts.walls[i] = nil // it is reported, and hides nothing else
		}
	}
}

// wallWay is how many spacings a wall may move in a step of the solvers, about.
const wallWay = 0.4
