package scenes

import (
	"fmt"

	"breakwater/raster/camera"
	"breakwater/scenes/toml"
	"breakwater/sim/body"
	"breakwater/sim/registry"
)

// camera checks that the camera is given in full, that its keys are in order,
// and that it never stands in anything.
func (c *checker) camera() {
	cam := c.scene.Camera
	n := c.scene.root.Get("camera")
	if cam == nil || n.Broken() {
		return
	}
	c.follow(n)
	if cam.File != "" && len(cam.Keys) == 0 { // whose file is reported
		return
	}
	whole := c.keys(n)
	if !c.scene.framed() {
		for _, key := range []string{"eye", "target"} {
			if !c.scene.cameraHas(key) {
				c.missing("camera."+key, "is missing; a camera needs both eye and target: add it, or leave out both to show the whole tank")
				whole = false
			}
		}
	}
	if at := n.Get("view"); at != nil && !c.scene.framed() {
		c.Report.Value(at, "has no effect, since eye and target place the camera: leave out either the view or both of these")
	}
	if n.Get("center") != nil && cam.Orbit == 0 {
		c.Report.Value(n.Get("center"), "has no effect without an orbit: give orbit, such as \"10 deg/s\", or leave it out")
	}
	if whole && !c.scene.framed() && !c.badValue("time") {
		c.poses(n)
	}
}

// follow checks that the camera's target exists.
func (c *checker) follow(n *toml.Node) {
	cam, wall := c.scene.Camera, n.Get("follow_wall")
	switch {
	case cam.Follow != "wall" && wall != nil:
		c.Report.Value(wall, "has no effect, since the camera follows no wall: give follow = \"wall\", or leave it out")
	case cam.Follow != "wall":
	case wall == nil:
		c.Report.Value(n.Get("follow"), "needs the number of a wall; give follow_wall, 1 for the first [[wall]]")
	case cam.Wall < 1 || cam.Wall > len(c.scene.Wall):
		c.Report.Value(wall, "there is no wall %d; expected 1 to %d", cam.Wall, len(c.scene.Wall))
	case c.scene.Wall[cam.Wall-1].Motion.Still():
		c.Report.Value(wall, "wall %d does not move, so the camera cannot follow it: give it a [wall.motion], or name another wall", cam.Wall)
	}
	for _, key := range []string{"lag", "pan"} {
		if at := n.Get(key); at != nil && cam.Follow == "" {
			c.Report.Value(at, "has no effect, since the camera follows nothing: give follow, such as follow = \"splash\", or leave it out")
		}
	}
}

// keys checks the keyframes.
func (c *checker) keys(n *toml.Node) (ok bool) {
	list := n.Get("key")
	keys := c.scene.Camera.Keys
	if list.Empty() {
		return true
	}
	if len(keys) == 1 {
		c.Report.Value(list.Items[0], "is the only key; expected two or more: add another, or write its values under [camera]")
		return false
	}
	for i, at := range list.Items {
		if at.Get("time") == nil {
			c.Report.Value(at, "has no time; add the time in the film at which the camera is there, such as time = 2")
			return false
		}
		if i > 0 && !(keys[i].Time > keys[i-1].Time) {
			c.Report.Value(at.Get("time"), "%s s is not after the previous key, at %s s; put the keys in order of time", registry.Number(keys[i].Time), registry.Number(keys[i-1].Time))
			return false
		}
	}
	return true
}

// poses checks where the camera stands in the frames, before it follows
// anything.
func (c *checker) poses(n *toml.Node) {
	const most = 500 // a film of an hour need not be looked at in every frame
	l, t := c.scene.layout(c.parts), c.scene.Time
	shot := c.scene.shot(l)
	frames, step := 1, 1
	if shot.moves() {
		frames = min(t.Frames(), maxFrames)
		step = 1 + frames/most
	}
	defer c.move(0)
	for k := 1; k <= frames; k += step {
		c.move(t.At(k))
		if !c.pose(n, shot.At(t.Film(k)), t.Film(k), shot.moves(), l.Floor) {
			return
		}
	}
}

// move moves the walls to where they are at time t.
func (c *checker) move(t float64) {
	for _, w := range c.parts.walls {
		if b, ok := w.(*body.Body); ok {
			b.Move(t)
		}
	}
}

// pose checks the camera at one moment of the film.
func (c *checker) pose(n *toml.Node, cam camera.Camera, film float64, moves bool, floor float64) (ok bool) {
	before := len(c.List)
	at, when := n.Get("eye"), ""
	if moves {
		when = fmt.Sprintf("at %.3g s of the film, the camera at ", film)
		at = n.Get("orbit").Or(at)
		for i, key := range c.scene.Camera.Keys {
			if i == 0 || key.Time <= film {
				at = n.Get("keyframes")
				if c.scene.keyed == nil {
					at = n.Get("key").Items[i]
				}
			}
		}
	}
	if cam.Eye == cam.Target {
		c.Report.Value(at, "%seye and target are both at %s; expected two different points: move one", when, point(cam.Eye))
		return false
	}
	if !c.scene.Flat() { // in two dimensions the camera faces sections of the solids
		c.outside(at, when, cam, film)
	}
	if cam.Eye.Y <= floor {
		c.Report.Value(at, "%s%s is not above the floor, which is at y = %.4g m; raise it", when, point(cam.Eye), floor)
	}
	return len(c.List) == before
}

// outside checks that the camera is in no solid and in no liquid.
func (c *checker) outside(at *toml.Node, when string, cam camera.Camera, film float64) {
	for i, w := range c.parts.walls {
		if w == nil || container(w) {
			continue
		}
		if t, _ := w.Dist(cam.Eye); t <= 0 {
			wall := c.scene.Wall[i].Shape.Node
			c.Report.Value(at, "%s%s is inside %s%s; move it out", when, point(cam.Eye), wall.Path, lineOf(at, wall))
		}
	}
	for i, b := range c.parts.bodies {
		if film != 0 || b == nil {
			continue
		}
		if t, _ := b.Dist(cam.Eye); t <= 0 {
			node := c.scene.Body[i].Shape.Node
			c.Report.Value(at, "%s%s is inside %s%s; move it out", when, point(cam.Eye), node.Path, lineOf(at, node))
		}
	}
	for i, shape := range c.shapes {
		if film == 0 && shape != nil && shape.Contains(cam.Eye) {
			block := c.scene.Fluid[i].Shape.Node
			c.Report.Value(at, "%s%s is inside the liquid of %s%s; move it out", when, point(cam.Eye), block.Path, lineOf(at, block))
		}
	}
}
