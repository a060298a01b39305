package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"breakwater/sim/longtest"
)

// TestValidate runs a case coarsely, in both forms.
func TestValidate(t *testing.T) {
	longtest.NotShort(t)
	dir := t.TempDir()
	code, stdout, stderr := call(t, "validate", "elliptical-drop", "--quick", "--out", dir)
	if code != exitDone {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	for _, want := range []string{"## elliptical-drop", "Monaghan 1994", "short semi-axis a", "met"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %q in\n%s", want, stdout)
		}
	}
	for _, name := range []string{"elliptical-drop.png", "elliptical-drop.csv"} {
		if s, err := os.Stat(filepath.Join(dir, name)); err != nil || s.Size() < 1000 {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, stdout, _ = call(t, "validate", "elliptical-drop", "--quick", "--json", "--out", dir)
	var line struct {
		Case     string
		Measures []struct {
			Name      string
			Error     float64
			Goal      *float64
			Met       bool
			Simulated *float64
			Expected  *float64
		}
	}
	if err := json.Unmarshal([]byte(stdout), &line); err != nil {
		t.Fatalf("%v in %s", err, stdout)
	}
	if line.Case != "elliptical-drop" || len(line.Measures) < 4 || line.Measures[0].Simulated == nil || !line.Measures[0].Met {
		t.Errorf("got %+v", line)
	}
}
