package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
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
