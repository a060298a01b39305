package run

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"breakwater/scenes/stage"
)

// TestMadeMeanwhile has a second run make all files while the first is at a frame of each
// stage. The first keeps them, and both end with the files of one.
func TestMadeMeanwhile(t *testing.T) {
	for _, at := range []stage.Name{stage.Sim, stage.Mesh, stage.Export, stage.Draw} {
		s, dir := mustRead(t, keepScene), t.TempDir()
		made, second := map[stage.Name]int{}, false
		err := Run(context.Background(), s, Options{Out: dir}, func(e stage.Event) {
			if e.Done {
				made[e.Stage] += e.Made
			}
			if e.Stage == at && e.Frame == 1 && !e.UnderWay && !second {
				second = true
				if err := Run(context.Background(), s, Options{Out: dir}, func(stage.Event) {}); err != nil {
					t.Fatal(err)
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		most := 2 // the second is under way
		if at == stage.Mesh {
			most = s.Batch() // the rows of others are seen at the next batch
		}
		if !second || made[at] > most {
			t.Errorf("%s: the first run makes %v", at, made)
		}
		again := mustRun(t, "x.toml", keepScene, dir)
		maps.DeleteFunc(again, func(_ stage.Name, n int) bool { return n == 0 })
		if _, err := os.Stat(filepath.Join(dir, manifestName)); err != nil || len(again) > 0 {
			t.Errorf("%s: %v is missing, %v", at, again, err)
		}
	}
}
