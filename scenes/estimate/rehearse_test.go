package estimate

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"breakwater/scenes"
	"breakwater/scenes/memory"
	"breakwater/scenes/toml"
	"breakwater/sim"
	"breakwater/sim/longtest"
	"breakwater/surface/mesh"
)

// filmOf returns a trial at spacing d with 1/d³ particles, and with the given number of
// vertices in all of its frames.
func filmOf(s *scenes.Scene, d, vertices float64, frames int) *trial {
	few := *s
	few.Liquid.Spacing = d
	b, err := few.Plan()
	if err != nil {
		panic(err)
	}
	t := &trial{scene: &few, built: b, start: int(math.Round(1 / (d * d * d))), last: new(mesh.Mesh)}
	for k := range frames {
		t.reached = float64(k) / (trialFrames - 1)
		t.frames = append(t.frames, trialFrame{at: t.reached, particles: float64(t.start), vertices: vertices})
	}
	return t
}

// TestRehearsalScales has trials of known surfaces, whose vertices per particle fall
// with a power of the spacing. A power that no surface has becomes the nearest that
// one has.
func TestRehearsalScales(t *testing.T) {
	s, err := scenes.Load("dam-break")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name        string
		power, want float64
	}{{"calm", 1, 1}, {"splashing", 0.7, 0.7}, {"drops", 0, leastSurfacePower}, {"a layer that breaks up", 1.5, mostSurfacePower}} {
		particles := func(d float64) float64 { return math.Round(1 / (d * d * d)) }
		film := func(d float64) *trial { return filmOf(s, d, particles(d)*30*math.Pow(d, c.power), trialFrames) }
		r := &Rehearsal{trials: []*trial{film(0.1), film(0.05)}}
		fine := r.finest().frames[0].vertices
		for _, d := range []float64{0.05, 0.04, 0.01} {
			got, most := r.vertices(d, particles(d))
			want := fine * particles(d) / particles(0.05) * math.Pow(d/0.05, c.want)
			if math.Abs(got/want-1) > 1e-6 || math.Abs(most/want-1) > 1e-6 {
				t.Errorf("%s: %g vertices at %g m, %g at most, want %g", c.name, got, d, most, want)
			}
		}
	}
	// Around the same surface a coarse trial has less volume, as in a round tank. A calm
	// surface has as many vertices as in a trial with all of it, and there are more drops.
	for _, c := range [][2]float64{{1, 1}, {leastSurfacePower, 1 / 0.8}} {
		power, want := c[0], c[1]
		particles := func(d float64) float64 { return math.Round(1 / (d * d * d)) }
		film := func(d, volume float64) *trial {
			x := filmOf(s, d, particles(d)*30*math.Pow(d, power), trialFrames)
			x.start = int(volume * float64(x.start))
			for i := range x.frames {
				x.frames[i].particles *= volume
			}
			return x
		}
		full := &Rehearsal{trials: []*trial{film(0.1, 1), film(0.05, 1)}}
		less := &Rehearsal{trials: []*trial{film(0.1, 0.8), film(0.05, 0.8)}}
		a, _ := full.vertices(0.02, particles(0.02))
		b, _ := less.vertices(0.02, particles(0.02))
		if math.Abs(b/a-want) > 1e-6 {
			t.Errorf("power %g: %g vertices of a trial with less liquid, %g of one with all, want a ratio of %g", power, b, a, want)
		}
	}
	// Half a film of one trial: the rest is nearer to a guess, the more of it there is.
	film := filmOf(s, 0.06, 500, trialFrames/2+1)
	by := memory.Guess(float64(film.start), 0, film.built.Area(), 0.06, false).Vertices
	r := &Rehearsal{trials: []*trial{film}}
	few := float64(film.start)
	half, _ := r.vertices(0.06, few)
	film.frames = film.frames[:2]
	film.reached = film.frames[1].at
	if less, _ := r.vertices(0.06, few); !(500 < half && half < less && less < by) {
		t.Errorf("%g vertices by half a film and %g by less, want some between 500 and %g", half, less, by)
	}
	if got, most := r.particles(0.03, 8*film.start); math.Abs(got/8/few-1) > 1e-9 || most != 8*few {
		t.Errorf("%g particles, %g at most, want %g", got, most, 8*few)
	}
}

// estimateOf estimates the scene in text, with a rehearsal of all of it.
func estimateOf(t *testing.T, text string) (Estimate, *scenes.Scene) {
	t.Helper()
	s, err := scenes.Read("x.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Plan()
	if err != nil {
		t.Fatal(err)
	}
	r, err := Rehearse(s, context.Background(), Effort{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Failed() != nil || r.Share() != 1 {
		t.Fatalf("the rehearsal got to %g: %v", r.Share(), r.Failed())
	}
	return Of(s, b, r), s
}

// TestMemoryIsRefused has scenes that need more memory than there is: of one it
// is known as it is read, of another once its splashes were rehearsed.
func TestMemoryIsRefused(t *testing.T) {
	longtest.Only(t)
	before := memory.Machine
	defer func() { memory.Machine = before }()
	have := 25.3e9
	memory.Machine = func() (int64, string) { return int64(have), "this test has" }
	const tank = "[[wall]]\nkind = \"box\"\nmax = [20, 20, 20]\n[[fluid]]\nkind = \"box\"\nmax = [10, 9, 9.2]\n"
	_, err := scenes.Read("x.toml", []byte("[liquid]\nspacing = 0.0275\n"+tank)) // 40 million
	var list toml.Faults
	if !errors.As(err, &list) || len(list) != 1 || list[0].Key != "liquid.spacing" || !strings.Contains(list[0].Text, "or more") {
		t.Errorf("got %v, want a fault of liquid.spacing", err)
	}

	const small = "extends = \"dam-break\"\n[liquid]\nspacing = 0.08\n[time]\nduration = 1.5\nfps = 2\n[picture]\nsize = [64, 36]\nquality = \"draft\"\n"
	e, s := estimateOf(t, small)
	if err := Fits(s, &e); err != nil {
		t.Error(err)
	}
	have = 0.96 * float64(e.Memory)
	if err := Fits(s, &e); !errors.As(err, &list) || list[0].Key != "liquid.spacing" || list[0].Line != 3 {
		t.Errorf("got %v, want a fault of liquid.spacing in line 3", err)
	}
	d, ok := e.spacingFor(int64(have))
	if !ok || e.memoryFor(d) > have || d > 0.16 {
		t.Errorf("%g m is reported to fit", d)
	}

	// The splashes of a coarse liquid are as large, and their parcels take as much.
	have = 0.5 * float64(e.Memory)
	if err := Fits(s, &e); err == nil || !strings.Contains(err.Error(), "no spacing is large enough") || !strings.Contains(err.Error(), "whitewater.most") {
		t.Errorf("got %v, want advice to lower whitewater.most", err)
	}
}

// TestMemoryOfMany estimates films of 1, 5 and 40 million particles from a rehearsal
// of some thousand. Each needs at least the 590 bytes per particle that
// docs/PERFORMANCE.md measures for a simulation of a million. The most is what the
// mesh stage needs for the surface of bench-cube with 216,000 particles, whose
// largest frame had 2.72 vertices per particle. From there the bound falls with the
// least power.
func TestMemoryOfMany(t *testing.T) {
	longtest.Only(t)
	before := memory.Machine
	defer func() { memory.Machine = before }()
	memory.Machine = func() (int64, string) { return 0, "" }
	const (
		least    = 590.
		vertices = 2.72
		vertex   = 2 * 920. // measured at the same size, with the collector's room
		apart    = 3        // the largest ratio of one size to the next
	)
	for _, name := range []string{"dam-break", "bench-cube"} {
		var r *Rehearsal
		last := 0.
		for _, particles := range []float64{1e6, 5e6, 40e6} {
			s, err := scenes.Read("x.toml", []byte("extends = \""+name+"\"\n[picture]\nsize = [64, 36]\nquality = \"draft\"\n"))
			if err != nil {
				t.Fatal(err)
			}
			s.Liquid.Spacing = 1e-4 // which bounds what follows
			if s.Liquid.Spacing, err = s.Coarsened(particles); err != nil {
				t.Fatal(err)
			}
			b, err := s.Plan()
			if err != nil {
				t.Fatal(err)
			}
			if x := EffortFor(b); particles > 1e7 && !(x.Seconds > 0 && x.Seconds < 2) {
				t.Errorf("a check of %d particles has %g s of processor time", b.Start, x.Seconds)
			}
			if r == nil {
				if r, err = Rehearse(s, context.Background(), Effort{Moves: 1e6}); err != nil {
					t.Fatal(err)
				}
				if len(r.trials) < 2 {
					t.Fatal("one trial does not show how the surface grows")
				}
			}
			e := Of(s, b, r)
			n := float64(e.Particles)
			each := float64(e.Memory) / n
			most := memory.Cloud + vertex*vertices*math.Pow(n/216e3, -leastSurfacePower/3)
			t.Logf("%s: %d particles need %.3g GB, %.0f bytes per particle, at most %.0f", name, e.Particles, float64(e.Memory)/1e9, each, most)
			if each < least || each > most {
				t.Errorf("%s: %d particles need %.0f bytes per particle, want from %.0f to %.0f", name, e.Particles, each, least, most)
			}
			if last > 0 && (each > last || each < last/apart) {
				t.Errorf("%s: %d particles need %.0f bytes per particle, fewer need %.0f", name, e.Particles, each, last)
			}
			last = each
		}
	}
}

// TestMemoryOfViscosity has a liquid that is thick for the scene's particles but not
// for the coarser ones of the rehearsal. The memory of implicit viscosity and of
// corrected gradients is added.
func TestMemoryOfViscosity(t *testing.T) {
	world := func(spacing string) *sim.World {
		s, err := scenes.Read("x.toml", []byte("extends = \"bench-cube\"\n[liquid]\nspacing = "+spacing+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		b, err := s.Plan()
		if err != nil {
			t.Fatal(err)
		}
		return b.World
	}
	coarse, fine := world("0.1"), world("0.005")
	x := &trial{built: &scenes.Built{World: coarse, Solver: new(sim.IISPH)}, live: memory.Live{Particle: 400}}
	if got := x.liveIn(coarse).Particle; got != 400 {
		t.Errorf("%g bytes per particle in the world of the rehearsal, want 400", got)
	}
	if got := x.liveIn(fine).Particle; got < 550 || got > 650 {
		t.Errorf("%g bytes per particle with implicit viscosity and corrected gradients, want 150 to 250 more than 400", got)
	}
}

// TestPlan counts particles that are too many to make in passing.
func TestPlan(t *testing.T) {
	s, err := scenes.Read("x.toml", []byte("[liquid]\nspacing = 0.0033333333333333335\n[[wall]]\nkind = \"box\"\nmax = [3, 3, 3]\n[[fluid]]\nkind = \"box\"\nmax = [1, 1, 1]\n"))
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	b, err := s.Plan()
	if err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 20e6 {
		t.Errorf("a plan takes %d bytes of memory", n)
	}
	if e := Of(s, b, nil); e.Particles != 27e6 {
		t.Errorf("%d particles, want 27 million", e.Particles)
	}
	// Few are made as for a run.
	few, err := scenes.Load("still-water")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := few.Plan()
	if err != nil {
		t.Fatal(err)
	}
	if run := mustBuild(t, few); plan.Start != run.World.Len() || run.Start != plan.Start {
		t.Errorf("%d particles planned, %d made", plan.Start, run.World.Len())
	}
}

// TestPlanExpectsSpeed counts the particles of a dam break: its water falls as fast as if
// they were made, and catches air.
func TestPlanExpectsSpeed(t *testing.T) {
	s, err := scenes.Read("x.toml", []byte("extends = \"dam-break\"\n[liquid]\nspacing = 0.008\n[whitewater]\n"))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := s.Plan()
	if err != nil {
		t.Fatal(err)
	}
	if plan.World.Len() > 0 {
		t.Fatal("the particles are made, so nothing is tested")
	}
	coarse, err := scenes.Load("dam-break")
	if err != nil {
		t.Fatal(err)
	}
	if made := mustBuild(t, coarse).Fastest; math.Abs(plan.Fastest/made-1) > 0.05 {
		t.Errorf("the fastest particle has %g m/s in a plan and %g m/s once it is made", plan.Fastest, made)
	}
	if len(plan.Warnings) > 0 {
		t.Errorf("a dam break has faults: %v", plan.Warnings)
	}
}

// TestEffortOfSteps bounds a rehearsal by its steps: what it says of disk and
// memory is the same each time, for any number of threads.
func TestEffortOfSteps(t *testing.T) {
	longtest.Only(t)
	s, err := scenes.Read("x.toml", []byte("extends = \"dam-break\"\n[liquid]\nspacing = 0.1\n"))
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Plan()
	if err != nil {
		t.Fatal(err)
	}
	var before Estimate
	for i, threads := range []int{2, 1} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
		r, err := Rehearse(s, context.Background(), Effort{Moves: 30_000})
		if err != nil {
			t.Fatal(err)
		}
		if x := r.Share(); !(x > 0.05 && x < 0.95) {
			t.Fatalf("the rehearsal got to %g of the film", x)
		}
		e := Of(s, b, r)
		if i > 0 && (e.Memory != before.Memory || e.Disk() != before.Disk() || e.Steps != before.Steps) {
			t.Errorf("%d bytes of memory, %d of files and %d steps, which were %d, %d and %d",
				e.Memory, e.Disk(), e.Steps, before.Memory, before.Disk(), before.Steps)
		}
		before = e
		r.shot.pixelBytes *= 10 // allocations are measured anew each time
		if again := Of(s, b, r); again.Memory != e.Memory {
			t.Errorf("%d bytes of memory, and %d by other allocations", e.Memory, again.Memory)
		}
	}
}

// TestRehearsalGoesOn has a trial that got to half of a film, in which the
// surface grew: it grows on, but less than it did.
func TestRehearsalGoesOn(t *testing.T) {
	s, err := scenes.Load("dam-break")
	if err != nil {
		t.Fatal(err)
	}
	x := filmOf(s, 0.06, 0, trialFrames/2+1)
	for k := range x.frames {
		x.frames[k].vertices = 1000 * (1 + x.frames[k].at)
	}
	film := x.film()
	if end := film[len(film)-1]; math.Abs(end.at-1) > 1e-9 || end.vertices < 1600 || end.vertices > 1900 {
		t.Errorf("%g vertices at %g of the film", end.vertices, end.at)
	}
	for k := 1; k < len(film); k++ {
		if film[k].vertices < film[k-1].vertices {
			t.Errorf("%g vertices after %g", film[k].vertices, film[k-1].vertices)
		}
	}
}

// TestFilmsAreTimed makes the short films from which it is known how long a film
// takes to begin with, and for each pixel.
func TestFilmsAreTimed(t *testing.T) {
	s, err := scenes.Read("x.toml", []byte("extends = \"dam-break\"\n[video]\nencoder = \"own\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	formats := mustBuild(t, s).Formats
	var file bytes.Buffer
	if err := png.Encode(&file, image.NewRGBA(image.Rect(0, 0, 96, 54))); err != nil {
		t.Fatal(err)
	}
	begin, pixel, err := timeFilms(s, context.Background(), formats.Movies, file.Bytes(), 0)
	if err != nil || begin < 0 || pixel < 0 || begin+pixel == 0 { // on a busy machine either may be lost in the noise
		t.Errorf("%g s to begin with and %g s for each pixel, %v", begin, pixel, err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, _, err := timeFilms(s, ctx, formats.Movies, file.Bytes(), 0); err == nil {
		t.Error("films are timed after the end")
	}
}

// TestLeastIsCounted has liquid at rest that fits in the memory: it is not
// refused for splashes that another would have.
func TestLeastIsCounted(t *testing.T) {
	before := memory.Machine
	defer func() { memory.Machine = before }()
	const particles = 27e6
	memory.Machine = func() (int64, string) { return 1.1 * particles * memory.PerParticle, "this test has" }
	const still = "[liquid]\nspacing = 0.0033333333333333335\n[[wall]]\nkind = \"box\"\nmax = [1, 2, 1]\n[[fluid]]\nkind = \"box\"\nmax = [1, 1, 1]\n"
	if _, err := scenes.Read("x.toml", []byte(still)); err != nil {
		t.Error(err)
	}
	memory.Machine = func() (int64, string) { return 0.9 * particles * memory.PerParticle, "this test has" }
	if _, err := scenes.Read("x.toml", []byte(still)); err == nil {
		t.Error("a run is allowed that has no memory for its particles")
	}
}

// TestStepsReadyGrids has steps that readied the grids of walls: what they took
// besides is taken once, and not by each step of the film.
func TestStepsReadyGrids(t *testing.T) {
	x := &trial{sim: rate{things: 20, seconds: 2}, readied: rate{things: 5, seconds: 5}}
	if got := x.stepCost(); math.Abs(got-0.1) > 1e-12 {
		t.Errorf("a step takes %g s, want 0.1", got)
	}
	x.sim = rate{things: 5, seconds: 1} // too few to say
	if got := x.stepCost(); math.Abs(got-0.6) > 1e-12 {
		t.Errorf("a step takes %g s, want 0.6", got)
	}
}

// TestBusyMachine has work that used one of two threads. The other one waited for it, or for
// other programs: only the former is a part of the work.
func TestBusyMachine(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	took := rate{things: 1, seconds: 10, wall: 10}
	for _, c := range []struct {
		name         string
		unused, want float64
	}{
		{"other programs use all else", 0, 0},
		{"half of a processor is unused", 0.5, 0.5},
		{"no other program runs", 1, 1},
		{"more processors than threads", 14, 1},
		{"not known", math.Inf(1), 1},
	} {
		if got := took.idle(c.unused); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %g s are unused for each that is used, want %g", c.name, got, c.want)
		}
	}
	if got := (rate{things: 1, seconds: 10, wall: 5.5}).idle(14); math.Abs(got-0.1) > 1e-12 {
		t.Errorf("%g s are unused for each that is used, want 0.1", got)
	}
}

// TestWhitewaterTime has trials of known costs. A particle takes less in a sub-step the finer
// the liquid is, a sample of the surface and a parcel take the same, and frames without parcels
// have no sub-steps.
func TestWhitewaterTime(t *testing.T) {
	const sample, particle, parcel, file = 0.3e-6, 1e-6, 0.4e-6, 0.1e-6 // s
	film := func(d, cost float64) *trial {
		w := &trialWater{
			built: &scenes.Built{World: sim.New(d, 1000)}, every: 0.05, sampleCost: sample, parcelCost: parcel, fileCost: file,
			work:    waterWork{sampled: 24000, spread: 9000, moved: 3000},
			samples: []trialFrame{{}, {parcels: 500, parts: 4}, {parcels: 500, parts: 4}},
		}
		w.moving = rate{things: 3, seconds: 24000*sample + 9000*cost + 3000*parcel}
		return &trial{water: w}
	}
	r := &Rehearsal{trials: []*trial{film(0.08, particle*(1+0.64)), film(0.05, particle*(1+0.25))}}
	// Half the interval and half the spacing: as many sub-steps, in two frames of three. The
	// interval has four samples of the surface.
	got, want := r.whitewaterTime(100e3, 20e3, 0.025, 0.025), 100e3*(4*sample+8./3*particle*(1+0.0625))+20e3*(4*parcel+file)
	if math.Abs(got/want-1) > 1e-9 {
		t.Errorf("%g s per frame, want %g", got, want)
	}
	// A tenth of the interval: no sub-step is shorter than it, nor is there half a sample.
	got, want = r.whitewaterTime(100e3, 20e3, 0.05, 0.005), 100e3*(sample+2./3*particle*(1+0.25))+20e3*(parcel+file)
	if math.Abs(got/want-1) > 1e-9 {
		t.Errorf("%g s per frame of one sub-step, want %g", got, want)
	}
}

// TestTrialHasWhitewater rehearses a dam break. Its picture has as many parcels as the film,
// and the cost of one is measured.
func TestTrialHasWhitewater(t *testing.T) {
	longtest.Only(t)
	s, err := scenes.Read("x.toml", []byte("extends = \"dam-break\"\n[liquid]\nspacing = 0.1\n[picture]\nsize = [64, 36]\nquality = \"draft\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Rehearse(s, context.Background(), Effort{})
	if err != nil {
		t.Fatal(err)
	}
	fine := r.finest()
	k := fine.typical()
	mean, _ := fine.water.parcels(s.Time.Frames())
	if got := float64(fine.stills[k].parcels.Len()); got < mean/2 || got > 2*mean {
		t.Errorf("the picture has %g parcels, and the mean of the film is %g", got, mean)
	}
	if w := fine.water; w.sampleCost <= 0 || w.parcelCost <= 0 || w.fileCost <= 0 || w.spreadCost() <= 0 {
		t.Errorf("a particle takes %g s in a sample and %g s in a sub-step, a parcel %g s and %g s in a file", w.sampleCost, w.spreadCost(), w.parcelCost, w.fileCost)
	}
}

// TestLimitIsTold has a limit of the collector below the memory that a run takes without
// one: the estimate has both.
func TestLimitIsTold(t *testing.T) {
	s, err := scenes.Read("x.toml", []byte("extends = \"dam-break\"\n[liquid]\nspacing = 0.008\n"))
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Plan()
	if err != nil {
		t.Fatal(err)
	}
	free := Of(s, b, nil)
	if free.Memory != free.MemoryFree {
		t.Errorf("%d bytes, and %d without a limit that is not there", free.Memory, free.MemoryFree)
	}
	limit := free.Memory * 3 / 4
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(limit))
	if e := Of(s, b, nil); e.Memory != limit || e.MemoryFree != free.Memory {
		t.Errorf("%d bytes with a limit of %d, and %d without; want %d", e.Memory, limit, e.MemoryFree, free.Memory)
	}
}

// TestStepsOfPart has trials that take half of the expected steps. What they say counts the
// more, the more of the film they got to, and there is no jump.
func TestStepsOfPart(t *testing.T) {
	s, err := scenes.Load("dam-break")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ reached, want float64 }{{0.05, 0.875}, {0.1, 0.75}, {0.199, 0.5025}, {0.2, 0.5}, {1, 0.5}} {
		x := &trial{scene: s, reached: c.reached, dt: s.Time.At(s.Time.Frames()) / 1000, steps: 500 * c.reached}
		x.frames = make([]trialFrame, 1)
		r := &Rehearsal{trials: []*trial{x}}
		if got := r.stepsFactor(s.Liquid.Spacing, x.dt); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%g steps for each that is expected, by %g of the film; want %g", got, c.reached, c.want)
		}
	}
}

// TestStepsOfFiner has two trials at four times and twice the spacing of the film, whose steps follow
// a power of the spacing. So must the steps of the film: between the root, as of calm liquid, and
// a little more than the inverse, as of splashes.
func TestStepsOfFiner(t *testing.T) {
	s, err := scenes.Load("dam-break")
	if err != nil {
		t.Fatal(err)
	}
	length := s.Time.At(s.Time.Frames())
	for _, c := range []struct{ power, want float64 }{{0.2, 0.5}, {0.5, 0.5}, {0.8, 0.8}, {1, 1}, {1.4, 1.1}} {
		at := func(finer float64) *trial { // whose expected steps follow the root
			coarse := *s
			coarse.Liquid.Spacing *= 4 / finer
			return &trial{scene: &coarse, reached: 1, dt: length / (100 * math.Sqrt(finer)), steps: 300 * math.Pow(finer, c.power), frames: make([]trialFrame, 1)}
		}
		r := &Rehearsal{trials: []*trial{at(1), at(2)}}
		film := at(4)
		got, want := r.stepsFactor(film.scene.Liquid.Spacing, film.dt)*length/film.dt, 300*math.Pow(2, c.power)*math.Pow(2, c.want)
		if math.Abs(got/want-1) > 1e-9 {
			t.Errorf("power %g: %g steps, want %g", c.power, got, want)
		}
	}
}

// TestWhitewaterIsDrawnOnce has a film with ten times the triangles of a trial's picture and
// twice its grains: each takes longer by its own factor.
func TestWhitewaterIsDrawnOnce(t *testing.T) {
	s, err := scenes.Load("dam-break")
	if err != nil {
		t.Fatal(err)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	x := filmOf(s, 0.06, 500, trialFrames)
	x.steps, x.moved = 100, 100*float64(x.start)
	r := &Rehearsal{trials: []*trial{x}, shot: &trialShot{rest: 1, shown: 1000, waterRoot: 0.1, water: 2, grains: 300}}
	e := Estimate{Frames: 10, Spacing: 0.06, Steps: 100}
	r.times(x.built, &e, memory.Load{Particles: float64(x.start), Vertices: 5000, Grains: 600}, 900)
	if want := 10 * (10. + 2*(2+0.1*30)); math.Abs(e.DrawTime-want) > 1e-9 {
		t.Errorf("drawing takes %g s, want %g", e.DrawTime, want)
	}
}

// TestParcelsStartAtNone has whitewater that begins late: before the first look there is
// none, and not less.
func TestParcelsStartAtNone(t *testing.T) {
	w := &trialWater{samples: []trialFrame{{at: 0.5, parcels: 0}, {at: 0.6, parcels: 1000}, {at: 1, parcels: 0}}}
	if got, most := w.parcels(101); math.Abs(got-250) > 10 || most != 1000 {
		t.Errorf("%g parcels in a mean frame, %g at most, want 250 and 1000", got, most)
	}
}

// TestGasGoesOn has a trial that got to half of a film, with a source that goes on until three
// quarters of it: particles come as before, and leave at their age.
func TestGasGoesOn(t *testing.T) {
	for _, c := range []struct {
		life string
		want [4]float64 // particles at a quarter of the film, and so on
	}{{"0", [4]float64{1000, 2100, 3100, 3100}}, {"0.5", [4]float64{1000, 2100, 2100, 1100}}} {
		s, err := scenes.Read("x.toml", []byte(`
[time]
duration = 2
fps = 20
[gas]
cell = 1
[[source]]
kind = "sphere"
radius = 1
vortons = 200
tracers = 1800
stop = 1.5
[solver]
kind = "gourlay"
life = `+c.life+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		b := mustBuild(t, s)
		// A hundred more than the source gives: some have split.
		x := &gasTrial{built: b, reached: 0.5, frames: []trialFrame{gasFrame(0.25, 100, 900), gasFrame(0.5, 300, 1800)}, moving: rate{things: 2000}}
		film := gasFilm(s, b, x)
		if got := film[len(film)-1].work; got != 2000 {
			t.Errorf("life %s: a step does %g after a trial of one step, want as much as it, 2000", c.life, got)
		}
		for k, want := range c.want {
			at := float64(k+1) / 4
			i := slices.IndexFunc(film, func(f trialFrame) bool { return f.at > at-1e-9 })
			if got := film[i].particles; math.Abs(got-want) > 160 {
				t.Errorf("life %s: %g particles at %g of the film, want %g", c.life, got, film[i].at, want)
			}
		}
	}
}

// TestRehearsalSettles adds a trial where the power of the surface rises from trial to trial,
// and compares the surface of the benchmark's cube with the one that its run makes.
func TestRehearsalSettles(t *testing.T) {
	s, err := scenes.Load("bench-cube")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		first, second float64 // powers
		want          bool
	}{{0.4, 0.6, true}, {0.5, 0.5, false}, {0.8, 0.6, false}, {0.2, 0.4, false}, {0.9, 1, false}} {
		r := &Rehearsal{}
		each := 8.0
		for k, d := range []float64{0.1, 0.05, 0.025} {
			if k > 0 {
				each *= math.Pow(0.5, []float64{c.first, c.second}[k-1])
			}
			r.trials = append(r.trials, filmOf(s, d, each/(d*d*d), trialFrames))
		}
		if got := r.unsettled(); got != c.want {
			t.Errorf("powers %g and %g: unsettled %v, want %v", c.first, c.second, got, c.want)
		}
	}
	longtest.Only(t)
	b, err := s.Build()
	if err != nil {
		t.Fatal(err)
	}
	r, err := Rehearse(s, context.Background(), Effort{})
	if err != nil {
		t.Fatal(err)
	}
	const measured = 208_129 // vertices of a mean frame
	if e := Of(s, b, r); math.Abs(e.Vertices/measured-1) > 0.15 {
		t.Errorf("%.0f vertices in a mean frame, the run has %d", e.Vertices, measured)
	}
}

// A line through two points that would be below 0 passes through the second one, where the
// picture was measured.
func TestLine(t *testing.T) {
	for _, c := range []struct {
		x, y [2]float64
		a, b float64
	}{
		{[2]float64{1, 3}, [2]float64{4, 8}, 2, 2},
		{[2]float64{1, 2}, [2]float64{1, 8}, 4, 0}, // steeper, so it would be −6 at 0
		{[2]float64{1, 3}, [2]float64{8, 4}, 0, 4}, // it would fall
		{[2]float64{2, 2}, [2]float64{3, 5}, 0, 5},
		{[2]float64{1, 2}, [2]float64{1, -1}, 0, 0},
	} {
		if a, b := line(c.x, c.y); a != c.a || b != c.b {
			t.Errorf("the line through %g and %g is %g x + %g, want %g x + %g", c.x, c.y, a, b, c.a, c.b)
		}
	}
}

// TestStepsOfGasGetLonger rehearses a part of a film whose steps take longer and longer. The rest
// takes longer than all in the mean, and less than the last quarter.
func TestStepsOfGasGetLonger(t *testing.T) {
	x := &gasTrial{moving: rate{things: 400, seconds: 10}}
	for _, s := range []float64{1, 1, 3, 5} {
		x.moves = append(x.moves, gasStep{vortons: 100, took: rate{things: 100, seconds: s}})
	}
	for _, c := range []struct{ work, want float64 }{{200, 5}, {400, 10}, {1400, 10 + 1000*0.05}} {
		if got := x.timeOf(c.work); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%g particles are moved in %g s, want %g", c.work, got, c.want)
		}
	}
	if got := (&gasTrial{moving: x.moving}).timeOf(1400); math.Abs(got-35) > 1e-9 {
		t.Errorf("a trial of one step: %g s, want 35", got)
	}
	if !x.changes() {
		t.Error("these steps are taken to stay as they are")
	}
	x.moves[3].took.seconds = 3
	if x.changes() {
		t.Error("these steps are taken to change")
	}
	x.moves[3].took.seconds = 1
	if got := x.timeOf(1400); math.Abs(got-20) > 1e-9 || !x.changes() {
		t.Errorf("steps that get shorter: %g s, want 20", got)
	}
}

// TestPartsOfSteps has a trial of a tenth of a film, in which the flow turns faster and faster. It goes on
// so for as long again, and a step then has more parts.
func TestPartsOfSteps(t *testing.T) {
	s := mustRead(t, "[time]\nduration = 2\nfps = 20\n[gas]\ncell = 1\n[[vortex]]\nkind = \"noise\"\n[solver]\nkind = \"mesh\"\n")
	dt := s.Time.At(s.Time.Frames()) / 40
	x := &gasTrial{scene: s, built: mustBuild(t, s), reached: 0.1, steps: 4}
	for k, rate := range []float64{0.25, 0.5, 0.75, 1} { // parts that resolve it
		x.moves = append(x.moves, gasStep{at: 0.025 * float64(k+1), vortons: 100, parts: 1, longest: dt / rate})
	}
	for _, c := range []struct{ at, want float64 }{{0.1, 1.5}, {0.2, 1.5 + (1 - 1/math.E)}, {1, 2.5}} {
		if got := x.laterParts(c.at); math.Abs(got-c.want) > 0.01 {
			t.Errorf("a step at %g of the film has %g parts, want %g", c.at, got, c.want)
		}
	}
	for k := range x.moves {
		x.moves[k].parts = 2 // as the gas expands
	}
	if got := x.laterParts(0.1); math.Abs(got-3) > 1e-9 {
		t.Errorf("steps with twice the parts have %g at last, want 3", got)
	}
	if got := (&gasTrial{moves: []gasStep{{vortons: 100}}}).laterParts(1); got != 0 {
		t.Errorf("a solver without parts has %g", got)
	}
}

// TestLargerCells has a trial of a tenth of a film and one with cells of twice the size, whose vortons become four
// times as many and lose half of their tracers, while the flow turns twice as fast.
func TestLargerCells(t *testing.T) {
	s := mustRead(t, `
[time]
duration = 2
fps = 20
[gas]
cell = 1
[[source]]
kind = "sphere"
radius = 8
tracers = 1000
[solver]
kind = "mesh"
`)
	end := s.Time.At(s.Time.Frames())
	dt := end / 40
	x := &gasTrial{scene: s, built: mustBuild(t, s), reached: 0.1, steps: 4, coarser: 2}
	x.moves = []gasStep{{at: 0.1, vortons: 10000, tracers: 100 * end, parts: 1, longest: dt}}
	few := s.CoarserGas(2)
	x.coarse = &gasTrial{scene: few, built: mustBuild(t, few), reached: 1, steps: 2}
	x.coarse.moves = []gasStep{
		{at: 0.1, vortons: 1000, tracers: 100 * end / 8, longest: 2 * dt},
		{at: 1, vortons: 4000, tracers: 500 * end / 8, longest: dt},
	}
	if got := few.Gas.Cell; got != 2 || s.Gas.Cell != 1 {
		t.Errorf("cells of %g and %g m, want 2 and 1", got, s.Gas.Cell)
	}
	last := x.later(1)
	if want := 500 * end; math.Abs(last.vortons-40000) > 1e-6 || math.Abs(last.tracers/want-1) > 1e-6 || math.Abs(last.parts-2.5) > 1e-6 {
		t.Errorf("%g vortons, %g tracers and %g parts at the end, want 40000, %g and 2.5", last.vortons, last.tracers, last.parts, want)
	}
	film := gasFilm(s, x.built, x)
	if got := film[len(film)-1]; got.vortons != last.vortons || got.work != last.work() {
		t.Errorf("the last frame has %g vortons and work %g, want %g and %g", got.vortons, got.work, last.vortons, last.work())
	}
	if got := x.later(0.55).vortons; math.Abs(got-25000) > 1e-6 {
		t.Errorf("%g vortons between, want 25000", got)
	}
}

// TestPlumeGrows has a trial whose vortons become more. The number goes on growing, more and more slowly, until
// they fill the box.
func TestPlumeGrows(t *testing.T) {
	for _, c := range []struct {
		high      string
		low, most float64
	}{{"[10, 10, 30]", 1900, 2000}, {"[10, 10, 12]", 1200, 1200}, {"[10, 10, 9]", 1000, 1000}} {
		s := mustRead(t, `
[time]
duration = 2
fps = 20
[gas]
cell = 1
[[vortex]]
kind = "ring"
center = [5, 5, 5]
radius = 2
core = 1
[solver]
kind = "mesh"
low = [0, 0, 0]
high = `+c.high+"\n")
		x := &gasTrial{built: mustBuild(t, s), frames: []trialFrame{gasFrame(0.25, 1000, 0)}, reached: 0.25, steps: 10}
		for _, n := range []float64{500, 600, 600, 700, 800, 900, 1000} {
			x.moves = append(x.moves, gasStep{vortons: n})
		}
		film := gasFilm(s, mustBuild(t, s), x)
		if got := film[len(film)-1].vortons; got < c.low || got > c.most {
			t.Errorf("a box up to %s has %g vortons at the end, want %g to %g", c.high, got, c.low, c.most)
		}
	}
}

// TestLargestIsLast has a surface that grows until the film ends. The collector found the memory of
// the frame before.
func TestLargestIsLast(t *testing.T) {
	grows := []trialFrame{{at: 0, vertices: 100}, {at: 0.5, vertices: 200}, {at: 1, vertices: 400}}
	for _, c := range []struct {
		frames []trialFrame
		images int
		want   float64
	}{{grows, 3, 0.5}, {grows, 11, 0.9}, {grows[:1], 11, 1}, {[]trialFrame{grows[2], grows[0]}, 3, 1}} {
		if got := beforeMost(c.frames, c.images, verticesOf); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%v, %d images: %g, want %g", c.frames, c.images, got, c.want)
		}
	}
}

// TestBirths expects as many births in each part of a step of a trial, for each of its parcels
// trialDetail of the film.
func TestBirths(t *testing.T) {
	x := &trialWater{born: 200, every: 0.1}
	for _, c := range []struct{ dt, want float64 }{{0.05, 100}, {0.1, 200}, {0.5, 200}} {
		if got := x.births(c.dt); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%g births in %g s, want %g", got, c.dt, c.want)
		}
	}
}

// TestTimeOfSmoke has a picture whose time besides its pixels grows with the square of its
// particles: fewer take less by the square, and more take more in proportion.
// TestLargerPicture has pictures of two sizes. Where these take nearly the same time, the picture in
// full size counts instead of the larger one.
func TestLargerPicture(t *testing.T) {
	s := mustRead(t, "[gas]\ncell = 0.1\n[[smoke]]\nkind = \"box\"\nmax = [1, 1, 1]\n[look]\nkind = \"smoke\"\n[picture]\nsize = [64, 36]\n")
	b := mustBuild(t, s)
	view := s.View(b)
	view.Camera = b.Camera
	view.Tank, view.Vessels, view.Solids = b.During(0, view.Shutter)
	for _, c := range []struct {
		name    string
		pixels  float64 // of the larger picture
		seconds [2]float64
		full    bool
	}{
		{"nearly the same time", 1600, [2]float64{4, 4.5}, true},
		{"a longer time", 1600, [2]float64{4, 7}, false},
		{"the full size already", 64 * 36, [2]float64{4, 4.5}, false},
	} {
		cost := shotCost{pixels: [2]float64{160, c.pixels}, seconds: c.seconds, timed: [2]float64{160, c.pixels}}
		if err := cost.larger(b, &view); err != nil {
			t.Fatal(err)
		}
		want := c.pixels
		if c.full {
			want = 64 * 36
		}
		if cost.timed[1] != want || (cost.seconds == c.seconds) == c.full || cost.pixels[1] != c.pixels {
			t.Errorf("%s: the times are of %v pixels and %v s, want %g pixels", c.name, cost.timed, cost.seconds, want)
		}
	}
}

func TestTimeOfSmoke(t *testing.T) {
	x := &trialShot{rest: 8, shown: 1000, power: 2}
	for _, c := range []struct{ things, want float64 }{{500, 2}, {1000, 8}, {2000, 16}} {
		if got := x.time(1e5, c.things, 0); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%g particles: %g s, want %g", c.things, got, c.want)
		}
	}
}
