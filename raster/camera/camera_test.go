package camera

import (
	"math"
	"testing"

	"breakwater/sim/vec"

	"github.com/fogleman/fauxgl"
)

// TestProjection sends points of the picture out as rays and back, and
// compares with fauxgl's matrix.
func TestProjection(t *testing.T) {
	c := Camera{Eye: vec.Vec3{X: 3, Y: 2, Z: 4}, Target: vec.Vec3{X: 0.5, Y: 0.3, Z: -1}, Focal: 50}
	l := NewLens(c, 640, 360)
	m := l.Matrix(0.01, 100)
	for _, q := range [][2]float64{{320, 180}, {0, 0}, {640, 360}, {17.5, 301.25}} {
		p := c.Eye.Add(l.Ray(q[0], q[1]).Mul(3.7))
		if x, y, _ := l.Project(p); math.Abs(x-q[0]) > 1e-9 || math.Abs(y-q[1]) > 1e-9 {
			t.Errorf("(%g, %g) comes back as (%g, %g)", q[0], q[1], x, y)
		}
		across, down, ahead := l.Homography()
		d := p.Sub(c.Eye)
		if x, y := across.Dot(d)/ahead.Dot(d), down.Dot(d)/ahead.Dot(d); math.Abs(x-q[0]) > 1e-9 || math.Abs(y-q[1]) > 1e-9 {
			t.Errorf("the homography sees (%g, %g) at (%g, %g)", q[0], q[1], x, y)
		}
		o := m.MulPositionW(fauxgl.Vector(p))
		x, y := (o.X/o.W+1)/2*640, (1-o.Y/o.W)/2*360
		if math.Abs(x-q[0]) > 1e-9 || math.Abs(y-q[1]) > 1e-9 {
			t.Errorf("fauxgl sees (%g, %g) at (%g, %g)", q[0], q[1], x, y)
		}
	}
	if x, y, depth := l.Project(c.Target); math.Abs(x-320)+math.Abs(y-180) > 1e-9 || math.Abs(depth-c.Target.Sub(c.Eye).Len()) > 1e-9 {
		t.Errorf("the target is at (%g, %g), %g m away", x, y, depth)
	}
	if l.Right.Y != 0 {
		t.Errorf("the horizon leans by %g", l.Right.Y)
	}
	if want := 2 * math.Atan(18.0/50); math.Abs(2*math.Atan(l.tanX)-want) > 1e-12 {
		t.Errorf("field of view %g rad, want %g", 2*math.Atan(l.tanX), want)
	}
}

// TestRoll turns the camera clockwise: upright objects lean to the left by as much, rays
// go where they are projected from, and fauxgl agrees.
func TestRoll(t *testing.T) {
	c := Camera{Eye: vec.Vec3{Z: 4, Y: 1}, Target: vec.Vec3{Y: 1}, Focal: 36, Roll: 30}
	l := NewLens(c, 640, 360)
	x, y, _ := l.Project(vec.Vec3{Y: 1.5})
	if got := math.Atan2(320-x, 180-y) * 180 / math.Pi; math.Abs(got-30) > 1e-9 {
		t.Errorf("the upright leans %g° to the left, want 30", got)
	}
	m := l.Matrix(0.01, 100)
	p := c.Eye.Add(l.Ray(17.5, 301.25).Mul(3.7))
	o := m.MulPositionW(fauxgl.Vector(p))
	if x, y := (o.X/o.W+1)/2*640, (1-o.Y/o.W)/2*360; math.Abs(x-17.5)+math.Abs(y-301.25) > 1e-9 {
		t.Errorf("fauxgl sees (17.5, 301.25) at (%g, %g)", x, y)
	}
	if x, y, _ := l.Project(p); math.Abs(x-17.5)+math.Abs(y-301.25) > 1e-9 {
		t.Errorf("(17.5, 301.25) comes back as (%g, %g)", x, y)
	}
}

func TestFrameShowsTheTank(t *testing.T) {
	for _, size := range []vec.Vec3{{X: 2, Y: 1, Z: 1}, {X: 0.1, Y: 0.4, Z: 0.1}, {X: 10, Y: 2, Z: 30}, {X: 4, Y: 4, Z: 4}} {
		for _, pic := range [][2]int{{1280, 720}, {720, 1280}, {400, 400}} {
			tank := vec.Box{Min: vec.Vec3{X: -3, Y: 5, Z: 8}}
			tank.Max = tank.Min.Add(size)
			c := FrameRound(tank, Viewpoints[""], 40, 0, Azimuth, pic[0], pic[1])
			l := NewLens(c, pic[0], pic[1])
			x0, x1, y0, y1 := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
			for _, p := range tank.Corners() {
				x, y, depth := l.Project(p)
				if depth <= 0 {
					t.Fatalf("%v: a corner lies behind the camera", size)
				}
				x0, x1, y0, y1 = min(x0, x/l.Width), max(x1, x/l.Width), min(y0, y/l.Height), max(y1, y/l.Height)
			}
			if min(x0, y0) < 0.05 || max(x1, y1) > 0.95 {
				t.Errorf("%v in %v: spans x %.2f to %.2f, y %.2f to %.2f", size, pic, x0, x1, y0, y1)
			}
			if max(x1-x0, y1-y0) < 0.7 {
				t.Errorf("%v in %v: only %.2f × %.2f of the picture", size, pic, x1-x0, y1-y0)
			}
			if c.Eye.X <= tank.Max.X && c.Eye.Z <= tank.Max.Z || c.Eye.Y <= tank.Min.Y {
				t.Errorf("%v: the eye at %v does not see two sides from above the floor", size, c.Eye)
			}
		}
	}
}

// TestViewpoints places cameras at all viewpoints: above the tank's floor, with the tank
// as large in the picture as the viewpoint says.
func TestViewpoints(t *testing.T) {
	tank := vec.Box{Min: vec.Vec3{X: -1, Y: 2, Z: 3}, Max: vec.Vec3{X: 2, Y: 3.2, Z: 4}}
	for name, v := range Viewpoints {
		c := FrameRound(tank, v, v.Focal, 0, Azimuth, 1280, 720)
		l := NewLens(c, 1280, 720)
		x0, x1, y0, y1 := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
		for _, p := range tank.Corners() {
			x, y, depth := l.Project(p)
			if depth <= 0 {
				t.Fatalf("%q: a corner lies behind the camera", name)
			}
			x0, x1, y0, y1 = min(x0, x/l.Width), max(x1, x/l.Width), min(y0, y/l.Height), max(y1, y/l.Height)
		}
		if fill := max(x1-x0, y1-y0); math.Abs(fill-v.Fill) > 0.02 {
			t.Errorf("%q: the tank fills %.3f of the picture, want %.3f", name, fill, v.Fill)
		}
		if math.Abs((x0+x1)/2-0.5) > 0.02 || math.Abs((y0+y1)/2-0.5) > 0.02 {
			t.Errorf("%q: the tank's outline is centred on (%.3f, %.3f)", name, (x0+x1)/2, (y0+y1)/2)
		}
		if got := math.Asin(l.Back.Y) * 180 / math.Pi; math.Abs(got-v.Elevation) > 1e-4 || c.Eye.Y <= tank.Min.Y {
			t.Errorf("%q: elevation %.3f°, want %g°; eye at %v", name, got, v.Elevation, c.Eye)
		}
	}
}
