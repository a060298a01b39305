package scenes

import (
	"fmt"
	"math"
	"strconv"

	"breakwater/scenes/toml"
	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/num"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

// full checks that a closed tank has room for the liquid until the film ends. The
// liquid is the liquid at the start and the inflow, and solids may move into the tank.
// It reports only certain faults, and none for a tank that liquid may leave.
func (c *checker) full() {
	tank := c.closedTank()
	if tank == nil || c.badValue("time") || c.badValue("fluid") || c.badValue("inflow") {
		return
	}
	s, end := c.scene, c.scene.Time.At(c.scene.Time.Frames())
	start, drained := c.parts.initial(s).volume, 0.
	for i, region := range c.parts.outflows {
		if region == nil || s.Outflow[i].Flow == 0 {
			return
		}
		drained += s.Outflow[i].Flow
	}
	pusher := c.pusher()
	if pusher == nil && len(s.Inflow) == 0 {
		return
	}
	const samples = 24
	room := c.roomOf(tank, pusher != nil)
	liquid := func(t float64) float64 { return start + c.parts.comeBy(s, t) - float64(drained*t) }
	for k := 1; k <= samples; k++ {
		t := end * float64(k) / samples
		have, unsure := room(t)
		if liquid(t) <= have+unsure {
			continue
		}
		from, to := 0., t
		for range 12 {
			mid := (from + to) / 2
			if have, _ := room(mid); liquid(mid) > have {
				to = mid
			} else {
				from = mid
			}
		}
		have, _ = room(end)
		c.overflows(tank, pusher, liquid(end), start, have, to)
		return
	}
}

// overflows reports that the tank is full at a time.
func (c *checker) overflows(tank, pusher *toml.Node, liquid, start, room, t float64) {
	at, s := pusher, c.scene
	if len(s.Inflow) > 0 {
		at = s.Inflow[0].Opening.Node
		if n := at.Get("speed"); n != nil {
			at = n
		}
	}
	remedy := ""
	if tank.Get("kind").Text == "box" {
		remedy = `open its top with open = ["y+"], `
	}
	if len(s.Inflow) > 0 {
		if slower := downTo(s.Inflow[0].Speed * (room - start) / (liquid - start)); len(s.Inflow) == 1 && slower > 0 {
			remedy += fmt.Sprintf("make the speed %s m/s or less, ", registry.Number(slower))
		}
	} else {
		remedy += "reduce the motion of the wall, "
	}
	if shorter := downTo(t / s.Time.Speed); shorter*s.Time.FPS > 1 {
		remedy += fmt.Sprintf("make time.duration %s s or less, ", registry.Number(shorter))
	}
	c.Report.Value(at, "%s%s is closed, and is full at %.3g s: at the end of the film it has room for %.3g m³ but contains %.3g m³: %sor make the tank larger",
		tank.Path, lineOf(at, tank), t, room, liquid, remedy)
}

// downTo returns x rounded down to two digits, or 0.
func downTo(x float64) float64 {
	if !(x > 0) {
		return 0
	}
	ten := num.Pow(10, math.Floor(math.Log10(x))-1)
	two, _ := strconv.ParseFloat(strconv.FormatFloat(math.Floor(x/ten*(1+1e-9))*ten, 'g', 2, 64), 64)
	return two
}

// closedTank returns the first tank, nil if liquid may leave them or a wall is not
// known.
func (c *checker) closedTank() (tank *toml.Node) {
	for i, w := range c.parts.walls {
		if w == nil {
			return nil
		}
		shape, _ := body.Unwrap(w)
		if box, ok := shape.(*boundary.Box); ok && len(box.Open) > 0 {
			return nil
		}
		if tank == nil && container(w) {
			tank = c.scene.Wall[i].Shape.Node
		}
	}
	return tank
}

// pusher returns the first solid that moves as the scene says, nil if none does.
func (c *checker) pusher() *toml.Node {
	for i, w := range c.parts.walls {
		if b, ok := w.(*body.Body); ok && !b.Motion.Still() && !container(w) {
			return c.scene.Wall[i].Shape.Node.Get("motion")
		}
	}
	return nil
}

// roomOf returns a function of time that returns the volume within the tank and
// off all solids, m³, and how far that may be off. Solids, and tanks other than
// boxes, are measured on a grid.
func (c *checker) roomOf(tank *toml.Node, moving bool) func(t float64) (volume, unsure float64) {
	const side = 24
	var in boundary.Boundary
	for i, w := range c.parts.walls {
		if c.scene.Wall[i].Shape.Node == tank {
			in = w
		}
	}
	bodies := 0.
	for _, b := range c.parts.bodies {
		if b != nil {
			bodies += b.Free.Volume()
		}
	}
	shape, _ := body.Unwrap(in)
	measure := func(t float64) (volume, unsure float64) {
		for _, w := range c.parts.walls {
			w.Move(t)
		}
		defer func() {
			for _, w := range c.parts.walls {
				w.Move(0)
			}
		}()
		box := in.(interface{ Bounds() vec.Box }).Bounds()
		if _, ok := shape.(*boundary.Box); ok && len(c.parts.walls) == 1 {
			size := volumeOf(shape.(*boundary.Box).Extent())
			return size - bodies, 1e-3 * size
		}
		inside := 0
		grid(box, side, false, func(x vec.Vec3) bool {
			for _, w := range c.parts.walls {
				if d, _ := boundary.RoughDist(w, x); d < 0 {
					return true
				}
			}
			inside++
			return true
		})
		// A face of a solid may lie anywhere between two points.
		return volumeOf(box)*float64(inside)/(side*side*side) - bodies, volumeOf(box) / side
	}
	if moving {
		return measure
	}
	volume, unsure := measure(0)
	return func(float64) (float64, float64) { return volume, unsure }
}
