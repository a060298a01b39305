package toml

import (
	"os"
	"strings"
	"testing"

	gotoml "github.com/pelletier/go-toml/v2"
)

// TestTOML compares the texts that are accepted as TOML with go-toml's own decoder.
func TestTOML(t *testing.T) {
	for _, text := range []string{
		"", "a = 1", "a.b = 1\na.c = 2", "a.b = 1\n[a]", "a.b = 1\n[a.c]", "[a.b]\n[a]\nc = 1", "[a.b]\n[a]\nb.c = 1", "[a]\n[a]", "[a]\nb = 1\n[a.b]",
		"[[a]]\n[[a]]\n[a.b]", "[[a]]\n[a]", "[a]\n[[a]]", "a = []\n[[a]]", "a = {}\n[a.b]", "a = {b = 1, b = 2}", "a = {b.c = 1, b.d = 2}",
		"a = {b = {}, b.c = 1}", "a = 1\na.b = 2", "a = [1, 2,\n # c\n]", "a = [[1], [], {b = []}]", "\"a b\" = 'c'", "a = 1 b = 2", "a = ", "= 1",
		"a = 01", "a = 1_0", "a = 1__0", "a = .5", "a = 1.", "a = 1e", "a = +inf", "a = 0x_1", "a = 0xfF", "a = \"\\u12\"", "a = \"\"\"x\n\"\"\"", "[a", "[[a]",
	} {
		var f Report
		_, _ = Parse(&Source{Name: "x.toml", Data: text}, &f)
		var v map[string]any
		theirs := gotoml.Unmarshal([]byte(text), &v)
		if ours := f.Err(); (ours == nil) != (theirs == nil) {
			t.Errorf("%q: here %v, by go-toml %v", text, ours, theirs)
		}
	}
}

// TestParserVersion holds go.mod to the version of the parser that this package is
// written for.
func TestParserVersion(t *testing.T) {
	data, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if want := "\tgithub.com/pelletier/go-toml/v2 " + parserVersion + "\n"; !strings.Contains(string(data), want) {
		t.Errorf("go.mod lacks %q: see parserVersion", want)
	}
}
