package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"breakwater/scenes"
	"breakwater/scenes/shipped"
	"breakwater/sim/longtest"
)

// otherBits are functions of package math with other bits on some processors of amd64, and
// what to use instead.
var otherBits = map[string]string{
	"Exp": "num.Exp", "Pow": "num.Pow", "Erf": "num.Erf", "Erfc": "1 − num.Erf", "Sinh": "num.Exp", "Cosh": "num.Exp", "Tanh": "num.Exp",
	"Gamma": "a table", "FMA": "products and sums",
}

// TestSameFunctions checks that nothing but tests, and generators of assembly, calls
// functions whose results depend on the processor.
func TestSameFunctions(t *testing.T) {
	root := "../.."
	files := token.NewFileSet()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if name := d.Name(); path != root && (strings.HasPrefix(name, ".") || name == "renders" || name == "gen" || path == filepath.Join(root, "sim/num")) {
				return fs.SkipDir
			}
			return nil
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if x, ok := n.(*ast.SelectorExpr); ok {
				if of, ok := x.X.(*ast.Ident); ok && of.Name == "math" && otherBits[x.Sel.Name] != "" {
					t.Errorf("%s: math.%s has other bits on some processors: use %s", files.Position(x.Pos()), x.Sel.Name, otherBits[x.Sel.Name])
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestSameBitsOfScenes simulates two frames of all shipped scenes and draws the second at good,
// at a coarser spacing where a scene allows one. Processors without AVX and FMA give the same
// bytes.
func TestSameBitsOfScenes(t *testing.T) {
	longtest.Only(t)
	if runtime.GOARCH != "amd64" {
		t.Skip("only processors of amd64 differ in these instructions")
	}
	program := binary(t)
	const none = "cpu.avx512f=off,cpu.avx2=off,cpu.avx=off,cpu.fma=off"
	for i, x := range shipped.Scenes() {
		s, err := scenes.Load(x.Name)
		if err != nil {
			t.Fatal(err)
		}
		render := func(coarser float64, lacks string) (files map[string]string, err error) {
			out := t.TempDir()
			defer os.RemoveAll(out)
			size := fmt.Sprintf("--set=liquid.spacing=%g", coarser*s.Liquid.Spacing)
			if s.Gas != nil {
				size = fmt.Sprintf("--set=gas.cell=%g", coarser*s.Gas.Cell)
			}
			cmd := exec.Command(program, "render", x.Name, "--frames=2", "--size=64x36", "--quality=good", "--stages=sim,whitewater,mesh,draw", "--quiet", "--out", out, size)
			cmd.Env = append(os.Environ(), "GODEBUG="+lacks)
			if text, err := cmd.CombinedOutput(); err != nil {
				return nil, fmt.Errorf("%s, GODEBUG=%s: %w\n%s", x.Name, lacks, err, text)
			}
			return digests(t, out), nil
		}
		var want map[string]string
		coarser, tries := 0.0, []float64{3, 2.3, 1.4, 1}
		if len(s.Inflow)+len(s.Outflow) > 0 { // coarser particles do not fit openings, and walls take seconds in each try
			tries = []float64{1.5, 1.4}
		}
		for _, coarser = range tries {
			if want, err = render(coarser, ""); err == nil {
				break
			}
		}
		if err != nil || len(want) < 4 {
			t.Fatalf("%s: %d files, %v", x.Name, len(want), err)
		}
		others := []string{none}
		if i%4 == 0 { // the loops are other ones without AVX
			others = append(others, "cpu.fma=off")
		}
		for _, lacks := range others {
			got, err := render(coarser, lacks)
			if err != nil {
				t.Fatal(err)
			}
			if same(t, got, want); t.Failed() {
				t.Fatalf("%s, GODEBUG=%s", x.Name, lacks)
			}
		}
	}
}
