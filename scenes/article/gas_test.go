package article

import (
	"math"
	"strings"
	"testing"

	"breakwater/sim/dice"
	"breakwater/sim/longtest"
	"breakwater/sim/vec"
)

// TestPaths checks what the figures of paths show: with auto-mollification paths turn less
// than a third as much in a step, and direct sums at the grid are worse than the tree.
func TestPaths(t *testing.T) {
	longtest.NotShort(t)
	turn := func(a approach, view pathView) float64 {
		paths, turn, err := pathsOf(&a, view)
		if err != nil {
			t.Fatal(err)
		}
		if len(paths) < 10 {
			t.Errorf("%s: %d paths", a.name, len(paths))
		}
		return turn
	}
	if jerky, smooth := turn(treeAtGrid, movingRing), turn(mollified(2), movingRing); !(jerky > 3*smooth) {
		t.Errorf("paths turn by %.3g° in a step by the tree, and by %.3g° with auto-mollification", jerky, smooth)
	}
	direct, grid, tree := turn(directAtVortons, ringCore), turn(directAtGrid, ringCore), turn(treeAtGrid, ringCore)
	smooth, poisson := turn(mollified(2), ringCore), turn(poissonExpanded, ringCore)
	if !(grid > tree && tree > 1.3*smooth && poisson < smooth && math.Abs(smooth/direct-1) < 0.2) {
		t.Errorf("paths turn by %.3g°, %.3g°, %.3g°, %.3g° and %.3g°: direct at grid, tree, mollified, direct at vortons, Poisson", grid, tree, smooth, direct, poisson)
	}
}

// TestJerkEvent checks that the vorton loops around the point of the grid once, while the gas
// far away moves on by more than the loop is wide.
func TestJerkEvent(t *testing.T) {
	path, at, dt := jerkLoop()
	var box vec.Box
	turned := 0.
	for i, x := range path {
		if box = box.Include(x); i >= 2 {
			d, e := path[i-1].Sub(path[i-2]), x.Sub(path[i-1])
			turned += math.Atan2(d.Cross(e).Z, d.Dot(e))
		}
	}
	if math.Abs(math.Abs(turned)-2*math.Pi) > 0.1 {
		t.Errorf("the vorton turns by %g rad, want a whole turn", turned)
	}
	if gas := 0.5 * dt * float64(len(path)-1); !(gas > 0.1) || !(path[len(path)-1].Sub(path[0]).Len() < 0.2*gas) {
		t.Errorf("the gas moves by %g m, and the vorton from %v to %v", gas, path[0], path[len(path)-1])
	}
	if box.Min.X > 0 || box.Max.X < 0 || box.Min.Y > 0 || box.Max.Y < 0 {
		t.Errorf("the path in %v does not go around the point", box)
	}
	least := math.Inf(1)
	for _, u := range at {
		least = min(least, u.Len())
	}
	if !(least > 0.5) {
		t.Errorf("the point moves the vorton by as little as %g m/s, which is less than the wind", least)
	}
}

// once returns f, which is called once for each key. Its results are shared by the figures and
// by the tests of what they show, so that each flow is simulated once.
func once[K comparable, V any](f func(K) (V, error)) func(K) (V, error) {
	known := map[K]V{}
	return func(k K) (V, error) {
		if v, ok := known[k]; ok {
			return v, nil
		}
		v, err := f(k)
		if err == nil {
			known[k] = v
		}
		return v, err
	}
}

// flames are those of the figure, once it is drawn.
var flames *gasRun

func init() {
	type wall struct {
		name string
		size vec.Vec3
		set  string
	}
	wakes := once(func(w wall) (*wake, error) { return runWake(w.name, w.size, strings.Fields(w.set)...) })
	wakeOf = func(name string, size vec.Vec3, set ...string) (*wake, error) {
		return wakes(wall{name, size, strings.Join(set, " ")})
	}
	ringPathOf = once(runRing)
	start := startFlames
	startFlames = func() (r *gasRun, err error) {
		flames, err = start()
		return flames, err
	}
}

// TestRingBoundaries checks how far a ring moves by how its flow is bounded: least in a tight
// box, more in an expanded one, and with the potential of free space as by direct sums. The solver mesh, whose vortons
// have no cores, moves it as Saffman's thin ring (1970), which is some 4 % faster than a thick one.
func TestRingBoundaries(t *testing.T) {
	longtest.Only(t)
	way := map[string]float64{}
	for i := range ringWays {
		p, err := ringPathOf(&ringWays[i])
		if err != nil {
			t.Fatal(err)
		}
		way[p.name] = p.way
	}
	t.Logf("ways in m: %v", way)
	direct := way["direct"]
	if !(way["tight"] < 0.5*direct && way["expanded"] > 1.5*way["tight"] && way["expanded"] < 0.9*direct) {
		t.Errorf("ways in m: %v", way)
	}
	if math.Abs(way["integral"]/direct-1) > 0.15 {
		t.Errorf("integral: the ring moves by %.3g m, and by %.3g m with direct sums", way["integral"], direct)
	}
	const circulation, radius, core, time = 2, 1, 0.25, 4
	thin := circulation / (4 * math.Pi * radius) * (math.Log(8*radius/core) - 0.558) * time
	if way["free"] > thin || way["free"] < 0.92*thin {
		t.Errorf("free: the ring moves by %.3g m, and a thin one by %.3g m", way["free"], thin)
	}
}

// TestShares checks that sums in shares of threads differ, which figure rounding shows.
func TestShares(t *testing.T) {
	d := dice.New(1)
	values := make([]float64, 50_000)
	for i := range values {
		values[i] = d.Float(uint64(i)) - 0.5
	}
	different := map[float64]bool{}
	for n := 1; n <= 8; n++ {
		different[shares(values, n)] = true
	}
	if len(different) < 3 {
		t.Errorf("%d different sums on 1 to 8 threads", len(different))
	}
	rows := figures(t, !longtest.On())["rounding"].Panels[2].Table[1:]
	for _, row := range rows {
		if row[1] != rows[0][1] {
			t.Errorf("on %s threads the gas has the state %s, want %s", row[0], row[1], rows[0][1])
		}
	}
}

// TestWakes checks that a plate and an airfoil at an angle to the wind have lift and drag, that
// their wakes roll up, that no tracer gets into them or into the plate above flames, and that the flames pass it.
func TestWakes(t *testing.T) {
	longtest.Only(t)
	for name, size := range map[string]vec.Vec3{"article-plate-wake": plateSize, "article-airfoil-wake": airfoilSize} {
		w, err := wakeOf(name, size)
		if err != nil {
			t.Fatal(err)
		}
		out, err := wakeOf(name, size, outward)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: C_L %.3f, C_D %.2f, %d vortices; away from the center C_L %.3f, C_D %.2f", name, w.mean.Y, w.mean.X, w.scrolls(), out.mean.Y, out.mean.X)
		if !(out.mean.Y > 0.01 && out.mean.X > 0.1 && out.mean.X < 1.5 && w.mean.X > 0.1 && w.mean.X < 1.5) {
			t.Errorf("%s: lift %.3f, drag %.3f and %.3f", name, out.mean.Y, out.mean.X, w.mean.X)
		}
		if n := w.scrolls(); n < 8 {
			t.Errorf("%s: the wake has %d vortices, want four pairs", name, n)
		}
		if n := w.inside() + out.inside(); n > 0 {
			t.Errorf("%s: %d tracers are inside", name, n)
		}
	}
	figures(t, false)
	if flames.built.Flow.Time != flamesEnd {
		t.Errorf("the figure draws flames of %g s", flames.built.Flow.Time)
	}
	above := 0
	for _, x := range flames.built.Flow.Tracers.X {
		if x.Y > 1 {
			above++
		}
	}
	if n := flames.inside(); n > 0 || above < 1000 {
		t.Errorf("%d tracers are in the solids, and %d above the plate", n, above)
	}
}
