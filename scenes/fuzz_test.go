package scenes

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gotoml "github.com/pelletier/go-toml/v2"

	"breakwater/scenes/shipped"
	"breakwater/scenes/toml"
	"breakwater/sim/boundary"
	"breakwater/sim/longtest"
)

// FuzzRead checks that no text makes Read panic, and that every fault has a text and a
// place in the file, in order. Text that this package accepts as TOML must be TOML for
// go-toml too.
func FuzzRead(f *testing.F) {
	longtest.NotShort(f)
	for _, x := range shipped.Scenes() {
		data, err := shipped.Source(x.Name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data))
	}
	files, err := filepath.Glob("testdata/*/*.toml")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data))
	}
	for _, text := range hostile(200) { // a busy machine needs ten seconds for 2000, which is all that an input has
		f.Add(text)
	}
	defer func(most int) { boundary.MaxGridBytes = most }(boundary.MaxGridBytes)
	boundary.MaxGridBytes = 1 << 18 // more may take longer than the ten seconds that an input has
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "extends") && strings.Contains(text, ".toml") || strings.Contains(text, "file") {
			return // which files there are is not the input's to say
		}
		_, err := Read("x.toml", []byte(text))
		if _, again := Read("x.toml", []byte(text)); (err == nil) != (again == nil) || err != nil && err.Error() != again.Error() {
			t.Fatalf("two readings differ:\n%v\n%v", err, again)
		}
		var list toml.Faults
		if err != nil && !errors.As(err, &list) {
			t.Fatalf("the error is not a Faults: %v", err)
		}
		lines := strings.Count(text, "\n") + 1
		last := 0
		for _, x := range list {
			if x.Text == "" || x.File == "" || x.String() == "" || x.File == "x.toml" && (x.Line < last || x.Line > lines) {
				t.Fatalf("bad fault %+v after line %d of %d", x, last, lines)
			}
			if x.File == "x.toml" {
				last = x.Line
			}
		}
		var own toml.Report
		root, _ := toml.Parse(&toml.Source{Name: "x.toml", Data: strings.TrimPrefix(text, "\ufeff")}, &own)
		if len(own.List) > 0 || dated(root) {
			return
		}
		var v map[string]any
		if err := gotoml.Unmarshal([]byte(strings.TrimPrefix(text, "\ufeff")), &v); err != nil {
			t.Fatalf("read as TOML, but go-toml says: %v", err)
		}
	})
}

// dated reports whether there is a date below n; no setting takes one, so the
// tree does not check them.
func dated(n *toml.Node) bool {
	for _, c := range n.Items {
		if dated(c) {
			return true
		}
	}
	return n.Kind == toml.Date
}
