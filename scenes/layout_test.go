package scenes

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"breakwater/scenes/scenery"
	"breakwater/sim/longtest"
	"breakwater/sim/vec"
)

// TestFloorOfSlope runs liquid down a slope: the slope is drawn, and the liquid
// never gets under the floor or the faces of the block that it runs on.
func TestFloorOfSlope(t *testing.T) {
	longtest.NotShort(t)
	for _, normal := range []string{"[0.5, 1, 0]", "[-1, 1, 0]", "[0.3, 1, -0.6]"} {
		s := mustRead(t, "[time]\nduration = 0.8\nfps = 10\n[liquid]\nspacing = \"8 cm\"\n[[fluid]]\nkind = \"box\"\nmin = [0, 0.9, 0]\nmax = [0.5, 1.4, 0.5]\n"+
			"[[wall]]\nkind = \"plane\"\nnormal = "+normal+"\npoint = [0, 0.2, 0]\n")
		b := mustBuild(t, s)
		_, vessels, solids := b.At(0)
		if len(vessels) != 1 || vessels[0].Block == nil || len(solids) != 0 {
			t.Fatalf("normal %s: %d vessels, %d solids; want the slope", normal, len(vessels), len(solids))
		}
		block := vessels[0].Block
		if err := block.Mesh.Check(); err != nil && !strings.Contains(err.Error(), "edge") { // its faces have corners of their own
			t.Error(err)
		}
		if v := block.Mesh.Volume(); !(v > 0) {
			t.Errorf("normal %s: the block has a volume of %g", normal, v)
		}
		for n := 1; n <= s.Time.Frames(); n++ {
			if err := b.World.Advance(b.Solver, s.Time.At(n), nil); err != nil {
				t.Fatal(err)
			}
			for i, x := range b.World.X {
				if x.Y < b.Floor {
					t.Fatalf("normal %s, frame %d: particle %d is at %v, under the floor at %g", normal, n, i, x, b.Floor)
				}
			}
		}
		// The camera looks at the side that the liquid runs on.
		face := vessels[0].Panes
		p := face.Pos[face.Tri[0][0]]
		if b.Camera.Eye.Sub(p).Dot(face.Nrm[0]) >= 0 {
			t.Errorf("normal %s: the camera at %v looks at the back of the slope", normal, b.Camera.Eye)
		}
	}
}

// TestLayoutOfPlane checks that a film of liquid on a plane has one floor, under all of
// it, and shows more than the liquid at the start.
func TestLayoutOfPlane(t *testing.T) {
	text := "[time]\nduration = 1\nfps = 10\n[liquid]\nspacing = \"5 cm\"\n[[fluid]]\nkind = \"box\"\nmin = [0, 0, 0]\nmax = [0.5, 0.5, 0.5]\n[[wall]]\nkind = \"plane\"\n"
	s := mustRead(t, text)
	b := mustBuild(t, s)
	size := b.Ground.Size()
	if b.Floor != 0 || size.X < 1 || size.Z < 1 || size.X > 4 {
		t.Errorf("a floor at %g, laid out by %v", b.Floor, b.Ground)
	}
	if tank, vessels, solids := b.At(0); tank != nil || len(vessels)+len(solids) != 0 {
		t.Errorf("the floor is drawn a second time")
	}
	if len(b.Warnings) != 1 || !strings.Contains(b.Warnings[0], "leaves the picture") {
		t.Errorf("it says %q", b.Warnings)
	}
	// The extent of the floor's layout is in the pictures' fingerprints.
	k, err := NewKeys(s, b)
	if err != nil {
		t.Fatal(err)
	}
	other := *b
	other.Ground = other.Ground.Grow(0.1)
	l, err := NewKeys(s, &other)
	if err != nil {
		t.Fatal(err)
	}
	if k.Pictures[3] == l.Pictures[3] || k.Meshes[3] != l.Meshes[3] {
		t.Error("the ground belongs to the fingerprint of pictures, and to no other")
	}
}

// TestTankOfPlanes checks that upright planes all round hold the liquid, as a tank does.
func TestTankOfPlanes(t *testing.T) {
	s := mustRead(t, "[time]\nduration = 2\n[liquid]\nspacing = \"6 cm\"\n[[fluid]]\nkind = \"box\"\nmin = [0, 0, 0]\nmax = [0.5, 0.5, 0.5]\n[[wall]]\nkind = \"plane\"\n"+
		"[[wall]]\nkind = \"plane\"\nnormal = [1, 0, 0]\n[[wall]]\nkind = \"plane\"\nnormal = [-1, 0, 0]\npoint = [1.2, 0, 0]\n"+
		"[[wall]]\nkind = \"plane\"\nnormal = [0, 0, 1]\n[[wall]]\nkind = \"plane\"\nnormal = [0, 0, -1]\npoint = [0, 0, 0.7]\n")
	b := mustBuild(t, s)
	if g := b.Ground; g.Min.X != 0 || g.Max.X != 1.2 || g.Min.Z != 0 || g.Max.Z != 0.7 || len(b.Warnings) != 0 {
		t.Errorf("it shows %v and says %q", g, b.Warnings)
	}
	if len(b.Vessels) != 4 {
		t.Errorf("%d of 4 planes are drawn", len(b.Vessels))
	}
}

// TestHidden hides the tank and a post. The picture has neither, and frames the cup. The
// liquid keeps both, so that its particles are the same.
func TestHidden(t *testing.T) {
	longtest.NotShort(t)
	const tank = "[liquid]\nspacing = \"4 cm\"\n[[fluid]]\nkind = \"box\"\nmin = [0.9, 0, 0.9]\nmax = [1.1, 0.2, 1.1]\n[[wall]]\nkind = \"cylinder\"\ninside = true\nbottom = [1, 0, 1]\ntop = [1, 0.5, 1]\nradius = 0.3\n"
	const walls = "[[wall]]\nkind = \"box\"\nmax = [2, 1, 2]\nhidden = %v\n[[wall]]\nkind = \"sphere\"\ncenter = [1.7, 0.5, 1]\nradius = 0.2\nhidden = %[1]v\n"
	of := func(hidden bool) *Built { return mustBuild(t, mustRead(t, tank+fmt.Sprintf(walls, hidden))) }
	shown, hidden := of(false), of(true)
	if shown.Tank == nil || len(shown.Obstacles) != 1 || shown.Ground.Max.X != 2 {
		t.Fatalf("without the key there are the tank %v and %d posts", shown.Tank, len(shown.Obstacles))
	}
	if hidden.Tank != nil || len(hidden.Obstacles) != 0 || len(hidden.Vessels) != 1 || hidden.Ground.Max.X != 1.3 {
		t.Errorf("hidden, there are the tank %v, %d posts and %d vessels on %v", hidden.Tank, len(hidden.Obstacles), len(hidden.Vessels), hidden.Ground)
	}
	if len(hidden.Solids) != 3 || hidden.Floor != 0 {
		t.Errorf("hidden, %d walls hold the liquid over a floor at %g", len(hidden.Solids), hidden.Floor)
	}
	for text, want := range map[string]string{
		"[[wall]]\nkind = \"plane\"\nhidden = true\n":                                      "this plane is the floor",
		"[[wall]]\nkind = \"box\"\nmax = [2, 1, 2]\nhidden = true\nmaterial = \"glass\"\n": "the wall is hidden",
	} {
		if _, err := Read("x.toml", []byte(tank+text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// TestFloorUnderDrum checks that the floor is right under rotating bodies.
func TestFloorUnderDrum(t *testing.T) {
	longtest.NotShort(t)
	drum := "[liquid]\nspacing = \"4 cm\"\n[[fluid]]\nkind = \"box\"\nmin = [-0.3, -0.3, 0.1]\nmax = [0.3, 0, 0.5]\n[[wall]]\nkind = \"cylinder\"\ninside = true\nbottom = [0, 0, 0]\ntop = [0, 0, 0.6]\nradius = 0.5\n"
	still := mustBuild(t, mustRead(t, drum))
	turning := mustBuild(t, mustRead(t, drum+"[wall.motion]\naxis = [0, 0, 1]\nturn = \"30 rpm\"\n"))
	for _, b := range []*Built{still, turning} {
		if math.Abs(b.Floor+0.5) > 1e-9 {
			t.Errorf("floor at %g, want -0.5", b.Floor)
		}
	}
	if d := still.Ground.Size().Sub(turning.Ground.Size()).Len(); d > 0.02 {
		t.Errorf("the drum is framed as %v, and as %v when it turns", still.Ground, turning.Ground)
	}
}

// TestTanksOfAllShapes checks that tanks of every shape are drawn, in glass or in their
// material, at rest and in motion.
func TestTanksOfAllShapes(t *testing.T) {
	longtest.NotShort(t)
	const liquid = "[liquid]\nspacing = \"6 cm\"\n[[fluid]]\nkind = \"sphere\"\ncenter = [0, 0.5, 0]\nradius = 0.2\n"
	for _, c := range []struct {
		wall  string
		edges int // of the vessel
	}{
		{"kind = \"sphere\"\ncenter = [0, 0.5, 0]\nradius = 0.5\ninside = true", 0},
		{"kind = \"cylinder\"\nbottom = [0, 0, 0]\ntop = [0, 1, 0]\nradius = 0.5\ninside = true", 2 * scenery.SphereSides},
		{"kind = \"polytope\"\npoints = [[0.5, 0, 0], [-0.5, 0, 0], [0, 1, 0], [0, 0, 0], [0, 0, 0.5], [0, 0, -0.5]]\nnormals = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]]\ninside = true", 12},
		{"kind = \"box\"\nmin = [-0.5, 0, -0.5]\nmax = [0.5, 1, 0.5]", 12},
	} {
		for _, material := range []string{"", "material = \"glass\"", "material = \"wood\"", "color = [0.2, 0.3, 0.4]"} {
			for _, motion := range []string{"", "[wall.motion]\naxis = [0, 0, 1]\ncenter = [0, 0.5, 0]\nswing = 20\nfrequency = 1\n"} {
				text := liquid + "[[wall]]\n" + c.wall + "\n" + material + "\n" + motion
				s := mustRead(t, text)
				b := mustBuild(t, s)
				tank, vessels, _ := b.At(0.2)
				if tank != nil {
					if !strings.Contains(c.wall, "box") || motion != "" {
						t.Errorf("%s: an upright tank", c.wall)
					}
					continue
				}
				if len(vessels) != 1 || len(vessels[0].Panes.Tri) == 0 || len(vessels[0].Edges) != c.edges {
					t.Errorf("%s%s: vessels %d", c.wall, motion, len(vessels))
					continue
				}
				glass := material == "" || strings.Contains(material, "glass")
				if glass != (vessels[0].Walls == nil) {
					t.Errorf("%s with %q: walls of %v", c.wall, material, vessels[0].Walls)
				}
				box := vessels[0].Panes.Bounds()
				if box.Min.Y < b.Floor-1e-9 {
					t.Errorf("%s%s: it reaches down to %g, under the floor at %g", c.wall, motion, box.Min.Y, b.Floor)
				}
			}
		}
	}
}

// TestVesselsMove checks that the drawn parts of a tank move with it.
func TestVesselsMove(t *testing.T) {
	s := mustRead(t, "[liquid]\nspacing = \"6 cm\"\n[[fluid]]\nkind = \"sphere\"\ncenter = [0, 0.5, 0]\nradius = 0.2\n[[wall]]\nkind = \"sphere\"\ncenter = [0, 0.5, 0]\nradius = 0.5\ninside = true\n[wall.motion]\nvelocity = [1, 0, 0]\n")
	b := mustBuild(t, s)
	_, at, _ := b.During(0.25, 0.02)
	if c := at[0].Panes.Bounds().Center(); c.Sub(vec.New(0.25, 0.5, 0)).Len() > 1e-9 {
		t.Errorf("the flask is at %v", c)
	}
	if v := at[0].Velocity(vec.Vec3{}); v != vec.New(1, 0, 0) {
		t.Errorf("it moves at %v", v)
	}
	// Two frames of one time are the same.
	_, again, _ := b.At(0.25)
	if !slices.Equal(again[0].Panes.Pos, at[0].Panes.Pos) {
		t.Error("the flask is elsewhere when asked again")
	}
}

// TestPlanesMove checks that the block of a plane that moves goes along with it.
func TestPlanesMove(t *testing.T) {
	s := mustRead(t, "[time]\nduration = 1\n[liquid]\nspacing = \"6 cm\"\n[[fluid]]\nkind = \"box\"\nmin = [0, 0, 0]\nmax = [0.5, 0.5, 0.5]\n[[wall]]\nkind = \"plane\"\n"+
		"[[wall]]\nkind = \"plane\"\nnormal = [1, 0, 0]\npoint = [-0.2, 0, 0]\n[wall.motion]\nvelocity = [-0.5, 0, 0]\n")
	b := mustBuild(t, s)
	_, vessels, _ := b.During(0.4, 0.01)
	if len(vessels) != 1 || vessels[0].Block == nil {
		t.Fatalf("%d vessels", len(vessels))
	}
	v := vessels[0]
	if x := v.Block.Mesh.Bounds().Max.X; math.Abs(x+0.4) > 1e-9 || math.Abs(v.Panes.Bounds().Max.X-x) > 1e-9 {
		t.Errorf("the block ends at %g and its face is at %g, want -0.4", x, v.Panes.Bounds().Max.X)
	}
	if u := v.Block.Mesh.Vel; len(u) != len(v.Block.Mesh.Pos) || u[0] != vec.New(-0.5, 0, 0) {
		t.Errorf("it moves at %v", u)
	}
}

// TestSecondTank checks that both of two boxes are drawn.
func TestSecondTank(t *testing.T) {
	s := mustRead(t, "[liquid]\nspacing = \"6 cm\"\n[[fluid]]\nkind = \"box\"\nmin = [0, 0, 0]\nmax = [0.5, 0.5, 0.5]\n[[wall]]\nkind = \"box\"\nmin = [0, 0, 0]\nmax = [2, 1, 1]\n[[wall]]\nkind = \"box\"\nmin = [-1, 0, -1]\nmax = [3, 2, 2]\n")
	tank, vessels, _ := mustBuild(t, s).At(0)
	if tank == nil || len(vessels) != 1 || vessels[0].Panes.Bounds() != (vec.Box{Min: vec.New(-1, 0, -1), Max: vec.New(3, 2, 2)}) {
		t.Errorf("a tank %v and %d vessels", tank, len(vessels))
	}
}

// TestUnseen checks that parts missing from the picture are reported, and that nothing is
// reported of scenes that show all.
func TestUnseen(t *testing.T) {
	const scene = "[liquid]\nspacing = \"5 cm\"\nname = %q\n[[fluid]]\nkind = \"box\"\nmin = [0, 0, 0]\nmax = [0.5, 0.5, 0.5]\n[[wall]]\nkind = \"box\"\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n"
	const aside = "[[wall]]\nkind = \"box\"\ninside = false\nmin = [20, 0, 0]\nmax = [21, 1, 1]\n"
	slab := strings.Replace(fmt.Sprintf(scene, "water"), "max = [1, 1, 1]", "max = [1, 2, 0.06]", 1)
	slab = strings.Replace(slab, "max = [0.5, 0.5, 0.5]", "max = [0.5, 0.5, 0.06]", 1)
	slab = strings.Replace(slab, "5 cm", "2 cm", 1)
	thick := strings.Replace(fmt.Sprintf(scene, "water"), "[liquid]\n", "[liquid]\nviscosity = 0.01\n", 1)
	for _, c := range []struct{ text, want string }{
		{fmt.Sprintf(scene, "water"), ""},
		{fmt.Sprintf(scene, "honey"), "look black, as in nature"},
		{fmt.Sprintf(scene, "honey") + "[look]\ndistance = 0.3\n", ""},
		{fmt.Sprintf(scene, "water") + "[camera]\neye = [3, 1, 3]\ntarget = [6, 1, 6]\n", "fluid[1] is outside the camera's view"},
		{fmt.Sprintf(scene, "water") + "[camera]\neye = [3, 1, 3]\ntarget = [0, 0, 0]\n", ""},
		{fmt.Sprintf(scene, "water") + "[camera]\neye = [1e5, 1, 3]\ntarget = [0, 0, 0]\n", "from the camera: move camera.eye nearer"},
		{fmt.Sprintf(scene, "water") + "[camera]\neye = [3, 1, 3]\ntarget = [6, 1, 6]\norbit = 60\ncenter = [3, 1, 3]\n", ""},
		{fmt.Sprintf(scene, "water") + "[[wall]]\nkind = \"plane\"\nnormal = [1, 1, 0]\npoint = [-5, 0, 0]\n", "wall[2], a plane through"},
		{fmt.Sprintf(scene, "water") + "[camera]\neye = [3, 1, 3]\ntarget = [6, 1, 6]\n", "wall[1] is outside the camera's view"},
		{fmt.Sprintf(scene, "water") + aside + "[camera]\neye = [3, 1, 3]\ntarget = [0, 0, 0]\n", "wall[2] is outside the camera's view in every frame: turn camera.target to it at [20.5, 0.5, 0.5]"},
		{fmt.Sprintf(scene, "water") + aside, "wall[2] is outside the camera's view in every frame: give a [camera]"},
		{fmt.Sprintf(scene, "water") + aside + "[wall.motion]\nvelocity = [-10, 0, 0]\n[time]\nduration = 2\n", ""},
		{fmt.Sprintf(scene, "water") + "[[body]]\nkind = \"sphere\"\ncenter = [0.8, 0.2, 0.5]\nradius = 0.1\ndensity = 500\n[camera]\neye = [3, 1, 3]\ntarget = [6, 1, 6]\n", "body[1] is outside the camera's view"},
		{fmt.Sprintf(scene, "water") + "[whitewater]\n", ""},
		{slab, "0.06 m of this liquid between two walls are nearly invisible"},
		{slab + "[look]\ndistance = 0.12\n", ""},
		{slab + "[look]\nkind = \"milk\"\n", ""},
		{slab + "[look]\nkind = \"particles\"\n", ""},
		{slab + "[domain]\ndim = 2\n", ""},
		{thick + "[whitewater]\n", "[whitewater] makes neither bubbles nor foam: the liquid is too thick: at "},
		{thick + "[whitewater]\nair = 0\n", ""},
		{thick + "[whitewater]\nsources = [\"strays\"]\n", ""},
		{fmt.Sprintf(scene, "water") + "[whitewater]\nonset = 50\n", "and air is caught above whitewater.onset, 50 m/s"},
		{strings.Replace(fmt.Sprintf(scene, "water"), "[liquid]\n", "[liquid]\ngravity = [0, 0, 0]\n", 1) + "[whitewater]\n", "without gravity, no liquid falls onto liquid"},
	} {
		b := mustBuild(t, mustRead(t, c.text))
		if got := strings.Join(b.Warnings, "\n"); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s\nit says %q, want %q", c.text, got, c.want)
		}
	}
}

// TestFloorOfGas checks that the floor is not above the box that the solver mesh keeps gas in.
func TestFloorOfGas(t *testing.T) {
	for _, x := range []struct {
		solver string
		want   float64
	}{
		{"", 1.35},
		{"low = [-1, -2, -1]\nhigh = [1, 4, 1]\n", -2},
		{"low = [-1, 1.5, -1]\nhigh = [1, 4, 1]\n", 1.35},
	} {
		s := mustRead(t, "[time]\nduration = 0.1\n[gas]\ncell = \"5 cm\"\n[[smoke]]\nkind = \"box\"\nmin = [0, 2, 0]\nmax = [0.5, 3.3, 0.5]\n[solver]\nkind = \"mesh\"\n"+x.solver)
		if b := mustBuild(t, s); math.Abs(b.Floor-x.want) > 1e-12 {
			t.Errorf("the floor is at %g with %q, want %g", b.Floor, x.solver, x.want)
		}
	}
}
