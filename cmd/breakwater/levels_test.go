package main

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"breakwater/sim/longtest"
)

// foreign are the modules beyond the standard library that a package may
// import, tests apart.
var foreign = map[string][]string{
	"sim/asm":                  {"github.com/mmcloughlin/avo"},
	"sim/multipole":            {"golang.org/x/sys"},
	"sim/multipole/gen":        {"github.com/mmcloughlin/avo"},
	"sim/pairsum":              {"golang.org/x/sys"},
	"sim/pairsum/gen":          {"github.com/mmcloughlin/avo"},
	"sim/biot":                 {"golang.org/x/sys"},
	"sim/fft":                  {"golang.org/x/sys"},
	"sim/remesh":               {"golang.org/x/sys"},
	"sim/biot/gen":             {"github.com/mmcloughlin/avo"},
	"sim/fft/gen":              {"github.com/mmcloughlin/avo"},
	"sim/remesh/gen":           {"github.com/mmcloughlin/avo"},
	"sim/classic/solids":       {"golang.org/x/sys"},
	"sim/classic/solids/gen":   {"github.com/mmcloughlin/avo"},
	"sim/vortex":               {"golang.org/x/sys"},
	"sim/vortex/gen":           {"github.com/mmcloughlin/avo"},
	"raster/bvh":               {"golang.org/x/sys"},
	"raster/bvh/gen":           {"github.com/mmcloughlin/avo"},
	"raster/grains":            {"golang.org/x/sys"},
	"raster/grains/gen":        {"github.com/mmcloughlin/avo"},
	"raster/march":             {"golang.org/x/sys"},
	"raster/march/gen":         {"github.com/mmcloughlin/avo"},
	"surface/simd":             {"golang.org/x/sys"},
	"surface/simd/gen":         {"github.com/mmcloughlin/avo"},
	"raster":                   {"github.com/fogleman/fauxgl"},
	"raster/coverage":          {"github.com/fogleman/fauxgl"},
	"raster/camera":            {"github.com/fogleman/fauxgl"},
	"raster/overlay":           {"github.com/fogleman/gg", "github.com/golang/freetype", "golang.org/x/image"},
	"raster/figure":            {"github.com/fogleman/gg", "github.com/golang/freetype", "golang.org/x/image"},
	"out/film/h264":            {"golang.org/x/sys"},
	"out/film/h264/gen":        {"github.com/mmcloughlin/avo"},
	"out/store":                {"golang.org/x/sys"},
	"out/film":                 {"github.com/deepteams/webp"},
	"scenes/farm/flamencotest": {"github.com/dop251/goja"},
	"scenes/host":              {"github.com/KimMachineGun/automemlimit", "golang.org/x/sys"},
	"scenes/toml":              {"github.com/pelletier/go-toml/v2"},
	"cmd/breakwater":           {"github.com/alecthomas/kong", "github.com/schollz/progressbar/v3", "golang.org/x/sys", "golang.org/x/term"},
}

const module = "breakwater/"

// TestImportOrder holds the levels of ARCHITECTURE.md: a package imports packages of lower
// levels only, and packages of one level never import each other.
func TestImportOrder(t *testing.T) {
	longtest.NotShort(t)
	levels := levelTable(t)
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports,Standard", "../../...").Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimPrefix(p.ImportPath, module)
		level, ok := levels[name]
		if !ok {
			t.Errorf("package %s has no level: give it one in the table of ARCHITECTURE.md", name)
			continue
		}
		seen[name] = true
		for _, i := range p.Imports {
			if ours, ok := strings.CutPrefix(i, module); ok {
				if l, ok := levels[ours]; ok && l >= level {
					t.Errorf("%s (level %d) imports %s (level %d)", name, level, ours, l)
				}
			} else if strings.Contains(strings.Split(i, "/")[0], ".") && !allowed(name, i) {
				t.Errorf("%s imports %s, which is not among its modules", name, i)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(levels)) {
		if !seen[name] {
			t.Errorf("level of a package that does not exist: %s", name)
		}
	}
}

// levelTable returns the levels of the packages by the table of ARCHITECTURE.md.
func levelTable(t *testing.T) map[string]int {
	text, err := os.ReadFile("../../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	levels := map[string]int{}
	row := regexp.MustCompile(`(?m)^\| (\d+) \| (.*?) \| (.*) \|$`)
	name := regexp.MustCompile("`([a-z0-9/]+)`")
	for _, m := range row.FindAllStringSubmatch(string(text), -1) {
		level, _ := strconv.Atoi(m[1])
		for _, p := range name.FindAllStringSubmatch(m[2]+m[3], -1) {
			if l, twice := levels[p[1]]; twice && l != level {
				t.Errorf("ARCHITECTURE.md has %s at the levels %d and %d", p[1], l, level)
			}
			levels[p[1]] = level
		}
	}
	return levels
}

func allowed(name, path string) bool {
	return slices.ContainsFunc(foreign[name], func(m string) bool {
		return path == m || strings.HasPrefix(path, m+"/")
	})
}
