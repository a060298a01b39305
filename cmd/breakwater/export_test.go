package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"breakwater/sim/longtest"
)

// The scripts are written into the folder of the run, with the flags of the run. Without
// a run the error names the command to run first.
func TestExport(t *testing.T) {
	longtest.NotShort(t)
	dir := t.TempDir()
	code, _, stderr := call(t, "export", "blender-script", tiny, "--out", dir, "--frames=1-2")
	if code != exitAgain || !strings.Contains(stderr, "breakwater mesh "+tiny+" --out="+dir+" --frames=1-2") {
		t.Errorf("without meshes: exit %d, %s", code, stderr)
	}
	for _, stage := range []string{"sim", "mesh"} {
		do(t, stage, tiny, "--out", dir, "--frames=1-2")
	}
	for _, program := range []string{"blender", "houdini", "paraview"} {
		code, stdout, stderr := call(t, "export", program+"-script", tiny, "--out", dir, "--frames=1-2")
		want := filepath.Join(dir, "tiny_"+program+".py")
		if code != exitDone || strings.TrimSpace(stdout) != want || stderr != "" {
			t.Fatalf("%s: exit %d, %q, %s", program, code, stdout, stderr)
		}
		text, err := os.ReadFile(want)
		if err != nil || !strings.Contains(string(text), `"frames":[1,2]`) {
			t.Errorf("%s: %v", want, err)
		}
	}
	if code, _, stderr := call(t, "export", "blender-script", tiny, "--out", dir, "--frames=1-99"); code != exitUsage {
		t.Errorf("frames that there are not: exit %d, %s", code, stderr)
	}
}
