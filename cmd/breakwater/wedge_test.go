package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"breakwater/sim/longtest"
)

func TestWedge(t *testing.T) {
	longtest.NotShort(t)
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("box.toml", "[time]\nduration = 0.1\nfps = 20\n[liquid]\nspacing = 0.1\n[[fluid]]\nkind = \"box\"\nmax = [0.5, 0.5, 0.5]\n[[wall]]\nkind = \"box\"\nmax = [1, 1, 0.5]\n")
	good := write("good.toml", "scene = \"box.toml\"\n[vary]\nliquid.viscosity = [0.001, 1]\n")
	bad := write("bad.toml", "scene = \"box.toml\"\n[vary]\nliquid.viscosity = [0.001, -1]\n")
	run := func(args ...string) (code int, stdout, stderr string) {
		var o, e bytes.Buffer
		code = execute(context.Background(), args, &o, &e)
		return code, o.String(), e.String()
	}

	code, text, _ := run("wedge", good, "--check", "--trial", "0s", "--quality", "draft")
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if code != exitDone || len(lines) != 4 || strings.Join(strings.Fields(lines[0]), " ") != "variant liquid.viscosity particles frames memory disk time" ||
		!strings.HasPrefix(strings.Join(strings.Fields(lines[2]), " "), "2 1 125 2 ") || !strings.HasPrefix(lines[3], "all: ") {
		t.Errorf("exit code %d:\n%s", code, text)
	}
	if _, err := os.Stat("renders"); err == nil {
		t.Error("--check makes a folder")
	}
	out := filepath.Join(dir, "out")
	if code, _, text := run("wedge", good, "--trial", "0s", "--quality", "draft", "--size", "64x36", "--out", out); code != exitDone || !strings.Contains(text, "variant 2 of 2, liquid.viscosity=1: ") {
		t.Errorf("exit code %d:\n%s", code, text)
	}
	if _, err := os.Stat(filepath.Join(out, "contact-sheet.png")); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{bad}, exitFailed, "bad.toml: variant 2 (liquid.viscosity=-1): liquid.viscosity: -1 is out of range"},
		{[]string{good, "--spacing", "2 s"}, exitUsage, "--spacing: \"2 s\" is a time"},
		{[]string{good, "--trial=-1s"}, exitUsage, "--trial"},
		{[]string{good, "--frames", "9-10", "--trial", "0s", "--out", out}, exitUsage, "--frames 9-10"},
		{[]string{filepath.Join(dir, "none.toml")}, exitFailed, "none.toml"},
	} {
		if code, _, text := run(append([]string{"wedge"}, c.args...)...); code != c.code || !strings.Contains(text, c.want) {
			t.Errorf("%v: exit code %d:\n%s", c.args, code, text)
		}
	}
}
