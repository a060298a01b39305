package article

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"breakwater/raster/figure"
	"breakwater/scenes/shipped"
	"breakwater/sim"
	"breakwater/sim/kernel"
	"breakwater/sim/neighbor"
	"breakwater/sim/vortex"
)

// TestArticles checks that docs/ARTICLES.md has every row once, and that everything it
// names exists: files, tests, figures, scenes, solvers and their keys, kernels and searches.
func TestArticles(t *testing.T) {
	doc, err := os.ReadFile("../../docs/ARTICLES.md")
	if err != nil {
		t.Fatal(err)
	}
	var sceneNames []string
	for _, s := range shipped.Scenes() {
		sceneNames = append(sceneNames, s.Name)
	}
	known := map[string][]string{
		"figure": figure.Figures.Names(), "scene": sceneNames, "solver": append(sim.Solvers.Names(), vortex.Solvers.Names()...),
		"kernel": kernel.Kernels.Names(), "search": neighbor.Finders.Names(), "technique": vortex.Techniques.Names(),
	}
	var want, rows []int
	for k := 1; k <= 161; k++ {
		want = append(want, k)
	}
	named := regexp.MustCompile("`(figure|scene|solver|kernel|search|technique) ([a-z0-9-]+)`")
	tests := regexp.MustCompile("`([a-z/]+)\\.(Test[A-Za-z]+)`")
	keys := regexp.MustCompile("its key `([a-z_]+)`")
	manual, err := os.ReadFile("../../docs/SCENES.md")
	if err != nil {
		t.Fatal(err)
	}
	links := regexp.MustCompile(`\]\(([^)]+)\)`)
	for _, line := range strings.Split(string(doc), "\n") {
		cells := strings.Split(line, " | ")
		row, err := strconv.Atoi(strings.TrimPrefix(cells[0], "| "))
		if err != nil {
			continue
		}
		rows = append(rows, row)
		if len(cells) != 4 {
			t.Errorf("row %d has %d cells", row, len(cells))
		}
		if len(cells) == 4 && !strings.HasPrefix(cells[3], "not here") && !named.MatchString(line) && !tests.MatchString(line) {
			t.Errorf("row %d names nothing that shows it: a test, a figure, a scene or another part of the program", row)
		}
		for _, m := range named.FindAllStringSubmatch(line, -1) {
			if !slices.Contains(known[m[1]], m[2]) {
				t.Errorf("row %d: %s %q does not exist", row, m[1], m[2])
			}
		}
		for _, m := range keys.FindAllStringSubmatch(line, -1) {
			if !strings.Contains(string(manual), "\n| `"+m[1]+"` |") {
				t.Errorf("row %d: no key %q", row, m[1])
			}
		}
		for _, m := range tests.FindAllStringSubmatch(line, -1) {
			if !hasTest(t, m[1], m[2]) {
				t.Errorf("row %d: %s has no %s", row, m[1], m[2])
			}
		}
		for _, m := range links.FindAllStringSubmatch(line, -1) {
			if _, err := os.Stat(filepath.Join("../../docs", m[1])); err != nil {
				t.Errorf("row %d: %v", row, err)
			}
		}
	}
	if !slices.Equal(rows, want) {
		t.Errorf("rows %v, want %v", rows, want)
	}
}

// hasTest reports whether a package has a test of the given name.
func hasTest(t *testing.T, pkg, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("../..", pkg, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), "\nfunc "+name+"(") {
			return true
		}
	}
	return false
}
