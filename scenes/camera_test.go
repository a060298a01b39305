package scenes

import (
	"math"
	"testing"

	"breakwater/raster/camera"
	"breakwater/scenes/scenetest"
	"breakwater/sim/vec"
)

// camerasOf returns the camera of each frame of a scene that follows nothing.
func camerasOf(t *testing.T, text string) (list []camera.Camera) {
	t.Helper()
	s := mustRead(t, text)
	b := mustBuild(t, s)
	for n := 1; n <= s.Time.Frames(); n++ {
		list = append(list, b.Shot.At(s.Time.Film(n)))
	}
	return list
}

// TestCameraKeys checks that the camera is where its keys say, between them never beyond,
// and that settings omitted in a key stay as before.
func TestCameraKeys(t *testing.T) {
	list := camerasOf(t, scenetest.Filmed(`
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
	start := camera.Camera{Eye: vec.New(3, 1, 4), Target: vec.New(0.5, 0.2, 0), Focal: 40, Roll: 2}
	middle, end := start, start
	middle.Eye = vec.New(1, 3, 4)
	end.Eye, end.Target, end.Focal = middle.Eye, vec.New(1, 0.5, 0), 80
	for n, want := range map[int]camera.Camera{1: start, 5: start, 11: middle, 16: end, 20: end} {
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
		t.Errorf("it sets off by %g m and goes on by %g m per frame; want a gentle start", first, fast)
	}
}

// TestOrbit checks that the camera goes round the target, level, at the rate
// asked for in seconds of the film.
func TestOrbit(t *testing.T) {
	list := camerasOf(t, scenetest.Filmed("[camera]\neye = [0.5, 1, 3]\ntarget = [0.5, 0.2, 0]\norbit = 60\n"))
	for n, c := range list {
		phi := 60 * 0.1 * float64(n) * math.Pi / 180
		want := vec.New(0.5+3*math.Sin(phi), 1, 3*math.Cos(phi)) // from +z towards +x
		if c.Eye.Sub(want).Len() > 1e-12 || c.Target != list[0].Target || c.Roll != 0 {
			t.Errorf("frame %d: %+v, want the eye at %v", n+1, c, want)
		}
	}
	list = camerasOf(t, scenetest.Filmed("[camera]\neye = [0.5, 1, 3]\ntarget = [0.5, 0.2, 0]\norbit = 90\ncenter = [0, 7, 0]\n"))
	if got, want := list[10], vec.New(3, 1, -0.5); got.Eye.Sub(want).Len() > 1e-12 {
		t.Errorf("a quarter round the origin: %+v, want the eye at %v", got, want)
	}
	if got, want := list[10].Target, vec.New(0, 0.2, -0.5); got.Sub(want).Len() > 1e-12 {
		t.Errorf("a quarter round the origin it looks at %v, want %v", got, want)
	}
}

// TestFrameAllTheWayRound checks that a camera that frames the tank by itself
// and goes round it shows all of it all the time.
func TestFrameAllTheWayRound(t *testing.T) {
	tank := vec.Box{Max: vec.New(1, 2, 0.3)}
	for _, rate := range []string{"0", "180", "-90"} {
		for n, c := range camerasOf(t, scenetest.Filmed("[camera]\nfocal = 60\norbit = "+rate)) {
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

// TestCameraIsInTheFingerprint checks that frames are drawn anew where the
// camera is elsewhere, and only there.
func TestCameraIsInTheFingerprint(t *testing.T) {
	keysOf := func(camera string) *Keys {
		s := mustRead(t, scenetest.Filmed(camera))
		k, err := NewKeys(s, mustBuild(t, s))
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	const start = "[camera]\neye = [3, 1, 4]\ntarget = [0.5, 0.2, 0]\n"
	const course = "[[camera.key]]\ntime = 0\n[[camera.key]]\ntime = 1\neye = [1, 3, 4]\n[[camera.key]]\ntime = 2\neye = "
	a, b, still := keysOf(start+course+"[1, 1, 4]"), keysOf(start+course+"[1, 2, 4]"), keysOf(start)
	for n := 1; n <= 20; n++ {
		if a.Meshes[n] != b.Meshes[n] {
			t.Errorf("frame %d: the mesh depends on the camera", n)
		}
		if same := a.Pictures[n] == b.Pictures[n]; same != (n <= 11) {
			t.Errorf("frame %d of cameras that part at frame 11: same %v", n, same)
		}
		if same := a.Pictures[n] == still.Pictures[n]; same != (n == 1) {
			t.Errorf("frame %d of a camera that moves and one that does not: same %v", n, same)
		}
	}
	plain, round := keysOf(""), keysOf("[camera]\norbit = 1e-3")
	if plain.Pictures[20] == round.Pictures[20] {
		t.Error("an orbit makes no difference")
	}
	slow := keysOf(start + "follow = \"liquid\"\nlag = 2")
	fast := keysOf(start + "follow = \"liquid\"\nlag = 1")
	if still.Pictures[3] == slow.Pictures[3] || slow.Pictures[3] == fast.Pictures[3] {
		t.Error("the target, or the way of following it, makes no difference")
	}
}
