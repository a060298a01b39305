package whitewater

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"breakwater/sim/longtest"
	"breakwater/sim/vec"
)

// splash returns a scene in a tank with all kinds of parcels: two blocks meet, and isolated
// particles fly over them.
func splash(d float64) (Scene, func(t float64) Frame) {
	blocks := clash(d, 6)
	rng := rand.New(rand.NewPCG(5, 6))
	var x, v []vec.Vec3
	for range 12 {
		x = append(x, vec.New(0.1+0.5*rng.Float64(), 0.5+0.3*rng.Float64(), 0.1+0.2*rng.Float64()))
		v = append(v, vec.New(rng.Float64()-0.5, -2-2*rng.Float64(), rng.Float64()-0.5))
	}
	return tank(d, vec.New(1.2, 1, 0.36)), func(t float64) Frame {
		f := blocks(t)
		for i := range x {
			if p := x[i].Add(v[i].Mul(t)); p.Y > 0.3 {
				f.Add(p, v[i], 318, uint32(100000+i))
			}
		}
		f.Round()
		return f
	}
}

// TestSameBytes takes the same steps on several numbers of threads, and once more from each state
// as a file has it.
func TestSameBytes(t *testing.T) {
	scene, frame := splash(0.04)
	set := DefaultSettings()
	set.Detail = 8
	set.Most = 4000 // thinned as well
	const steps, dt = 6, 0.01
	var want [][]byte
	for n := range longtest.OnThreads() {
		w := start(t, set, scene)
		for k := range 50 {
			w.Add(Parcel{X: vec.New(0.1+0.01*float64(k), 0.36, 0.2), R: 1e-3, N: 100, Kind: Foam})
		}
		for k := range steps {
			run(t, w, frame, dt, 1)
			b := bytesOf(t, w.State())
			if len(want) == k {
				want = append(want, b)
			} else if !bytes.Equal(b, want[k]) {
				t.Fatalf("step %d on %d threads: other bytes", k+1, n)
			}
		}
		count := [Kinds]int{}
		for _, k := range w.Parcels().Kind {
			count[k.Kind()]++
		}
		if slices.Min(count[:]) == 0 {
			t.Errorf("not all kinds are tested: %v", count)
		}
		balance(t, w)
	}
	for k := range steps - 1 {
		s, err := ReadState(want[k])
		if err != nil {
			t.Fatal(err)
		}
		w := start(t, set, scene)
		w.Restore(s)
		run(t, w, frame, s.Time+dt-s.Time, 1)
		// The times of frames are sums, so a resumed run has to reach the same number.
		w.state.Time = 0
		next, err := ReadState(want[k+1])
		if err != nil {
			t.Fatal(err)
		}
		next.Time = 0
		if !bytes.Equal(bytesOf(t, w.State()), bytesOf(t, next)) {
			t.Fatalf("resumed after step %d: other bytes", k+1)
		}
	}
}

// TestStateFile reads back what was written, and nothing that is cut.
func TestStateFile(t *testing.T) {
	scene, frame := splash(0.05)
	w := start(t, DefaultSettings(), scene)
	run(t, w, frame, 0.01, 4)
	b := bytesOf(t, w.State())
	s, err := ReadState(b)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(bytesOf(t, s), b) {
		t.Error("the state read back has other bytes")
	}
	if len(s.marks) == 0 || s.Parcels.Len() != w.Parcels().Len() || s.Budget != w.Budget() || s.nextID != w.state.nextID {
		t.Error("the state read back differs")
	}
	if per := float64(len(b)-headBytes-len(s.marks)*markBytes) / float64(s.Parcels.Len()); per > 34 {
		t.Errorf("%g bytes per parcel, want at most 34", per)
	}
	for n := range len(b) {
		if n > 300 && n < len(b)-100 && n%997 != 0 {
			continue
		}
		if _, err := ReadState(b[:n]); err == nil {
			t.Fatalf("no error for the first %d of %d bytes", n, len(b))
		}
	}
	if _, err := ReadState(append(slices.Clone(b), 0)); err == nil {
		t.Error("no error for a byte too many")
	}
}

func FuzzReadState(f *testing.F) {
	scene, frame := splash(0.09)
	w := start(f, DefaultSettings(), scene)
	run(f, w, frame, 0.01, 2)
	w.state.Parcels.keep(func(i int) bool { return i < 5 })
	f.Add(bytesOf(f, w.State()))
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := ReadState(b)
		if err != nil {
			return
		}
		// The state that is read can be written again, and a run goes on from it.
		again, err := ReadState(bytesOf(t, s))
		if err != nil || again.Parcels.Len() != s.Parcels.Len() {
			t.Fatalf("read, written and read again: %v", err)
		}
		w, err := New(quiet(), water(0.09))
		if err != nil {
			t.Fatal(err)
		}
		w.Restore(s)
		next := frame(0.01)
		prev := frame(0)
		prev.Time, next.Time = s.Time, s.Time+0.01
		if next.Time > prev.Time {
			if err := w.Step(prev, next); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestHalf(t *testing.T) {
	for h := range uint16(0x7c00) {
		for _, sign := range []uint16{0, 0x8000} {
			if got := toHalf(fromHalf(h | sign)); got != h|sign {
				t.Fatalf("%#x is %g, and %#x again", h|sign, fromHalf(h|sign), got)
			}
		}
	}
	for _, c := range []struct{ x, want float32 }{
		{0, 0}, {1, 1}, {-2.5, -2.5}, {1.00048828125, 1}, {1.001464844, 1.001953125}, {65504, 65504}, {1e30, 65504}, {-1e30, -65504}, {2.9e-8, 0}, {6e-8, 5.9604645e-08}, {0.1, 0.099975586},
	} {
		if got := fromHalf(toHalf(c.x)); got != c.want {
			t.Errorf("%g becomes %g, want %g", c.x, got, c.want)
		}
	}
}

// TestBallDrag compares the drag of a ball with the fits that the table is made of, and with the
// measured coefficients of Lapple and Shepherd, Ind. Eng. Chem. 32, 1940.
func TestBallDrag(t *testing.T) {
	for re := 1e-6; re < newton; re *= 1.01 {
		want := 1 + 0.15*math.Pow(re, 0.687)
		if re > 260 {
			w := math.Log10(re)
			want = re / 24 * math.Pow(10, 1.6435-1.1242*w+0.1558*w*w)
		} else if re > 90 {
			want = 1 + 0.1935*math.Pow(re, 0.6305)
		}
		if math.Abs(ballDrag(re)/want-1) > 4e-4 {
			t.Errorf("the drag at Re = %g is %g times the drag of Stokes, want %g", re, ballDrag(re), want)
		}
	}
	for _, c := range []struct{ re, drag float64 }{{1, 26.5}, {10, 4.1}, {100, 1.07}, {500, 0.55}, {1000, 0.46}, {newton, newtonDrag}} {
		if got := ballDrag(c.re) * 24 / c.re; math.Abs(got/c.drag-1) > 0.05 {
			t.Errorf("C_D at Re = %g is %.3g, want %g", c.re, got, c.drag)
		}
	}
}

// TestThin thins parcels of all kinds. No volume is lost, and no kind.
func TestThin(t *testing.T) {
	set := quiet()
	set.Most = 1000
	w := start(t, set, water(0.05))
	for k := range 5000 {
		kind := Spray
		if k > 4000 {
			kind = Foam
		}
		if k == 4999 {
			kind = Bubble
		}
		w.Add(Parcel{X: vec.New(0, 1, 0), R: 1e-3 + 1e-7*float64(k), N: 2, Kind: kind})
	}
	before := w.Parcels().Volumes()
	w.thin()
	after := w.Parcels().Volumes()
	if n := w.Parcels().Len(); n < 1000 || n > 1003 {
		t.Errorf("%d parcels are left of 5000, want 1000", n)
	}
	for k := range before {
		if math.Abs(after[k]-before[k]) > 1e-6*before[k] {
			t.Errorf("%v: %g m³ are left of %g", Kind(k), after[k], before[k])
		}
	}
}

func TestFaults(t *testing.T) {
	for _, c := range []struct {
		change func(s *Settings)
		want   string
	}{
		{func(s *Settings) { s.Drop = []float64{1e-3} }, "drop has length 1; expected two radii, the smallest and the largest"},
		{func(s *Settings) { s.Drop = []float64{2e-3, 1e-3} }, "expected the smallest, above 0, and then the largest"},
		{func(s *Settings) { s.Bubble = []float64{0, 1e-3} }, "bubble has the radii 0 m"},
		{func(s *Settings) { s.Sources = []string{"rain"} }, `sources names "rain", which is not known; known are crests, entrainment, ihmsen, strays`},
		{func(s *Settings) { s.Sources = []string{"strays", "strays"} }, "twice"},
		{func(s *Settings) { s.Air = math.NaN() }, "air is not a finite number"},
		{func(s *Settings) { s.FoamLife = 0 }, "foam_life must be above 0"},
	} {
		s := DefaultSettings()
		c.change(&s)
		if err := s.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	if s := DefaultSettings(); s.Check() != nil {
		t.Error(s.Check())
	}
	w := start(t, DefaultSettings(), water(0.05))
	_, frame := splash(0.09)
	bad := frame(0.1)
	bad.X[3].X = math.NaN()
	twice := frame(0.1)
	twice.ID[3] = twice.ID[4]
	for _, c := range []struct {
		prev, next Frame
		want       string
	}{
		{frame(0.1), frame(0.2), "the state is of time 0 s, the first frame of 0.1 s"},
		{frame(0), frame(0), "a frame at 0 s follows one at 0 s"},
		{frame(0), bad, "both must be finite"},
		{frame(0), twice, "have the number 4"},
	} {
		if err := w.Step(c.prev, c.next); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
