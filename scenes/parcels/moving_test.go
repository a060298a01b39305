package parcels

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"breakwater/sim/longtest"
	"breakwater/sim/particle"
	"breakwater/sim/vec"
)

// A pose is found from the vertices, for any turn. A bent mesh is reported.
func TestRigidFit(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	number := func() float64 { return random.Float64()*2 - 1 }
	var x []vec.Vec3
	for range 40 {
		x = append(x, vec.New(number(), 2*number(), 0.3*number()))
	}
	fit := newRigidFit(x)
	along := x[fit.a].Sub(fit.center).Unit()
	aside := along.Cross(vec.New(1, 2, 3)).Unit()
	turns := []vec.Vec3{{}, along.Mul(2), along.Mul(math.Pi), aside.Mul(math.Pi), aside.Mul(1e-9), {X: 1, Y: -2, Z: 0.5}, {Y: 3.1}}
	for _, turn := range turns {
		q, shift := vec.Turn(turn), vec.New(3, -1, 2)
		var y []vec.Vec3
		for _, p := range x {
			y = append(y, rotated(q, p.Sub(fit.center)).Add(shift))
		}
		pose, off := fit.pose(y)
		if off > 1e-9 || pose.X.Sub(shift).Len() > 1e-12 {
			t.Errorf("turned by %v: at %v, the worst vertex %g off", turn, pose.X, off)
		}
		y[7].Z += 0.5
		if _, off := fit.pose(y); off < 0.1 {
			t.Errorf("turned by %v: a vertex 0.5 off is %g off", turn, off)
		}
	}
	// The motion of constant speed and spin is exact, also in steps of different length.
	v, spin := vec.New(1, 2, -3), vec.New(0.4, -2, 1)
	times := []float64{0, 0.1, 0.4, 0.5}
	var poses []particle.Body
	for _, at := range times {
		poses = append(poses, particle.Body{X: v.Mul(at), Turn: vec.Turn(spin.Mul(at))})
	}
	setMotion(poses, times)
	for i, p := range poses {
		if p.V.Sub(v).Len() > 1e-9 || p.Spin.Sub(spin).Len() > 1e-9 {
			t.Errorf("pose %d moves with %v and turns with %v", i, p.V, p.Spin)
		}
	}
}

// drift writes the files of breaking and of its tank as they are seen in wind of the velocity u,
// and returns options for them.
func drift(t *testing.T, u vec.Vec3, bend float64) Options {
	points, _ := sceneRun(t)
	dir := t.TempDir()
	for i, data := range points {
		shift := u.Mul(float64(i) / 20)
		var b, m bytes.Buffer
		fmt.Fprintln(&b, "id,x,y,z,vx,vy,vz,density")
		for _, p := range particlesOf(t, "p.vtp", data) {
			x, v := p.x.Add(shift), p.v.Add(u)
			fmt.Fprintf(&b, "%g,%g,%g,%g,%g,%g,%g,%g\n", p.field["id"], x.X, x.Y, x.Z, v.X, v.Y, v.Z, p.field["density"])
		}
		pos, tri := cuboid(tank.Min, tank.Max)
		pos[7].X += bend * float64(i)
		for _, p := range pos {
			p = p.Add(shift)
			fmt.Fprintln(&m, "v", p.X, p.Y, p.Z)
		}
		for _, f := range tri {
			fmt.Fprintln(&m, "f", f[0]+1, f[1]+1, f[2]+1)
		}
		write(t, filepath.Join(dir, fmt.Sprintf("p%04d.csv", i)), b.Bytes())
		write(t, filepath.Join(dir, fmt.Sprintf("tank%04d.obj", i)), m.Bytes())
	}
	opt := options(t, filepath.Join(dir, "p*.csv"))
	opt.Box, opt.Walls = nil, []string{filepath.Join(dir, "tank*.obj")}
	opt.Settings = append([]Setting{{"wind", fmt.Sprintf("%g,%g,%g", u.X, u.Y, u.Z)}}, opt.Settings...)
	return opt
}

// In a tank that moves with its liquid and the air, whitewater is as in one at rest.
func TestMovingWall(t *testing.T) {
	longtest.Only(t)
	u := vec.New(1.5, 0, 0.5)
	opt := drift(t, u, 0)
	if _, said := mustDo(t, opt); !strings.Contains(said, "tank*.obj: a tank that moves") {
		t.Errorf("said %s", said)
	}
	last := lastState(t, opt.Out, lastName("p", ".parcels"))
	near(t, "in a tank that moves", last, 0.1)
	shift := u.Mul(float64(frames-1) / 20)
	for i := range last.Parcels.Len() {
		if x := last.Parcels.At(i).Sub(shift); x.X < -1e-3 || x.X > 0.801 || x.Y < -1e-3 || x.Z < -1e-3 || x.Z > 0.201 {
			t.Fatalf("parcel %d at %v is not in the tank", i, x)
		}
	}
	// A run that continues has the same bytes, and knows a mesh that changed.
	want := stateOf(t, opt.Out, lastName("p", ".parcels"))
	opt.Out = filepath.Join(t.TempDir(), "again")
	opt.Last = 9
	mustDo(t, opt)
	opt.Last = -1
	if e, _ := mustDo(t, opt); e.Kept < 9 || e.Kept > 10 || e.Kept+e.Made != frames { // the speed of the tank in the last is by two meshes now
		t.Errorf("kept %d and made %d", e.Kept, e.Made)
	}
	if !bytes.Equal(stateOf(t, opt.Out, lastName("p", ".parcels")), want) {
		t.Error("a run that continues has other parcels")
	}
}

// Meshes that do not fit the particle files, or each other, are refused by name.
func TestMovingWallFaults(t *testing.T) {
	for name, c := range map[string]struct {
		change func(opt *Options)
		bend   float64
		says   string
	}{
		"bent":  {func(*Options) {}, 0.02, "tank0001.obj: a vertex is"},
		"fewer": {func(opt *Options) { opt.Walls[0] = strings.Replace(opt.Walls[0], "*", "000*", 1) }, 0, "no mesh has the number 10"},
		"none":  {func(opt *Options) { opt.Walls[0] += ".obj" }, 0, "no file"},
	} {
		opt := drift(t, vec.New(1, 0, 0), c.bend)
		c.change(&opt)
		if _, _, err := do(t, opt); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
}
