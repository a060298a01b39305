package run

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"breakwater/scenes/scenetest"
	"breakwater/scenes/stage"
	"breakwater/sim/longtest"
	"breakwater/sim/vec"
)

// TestFollow checks that a camera that follows a steady wall lags behind it by
// the time asked for, keeps its height, and looks at it.
func TestFollow(t *testing.T) {
	const camera = "[camera]\neye = [2, 1, 4]\ntarget = [2, 0.5, 0]\nfollow = \"wall\"\nfollow_wall = 2\nlag = 0.3\n"
	for _, pan := range []string{"false", "true"} {
		s := mustRead(t, scenetest.Filmed(camera+"pan = "+pan))
		f := &follower{runner: &runner{scene: s, built: mustBuild(t, s)}}
		c, err := f.camera(20)
		if err != nil {
			t.Fatal(err)
		}
		// The wall moves 0.1 m per second of film to the right and half as much up.
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

// TestFollowLiquid checks that a frame is seen from the same place whichever
// frames are drawn, and that the splash is ahead of the liquid.
func TestFollowLiquid(t *testing.T) {
	longtest.NotShort(t)
	out := t.TempDir()
	var ends []float64
	for _, what := range []string{"liquid", "splash"} {
		text := scenetest.Filmed("[camera]\neye = [0.5, 1, 4]\ntarget = [0.5, 0.2, 0]\nlag = 0.2\nfollow = \"" + what + "\"")
		s := mustRead(t, text)
		err := Run(context.Background(), s, Options{Out: out, Stages: []stage.Name{stage.Sim}}, func(stage.Event) {})
		if err != nil {
			t.Fatal(err)
		}
		r, err := newRunner(s, Options{Out: out}, func(stage.Event) {})
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

// TestTrack draws a frame with a camera that follows the splash. With the track of the sim
// stage, no particles are needed. Without it, the particles of all earlier frames are. Both
// pictures have the same bytes.
func TestTrack(t *testing.T) {
	longtest.NotShort(t)
	text := scenetest.Filmed("[camera]\neye = [0.5, 1, 4]\ntarget = [0.5, 0.2, 0]\nlag = 0.2\nfollow = \"splash\"")
	s := mustRead(t, text)
	dir := t.TempDir()
	run := func(first, last int, stages ...stage.Name) error {
		return Run(context.Background(), s, Options{Out: dir, Stages: stages, First: first, Last: last}, func(stage.Event) {})
	}
	if err := run(1, 5, stage.Sim); err != nil { // the rest goes on from there
		t.Fatal(err)
	}
	if err := run(0, 0, stage.Sim, stage.Mesh); err != nil {
		t.Fatal(err)
	}
	track := filepath.Join(dir, trackName)
	want, err := os.ReadFile(track)
	if err != nil || bytes.Count(want, []byte("\n")) != s.Time.Frames()+1 {
		t.Fatalf("the track is %s, %v", want, err)
	}
	picture := func() []byte {
		t.Helper()
		if err := run(12, 12, stage.Draw); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, Picture(s, 12))
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		return data
	}
	first := picture()
	if err := os.Remove(track); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(picture(), first) {
		t.Error("the picture has other bytes without the track")
	}
	if err := run(0, 0, stage.Sim); err != nil {
		t.Fatal(err)
	}
	if again, err := os.ReadFile(track); err != nil || !bytes.Equal(again, want) {
		t.Errorf("the track comes back as %s, %v", again, err)
	}
	if err := os.RemoveAll(filepath.Join(dir, ParticleFolder)); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(picture(), first) {
		t.Error("the picture has other bytes without particles")
	}
	if err := os.Remove(track); err != nil {
		t.Fatal(err)
	}
	if err := run(12, 12, stage.Draw); err == nil {
		t.Error("a frame is drawn without track and particles")
	}
}
