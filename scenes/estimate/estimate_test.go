package estimate

import (
	"math"
	"slices"
	"testing"

	"breakwater/scenes"
	"breakwater/scenes/memory"
	"breakwater/scenes/stage"
)

// TestEstimate compares the estimate of the shipped dam break with a run of it. The run
// has 1274 steps and 90 frames. On average a frame has 5.3 MB of particles, 32 MB of
// mesh and a picture of 0.7 MB. That is without a rehearsal.
func TestEstimate(t *testing.T) {
	s, err := scenes.Load("dam-break")
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Build()
	if err != nil {
		t.Fatal(err)
	}
	before := b.World.V[0]
	e := Of(s, b, nil)
	if b.World.V[0] != before {
		t.Error("the estimate changes the world")
	}
	if e.Particles != b.World.Len() || e.Frames != 90 || e.Spacing != 0.018 || math.Abs(e.Volume-0.9026) > 0.001 {
		t.Errorf("%+v", e)
	}
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"steps", float64(e.Steps), 1274}, {"particle bytes", float64(e.Particle), 90 * 5.3e6},
		{"mesh bytes", float64(e.Mesh), 90 * 32e6}, {"picture bytes", float64(e.Picture), 90 * 0.7e6},
	} {
		if c.got < c.want/2 || c.got > c.want*2 {
			t.Errorf("%s: estimated %.3g, measured %.3g", c.what, c.got, c.want)
		}
	}
	if e.PixelsPerParticle < 4 || e.PixelsPerParticle > 10 {
		t.Errorf("%.1f pixels per particle", e.PixelsPerParticle)
	}

	// Half the spacing: eight times the particles, twice the steps.
	if err := s.Override(scenes.Overrides{Spacing: "0.9 cm"}); err != nil {
		t.Fatal(err)
	}
	if b, err = s.Build(); err != nil {
		t.Fatal(err)
	}
	fine := Of(s, b, nil)
	if r := float64(fine.Particles) / float64(e.Particles); r != 8 {
		t.Errorf("half the spacing gives %g times the particles", r)
	}
	if r := float64(fine.Steps) / float64(e.Steps); r < 1.8 || r > 2.2 {
		t.Errorf("half the spacing gives %g times the steps", r)
	}
}

// TestEstimateSteps holds the estimated steps to those that runs of the shipped
// scenes took at some other spacing.
func TestEstimateSteps(t *testing.T) {
	for _, c := range []struct {
		name          string
		spacing, want float64
	}{
		{"bench-cube", 0.042, 185}, {"dam-break", 0.0378, 631}, {"dam-break-obstacle", 0.0525, 338},
		{"double-dam-break", 0.063, 509}, {"drop", 0.0462, 193}, {"still-water", 0.063, 267},
	} {
		name, want := c.name, c.want
		s, err := scenes.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		s.Liquid.Spacing = c.spacing
		b, err := s.Build()
		if err != nil {
			t.Fatal(err)
		}
		e := Of(s, b, nil)
		t.Logf("%s: estimated %d, measured %.0f", name, e.Steps, want)
		if got := float64(e.Steps); got < 0.75*want || got > want/0.75 {
			t.Errorf("%s: estimated %.0f steps, measured %.0f", name, got, want)
		}
		if e.Shortened != "" && name != "double-dam-break" { // whose cfl is less than usual
			t.Errorf("%s: its short steps are blamed on %s", name, e.Shortened)
		}
	}
	s, err := scenes.Read("x.toml", []byte("extends = \"dam-break\"\n[liquid]\nspacing = 0.024\n[[force]]\nkind = \"xsph\"\nrate = 5800\n"))
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Build()
	if err != nil {
		t.Fatal(err)
	}
	if e := Of(s, b, nil); e.Shortened != "force[1]" || e.Steps < 24_000 || e.Steps > 34_000 {
		t.Errorf("a strong force: %d steps, short for %q", e.Steps, e.Shortened)
	}
}

// Every format that a scene asks for is counted once, with those it is made from;
// finer voxels and more attributes take more.
func TestEstimateFormats(t *testing.T) {
	estimate := func(text string) Estimate {
		t.Helper()
		s, err := scenes.Read("x.toml", []byte("extends = \"dam-break\"\n[liquid]\nspacing = 0.05\n"+text))
		if err != nil {
			t.Fatal(err)
		}
		b, err := s.Build()
		if err != nil {
			t.Fatal(err)
		}
		return Of(s, b, nil)
	}
	plain := estimate("")
	if len(plain.Formats) != 2 || plain.Formats[1].Format != "obj" || plain.Export != 0 || plain.Mesh != plain.Formats[0].Bytes+plain.Formats[1].Bytes {
		t.Errorf("%+v", plain.Formats)
	}
	cache := estimate("[mesh]\nformats = []\n")
	if len(cache.Formats) != 1 || cache.Formats[0].What != "surface" || cache.Mesh != cache.Formats[0].Bytes || cache.Mesh > plain.Formats[1].Bytes/2 {
		t.Errorf("without files for other programs: %+v, with OBJ %+v", cache.Formats, plain.Formats)
	}
	const formats = "[mesh]\nformats = [\"abc\", \"usda\", \"pvd\", \"stl\"]\n[particles]\nformats = [\"csv\", \"pvd\", \"abc\"]\n"
	e := estimate(formats + "[volume]\nformats = [\"vdb\"]\n")
	var got []string
	var mesh, export int64
	for _, f := range e.Formats {
		got = append(got, string(f.Stage)+" "+f.What+" "+f.Format)
		if f.Stage == stage.Mesh {
			mesh += f.Bytes
		} else {
			export += f.Bytes
		}
	}
	want := []string{"mesh surface plymesh", "mesh mesh vtp", "mesh mesh stl", "export particles csv", "export particles vtp", "export mesh abc", "export mesh usda", "export particles abc", "export volume vdb"}
	if !slices.Equal(got, want) || e.Mesh != mesh || e.Export != export || e.Disk() != e.Particle+mesh+export+e.Picture+e.Film {
		t.Errorf("%v, %d and %d bytes; want %v, %d and %d", got, e.Mesh, e.Export, want, mesh, export)
	}
	if fine := estimate(formats + "[volume]\nformats = [\"vdb\"]\nvoxel = 0.25\n"); fine.Export-e.Export < 6*e.Formats[8].Bytes {
		t.Errorf("half the voxels take %d bytes more than %d", fine.Export-e.Export, e.Formats[8].Bytes)
	}
	if more := estimate("[mesh]\nformats = [\"obj\", \"plymesh\"]\nattributes = [\"vorticity\", \"age\"]\n"); more.Formats[2].Bytes <= estimate("[mesh]\nformats = [\"obj\", \"plymesh\"]\n").Formats[2].Bytes {
		t.Error("attributes take nothing")
	}
}

// The files of whitewater are counted: a line for each format, less for fewer frames or
// compressed, and more for finer voxels.
func TestEstimateParcels(t *testing.T) {
	const parcels, frames = 1000, 90
	sizes := func(settings string) map[string]int64 {
		t.Helper()
		s, err := scenes.Read("x.toml", []byte("extends = \"dam-break\"\n[whitewater]\n"+settings))
		if err != nil {
			t.Fatal(err)
		}
		b, err := s.Build()
		if err != nil {
			t.Fatal(err)
		}
		list := map[string]int64{}
		for _, f := range formatSizes(s, b, memory.Load{Parcels: parcels}) {
			if f.What == "whitewater" {
				list[f.Format] = f.Bytes
			}
		}
		return list
	}
	if got := sizes(""); len(got) != 0 {
		t.Errorf("without formats %v", got)
	}
	got := sizes("formats = [\"ply\", \"abc\", \"pvd\"]\nvolumes = [\"mist\", \"velocity\"]")
	if len(got) != 4 || got["ply"] != 44*parcels*frames || got["abc"] != 52*parcels*frames || got["vtp"] != 52*parcels*frames || got["vdb"] <= 0 {
		t.Errorf("%v", got)
	}
	if few := sizes("formats = [\"ply\"]\nkeep = \"every 3rd\"\ngzip = true")["ply"]; few >= got["ply"]/6 || few == 0 {
		t.Errorf("a third, compressed, takes %d of %d bytes", few, got["ply"])
	}
	if fine := sizes("volumes = [\"mist\", \"velocity\"]\n[volume]\nvoxel = 0.25")["vdb"]; fine <= got["vdb"] || fine > 8*got["vdb"] {
		t.Errorf("half the voxels take %d bytes, not %d", fine, got["vdb"])
	}
}

// TestStepOfFreeBodies expects steps of the boat's scene no longer than its solver takes with
// the boat in water at rest: free bodies shorten them.
func TestStepOfFreeBodies(t *testing.T) {
	s, err := scenes.Load("boat")
	if err != nil {
		t.Fatal(err)
	}
	s.Liquid.Spacing = 0.06
	b, err := s.Build()
	if err != nil {
		t.Fatal(err)
	}
	dt, rest := s.StepLength(b), b.Solver.MaxDt(b.World)
	if dt > rest*(1+1e-9) || dt < rest/2 {
		t.Errorf("steps of %g s are expected, and the solver takes %g s at rest", dt, rest)
	}
}

// TestGuessCountsWhitewater guesses the memory of a scene without a rehearsal: as much
// whitewater as there may be counts, or the run starts and dies once it draws it.
func TestGuessCountsWhitewater(t *testing.T) {
	s, err := scenes.Load("dam-break")
	if err != nil {
		t.Fatal(err)
	}
	s.Liquid.Spacing = 0.08
	b, err := s.Build()
	if err != nil {
		t.Fatal(err)
	}
	with := Of(s, b, nil)
	most := float64(s.Whitewater.Most)
	s.Whitewater = nil
	without := Of(s, b, nil)
	if more := float64(with.Memory - without.Memory); more < most*(memory.DrawnParcel+memory.DrawnGrain)/2 {
		t.Errorf("%.0f MB for at most %.0f parcels of whitewater", more/1e6, most)
	}
}
