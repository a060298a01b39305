package scenes

import (
	"context"
	"math"
	"testing"

	"breakwater/raster"
	"breakwater/scenes/toml"
	"breakwater/sim/longtest"
	"breakwater/sim/vec"
)

// filmed is a small scene, with a wall that moves, for the camera given.
func filmed(camera string) string {
	return `
[time]
duration = 2
fps = 10
speed = 0.1
[liquid]
spacing = 0.05
[[fluid]]
kind = "box"
min = [0, 0, 0]
max = [0.4, 0.4, 0.3]
[[wall]]
kind = "box"
min = [0, 0, 0]
max = [1, 2, 0.3]
[[wall]]
kind = "sphere"
center = [2, 0.5, 0]
radius = 0.2
[wall.motion]
velocity = [1, 0.5, 0]
[picture]
size = [64, 36]
` + camera
}

// camerasOf returns the camera of each frame of a scene that follows nothing.
func camerasOf(t *testing.T, text string) (list []raster.Camera) {
	t.Helper()
	s := mustRead(t, text)
	b := mustBuild(t, s)
	for n := 1; n <= s.Time.Frames(); n++ {
		list = append(list, b.shot.at(s.Time.film(n)))
	}
	return list
}

// TestCameraKeys holds that the camera is where its keys say, between them
// never beyond, and that what a key leaves out is as before.
func TestCameraKeys(t *testing.T) {
	list := camerasOf(t, filmed(`
[camera]
eye = [3, 1, 4]
target = [0.5, 0.2, 0]
roll = 2
[[camera.key]]
time = 0.4
[[camera.key]]
time = 1
eye = [1, 3, 4]
[[camera.key]]
time = 1.5
target = [1, 0.5, 0]
focal = 80
`))
	start := raster.Camera{Eye: vec.New(3, 1, 4), Target: vec.New(0.5, 0.2, 0), Focal: 40, Roll: 2}
	middle, end := start, start
	middle.Eye = vec.New(1, 3, 4)
	end.Eye, end.Target, end.Focal = middle.Eye, vec.New(1, 0.5, 0), 80
	for n, want := range map[int]raster.Camera{1: start, 5: start, 11: middle, 16: end, 20: end} {
		if got := list[n-1]; got != want {
			t.Errorf("frame %d: %+v, want %+v", n, got, want)
		}
	}
	for n := 6; n <= 10; n++ {
		a, b := list[n-2], list[n-1]
		if !(b.Eye.X < a.Eye.X && b.Eye.Y > a.Eye.Y) || b.Target != start.Target {
			t.Errorf("frame %d: from %v to %v, looking at %v", n, a.Eye, b.Eye, b.Target)
		}
	}
	first, fast := list[5].Eye.Sub(list[4].Eye).Len(), list[7].Eye.Sub(list[6].Eye).Len()
	if !(first < 0.7*fast) {
		t.Errorf("it sets off by %g m and goes on by %g m a frame; want a gentle start", first, fast)
	}
}

// TestOrbit holds that the camera goes round the target, level, at the rate
// asked for in seconds of the film.
func TestOrbit(t *testing.T) {
	list := camerasOf(t, filmed("[camera]\neye = [0.5, 1, 3]\ntarget = [0.5, 0.2, 0]\norbit = 60\n"))
	for n, c := range list {
		phi := 60 * 0.1 * float64(n) * math.Pi / 180
		want := vec.New(0.5+3*math.Sin(phi), 1, 3*math.Cos(phi)) // from +z towards +x
		if c.Eye.Sub(want).Len() > 1e-12 || c.Target != list[0].Target || c.Roll != 0 {
			t.Errorf("frame %d: %+v, want the eye at %v", n+1, c, want)
		}
	}
	list = camerasOf(t, filmed("[camera]\neye = [0.5, 1, 3]\ntarget = [0.5, 0.2, 0]\norbit = 90\ncenter = [0, 7, 0]\n"))
	if got, want := list[10], vec.New(3, 1, -0.5); got.Eye.Sub(want).Len() > 1e-12 {
		t.Errorf("a quarter round the origin: %+v, want the eye at %v", got, want)
	}
	if got, want := list[10].Target, vec.New(0, 0.2, -0.5); got.Sub(want).Len() > 1e-12 {
		t.Errorf("a quarter round the origin it looks at %v, want %v", got, want)
	}
}

// TestFrameAllTheWayRound holds that a camera that frames the tank by itself
// and goes round it shows all of it all the time.
func TestFrameAllTheWayRound(t *testing.T) {
	tank := vec.Box{Max: vec.New(1, 2, 0.3)}
	for _, rate := range []string{"0", "180", "-90"} {
		for n, c := range camerasOf(t, filmed("[camera]\nfocal = 60\norbit = "+rate)) {
			if c.Focal != 60 {
				t.Fatalf("a lens of %g mm", c.Focal)
			}
			most := 0.0
			for i := range 8 {
				p := tank.Min
				if i&1 != 0 {
					p.X = tank.Max.X
				}
				if i&2 != 0 {
					p.Y = tank.Max.Y
				}
				if i&4 != 0 {
					p.Z = tank.Max.Z
				}
				x, y := c.Point(p, 64, 36)
				most = max(most, math.Abs(x/64-0.5), math.Abs(y/36-0.5))
			}
			if most > 0.45 || most < 0.25 {
				t.Errorf("orbit %s, frame %d: the tank reaches %.0f %% of the way to the picture's edge", rate, n+1, 200*most)
			}
		}
	}
}

// TestCameraIsInTheFingerprint holds that frames are drawn anew where the
// camera is elsewhere, and only there.
func TestCameraIsInTheFingerprint(t *testing.T) {
	keysOf := func(camera string) *keys {
		s := mustRead(t, filmed(camera))
		k, err := newKeys(s, mustBuild(t, s))
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	const start = "[camera]\neye = [3, 1, 4]\ntarget = [0.5, 0.2, 0]\n"
	const course = "[[camera.key]]\ntime = 0\n[[camera.key]]\ntime = 1\neye = [1, 3, 4]\n[[camera.key]]\ntime = 2\neye = "
	a, b, still := keysOf(start+course+"[1, 1, 4]"), keysOf(start+course+"[1, 2, 4]"), keysOf(start)
	for n := 1; n <= 20; n++ {
		if a.meshes[n] != b.meshes[n] {
			t.Errorf("frame %d: the mesh depends on the camera", n)
		}
		if same := a.pictures[n] == b.pictures[n]; same != (n <= 11) {
			t.Errorf("frame %d of cameras that part at frame 11: same %v", n, same)
		}
		if same := a.pictures[n] == still.pictures[n]; same != (n == 1) {
			t.Errorf("frame %d of a camera that moves and one that does not: same %v", n, same)
		}
	}
	plain, round := keysOf(""), keysOf("[camera]\norbit = 1e-3")
	if plain.pictures[20] == round.pictures[20] {
		t.Error("an orbit makes no difference")
	}
	slow := keysOf(start + "follow = \"liquid\"\nlag = 2")
	fast := keysOf(start + "follow = \"liquid\"\nlag = 1")
	if still.pictures[3] == slow.pictures[3] || slow.pictures[3] == fast.pictures[3] {
		t.Error("what is followed, or how, makes no difference")
	}
}

// TestFollow holds that a camera that follows a steady wall lags behind it by
// the time asked for, keeps its height, and looks at it.
func TestFollow(t *testing.T) {
	const camera = "[camera]\neye = [2, 1, 4]\ntarget = [2, 0.5, 0]\nfollow = \"wall\"\nfollow_wall = 2\nlag = 0.3\n"
	for _, pan := range []string{"false", "true"} {
		s := mustRead(t, filmed(camera+"pan = "+pan))
		f := &follower{runner: &runner{scene: s, built: mustBuild(t, s)}}
		c, err := f.camera(20)
		if err != nil {
			t.Fatal(err)
		}
		// The wall goes 0.1 m a second of film to the right and half as much up.
		way := 1.9 - 0.3
		if want := 2 + 0.1*way; math.Abs(c.Target.X-want) > 0.1*0.003 || math.Abs(c.Target.Y-0.5-0.05*way) > 0.05*0.003 {
			t.Errorf("looks at %v, want x = %g", c.Target, want)
		}
		if want := vec.New(c.Target.X, 1, 4); pan == "false" && c.Eye != want {
			t.Errorf("stands at %v, want %v", c.Eye, want)
		}
		if want := vec.New(2, 1, 4); pan == "true" && c.Eye != want {
			t.Errorf("pans from %v, want %v", c.Eye, want)
		}
	}
}

// TestFollowLiquid holds that a frame is seen from the same place whichever
// frames are drawn, and that the splash is ahead of the liquid.
func TestFollowLiquid(t *testing.T) {
	out := t.TempDir()
	var ends []float64
	for _, what := range []string{"liquid", "splash"} {
		text := filmed("[camera]\neye = [0.5, 1, 4]\ntarget = [0.5, 0.2, 0]\nlag = 0.2\nfollow = \"" + what + "\"")
		s := mustRead(t, text)
		err := Run(context.Background(), s, Options{Out: out, Stages: []Stage{SimStage}}, func(Event) {})
		if err != nil {
			t.Fatal(err)
		}
		r, err := newRunner(s, Options{Out: out}, func(Event) {})
		if err != nil {
			t.Fatal(err)
		}
		defer r.dir.Close()
		all := &follower{runner: r}
		for n := 1; n <= 20; n++ {
			a, err := all.camera(n)
			if err != nil {
				t.Fatal(err)
			}
			b, err := (&follower{runner: r}).camera(n)
			if err != nil || a != b {
				t.Errorf("frame %d: %+v in a whole run, %+v alone, %v", n, a, b, err)
			}
			if n == 1 && a != s.Camera.Camera {
				t.Errorf("it begins at %+v", a)
			}
			if n == 20 {
				ends = append(ends, a.Eye.X)
			}
		}
	}
	if !(ends[0] > 0.501 && ends[1] > ends[0]) {
		t.Errorf("after the liquid the eye is at x = %g, after the splash at %g; it was at 0.5", ends[0], ends[1])
	}
}

// TestShippedTanksStandInThePicture holds that no corner at the foot of a shipped
// scene's tank is cut by the edge of the picture: it is well in it, or far out.
func TestShippedTanksStandInThePicture(t *testing.T) {
	longtest.Only(t)
	for _, x := range Shipped() {
		s, err := Load(x.Name)
		if err != nil {
			t.Fatal(err)
		}
		if s.framed() {
			continue // whole
		}
		var tank *raster.Tank
		for _, wall := range s.parts(new(toml.Report)).walls {
			if x, _, _ := s.sceneryOf(wall); x.tank != nil {
				tank = x.tank
			}
		}
		if tank == nil {
			continue
		}
		at, box := s.shot(layout{shown: tank.Box, azimuth: raster.Azimuth}).at(0), tank.Box
		w, h := s.Picture.Size[0], s.Picture.Size[1]
		for k := range 4 {
			p := box.Min
			if k&1 != 0 {
				p.X = box.Max.X
			}
			if k&2 != 0 {
				p.Z = box.Max.Z
			}
			u, v := at.Point(p, w, h)
			u, v = u/float64(w), v/float64(h)
			in := min(u, 1-u, v, 1-v) // share of the picture's sides
			if in > -0.065 && in < 0.02 {
				t.Errorf("%s: the corner of the tank at %v is at (%.3f, %.3f) of the picture", x.Name, p, u, v)
			}
		}
	}
}
