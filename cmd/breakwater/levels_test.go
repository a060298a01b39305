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
)

// levels is the order of the packages: a package imports packages of lower levels only,
// and packages of one level never import each other.
var levels = map[string]int{
	"sim/vec":                   0,
	"sim/asm":                   0,
	"sim/num":                   0,
	"sim/par":                   0,
	"sim/registry":              0,
	"out/pace":                  0,
	"out/programs":              0,
	"sim/longtest":              0,
	"sim/heaptest":              0,
	"scenes/scenetest":          0,
	"scenes/footprint":          0,
	"scenes/host":               0,
	"raster/golden":             0,
	"sim/kernel":                1,
	"sim/neighbor":              1,
	"sim/particle":              1,
	"sim/classic/solids":        1,
	"sim/pairsum":               1,
	"sim/pairsum/gen":           1,
	"sim/biot":                  1,
	"sim/fft":                   1,
	"sim/biot/gen":              1,
	"sim/fft/gen":               1,
	"sim/remesh/gen":            1,
	"surface/simd":              1,
	"surface/simd/gen":          1,
	"surface/mesh":              1,
	"surface/voxel":             2,
	"raster/bvh":                1,
	"raster/grains":             1,
	"raster/march":              2,
	"raster/scatter":            0,
	"raster/color":              1,
	"raster/camera":             1,
	"raster/sky":                2,
	"raster/overlay":            2,
	"raster/optics":             2,
	"raster/filter":             2,
	"raster/texture":            2,
	"raster/sky/skytest":        2,
	"raster/bvh/gen":            1,
	"out/film/h264":             1,
	"out/film/h264/gen":         1,
	"out/pngfile":               1,
	"out/store":                 1,
	"out/numbers":               1,
	"out/outtest":               1,
	"out/ogawa":                 1,
	"sim/boundary":              2,
	"sim/multipole":             2,
	"sim/remesh":                1,
	"sim/multipole/gen":         1,
	"sim/dice":                  1,
	"sim/registry/registrytest": 1,
	"sim/vortex/grid":           1,
	"sim/vortex/vorticity":      2,
	"sim/whitewater":            3,
	"sim/vortex":                4,
	"surface":                   2,
	"surface/voxel/voxeltest":   3,
	"surface/meshtest":          2,
	"raster":                    4,
	"raster/figure":             2,
	"out/film":                  2,
	"out/ply":                   2,
	"out/vtk":                   2,
	"out/vdb":                   2,
	"sim/boundary/walltest":     3,
	"sim/body":                  3,
	"sim/shape":                 3,
	"sim/initial":               1,
	"scenes/toml":               3,
	"scenes/shipped":            4,
	"scenes/convert":            5,
	"out/particles":             3,
	"sim/inflow":                4,
	"sim":                       5,
	"out":                       4,
	"sim/gauge":                 6,
	"sim/quantity":              6,
	"sim/classic":               6,
	"scenes/stage":              6,
	"scenes":                    7,
	"scenes/validate":           7,
	"scenes/mesher":             7,
	"scenes/run":                8,
	"scenes/parcels":            8,
	"scenes/canary":             8,
	"scenes/drawer":             8,
	"scenes/article":            8,
	"scenes/wedge":              9,
	"scenes/farm":               10,
	"scenes/farm/flamencotest":  0,
	"cmd/breakwater":            11,
	"cmd/gallery":               9,
}

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
	"raster/bvh":               {"golang.org/x/sys"},
	"raster/bvh/gen":           {"github.com/mmcloughlin/avo"},
	"surface/simd":             {"golang.org/x/sys"},
	"surface/simd/gen":         {"github.com/mmcloughlin/avo"},
	"raster":                   {"github.com/fogleman/fauxgl"},
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

// TestImportOrder holds the levels of the house.
func TestImportOrder(t *testing.T) {
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
			t.Errorf("package %s has no level: give it one here and in ARCHITECTURE.md", name)
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

// TestLevelTable checks that the table of ARCHITECTURE.md names each package at its level, and
// no other.
func TestLevelTable(t *testing.T) {
	text, err := os.ReadFile("../../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	row := regexp.MustCompile(`(?m)^\| (\d+) \| (.*?) \| (.*) \|$`)
	name := regexp.MustCompile("`([a-z0-9/]+)`")
	for _, m := range row.FindAllStringSubmatch(string(text), -1) {
		for _, cell := range m[2:] {
			for _, p := range name.FindAllStringSubmatch(cell, -1) {
				level, ok := levels[p[1]]
				if generates := strings.HasSuffix(p[1], "/gen"); ok && (generates || strconv.Itoa(level) == m[1]) {
					named[p[1]] = true
				} else {
					t.Errorf("ARCHITECTURE.md has %s at level %s; expected %d", p[1], m[1], level)
				}
			}
		}
	}
	for _, p := range slices.Sorted(maps.Keys(levels)) {
		if !named[p] {
			t.Errorf("the table of levels in ARCHITECTURE.md lacks %s, level %d", p, levels[p])
		}
	}
}

func allowed(name, path string) bool {
	return slices.ContainsFunc(foreign[name], func(m string) bool {
		return path == m || strings.HasPrefix(path, m+"/")
	})
}
