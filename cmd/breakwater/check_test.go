package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// large is a scene of n³ particles.
func large(t *testing.T, n int) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "large.toml")
	text := fmt.Sprintf("[liquid]\nspacing = %g\n[[wall]]\nkind = \"box\"\nmax = [3, 3, 3]\n[[fluid]]\nkind = \"box\"\nmax = [1, 1, 1]\n", 1/float64(n))
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestCheckStops checks a scene when the program is being stopped: nothing is
// printed, however far the check gets.
func TestCheckStops(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	var stdout, stderr bytes.Buffer
	for range 3 { // the check may be done first
		stdout.Reset()
		stderr.Reset()
		code := run(ctx, []string{"check", large(t, 300)}, &stdout, &stderr)
		if code == exitFailed && strings.Contains(stderr.String(), "interrupted") && stdout.Len() == 0 {
			return
		}
	}
	t.Errorf("said %q, %q", stdout.String(), stderr.String())
}
