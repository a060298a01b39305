// Package programs runs other programs, such as Blender, on our files in tests.
package programs

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"breakwater/sim/longtest"
)

// Find returns the path of a program, by the first of its names that is found. Without it a
// test is left out, but not where BREAKWATER_PROGRAMS says that all are there.
func Find(t testing.TB, names ...string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("skipped: other programs take long")
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("BREAKWATER_PROGRAMS") != "" {
		t.Fatalf("no %s, which BREAKWATER_PROGRAMS says is there", names[0])
	}
	t.Skipf("no %s here: the test that needs it is left out", names[0])
	return ""
}

// Lacking leaves a test out that needs something of the system, such as the right to mount a
// disk, but not where BREAKWATER_PROGRAMS says that all is there.
func Lacking(t testing.TB, format string, args ...any) {
	t.Helper()
	if os.Getenv("BREAKWATER_PROGRAMS") != "" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}

// OpenVDB runs Debian's Python, which has OpenVDB's module. Its scripts print "NO OPENVDB"
// without the module, and then Find's rule holds.
func OpenVDB(t *testing.T, args ...string) string {
	t.Helper()
	output := Run(t, nil, "/usr/bin/python3", args...)
	if strings.Contains(output, "NO OPENVDB") {
		if os.Getenv("BREAKWATER_PROGRAMS") != "" {
			t.Fatal("this python3 has no pyopenvdb")
		}
		t.Skip("this python3 has no pyopenvdb: what OpenVDB makes of our files is not tested")
	}
	return output
}

// Run runs a program, in a home of its own, and returns its output. The start of Blender or
// ParaView takes more than a second, so it does so in long tests only.
func Run(t *testing.T, env []string, name string, args ...string) string {
	t.Helper()
	longtest.Only(t)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, Find(t, name), args...)
	c.Env = append(append(os.Environ(), env...), "HOME="+t.TempDir(), "PYTHONDONTWRITEBYTECODE=1")
	var says bytes.Buffer
	c.Stdout, c.Stderr = &says, &says
	if err := c.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, says.String())
	}
	return says.String()
}

// Seen decodes the lines of a script's output that begin with SEEN.
func Seen[T any](t *testing.T, output string) (all []T) {
	t.Helper()
	for line := range strings.Lines(output) {
		text, ok := strings.CutPrefix(line, "SEEN ")
		if !ok {
			continue
		}
		var v T
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		all = append(all, v)
	}
	return all
}
