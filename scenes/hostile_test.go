package scenes

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"breakwater/scenes/toml"
	"breakwater/sim/longtest"
)

// hostile returns texts whose cost once grew with the square of their size, with as
// many blocks as given.
func hostile(blocks int) map[string]string {
	const head = "[liquid]\nspacing = 0.1\n[[wall]]\nkind = \"box\"\nmax = [10, 10, 10]\n"
	var apart, diagonal, tables strings.Builder
	for i := range blocks {
		fmt.Fprintf(&apart, "[[fluid]]\nkind = \"sphere\"\ncenter = [%d, %d, %d]\nradius = 0.3\n", 1+i%9, 1+i/9%9, 1+i/81%9)
		fmt.Fprintf(&diagonal, "[[fluid]]\nkind = \"cylinder\"\nbottom = [%g, 1, 1]\ntop = [%g, 5, 5]\nradius = 0.2\n", 1+float64(i)/500, 2+float64(i)/500)
		fmt.Fprintf(&tables, "[a%d]\n[a%[1]d.b]\n", i)
	}
	return map[string]string{
		"lists in lists":       "a = " + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000),
		"open lists":           "a = " + strings.Repeat("[", 100_000),
		"tables in tables":     "a = " + strings.Repeat("{a = ", 40_000) + "1" + strings.Repeat("}", 40_000),
		"parts of a key":       strings.Repeat("a.", 50_000) + "a = 1",
		"parts of a header":    "[" + strings.Repeat("a.", 50_000) + "a]",
		"a long key":           strings.Repeat("a", 200_000) + " = 1",
		"tables":               tables.String(),
		"blocks in one place":  head + strings.Repeat("[[fluid]]\nkind = \"box\"\nmax = [1, 1, 1]\n", blocks),
		"blocks apart":         head + apart.String(),
		"blocks side by side":  head + diagonal.String(),
		"bodies in one place":  head + strings.Repeat("[[body]]\nkind = \"sphere\"\ncenter = [5, 5, 5]\nradius = 0.3\ndensity = 500\n", blocks/2),
		"walls and few blocks": head + "[[fluid]]\nkind = \"box\"\nmax = [1, 1, 1]\n" + strings.Repeat("[[wall]]\nkind = \"sphere\"\ncenter = [5, 5, 5]\nradius = 0.3\n", blocks/2),
	}
}

// TestHostile reads texts that once took half a minute, or more memory than
// there was. Were that so again, the test would be ended for its time or memory.
func TestHostile(t *testing.T) {
	longtest.NotShort(t)
	says := map[string]string{
		"lists in lists": "more than 32 tables or lists", "tables in tables": "more than 32 tables or lists",
		"parts of a key": "more than 32 tables or lists", "parts of a header": "more than 32 tables or lists",
		"tables": "more faults follow", "blocks in one place": "overlaps the block fluid[1]", "bodies in one place": "overlaps body[1]",
	}
	blocks := 1000
	if longtest.On() {
		blocks = 2000
	}
	for name, text := range hostile(blocks) {
		_, err := Read("x.toml", []byte(text))
		var list toml.Faults
		if err != nil && !errors.As(err, &list) {
			t.Errorf("%s: %v", name, err)
		}
		if len(list) > toml.MaxFaults+10 { // some have no place
			t.Errorf("%s: %d faults", name, len(list))
		}
		if err == nil && says[name] != "" || err != nil && !strings.Contains(err.Error(), says[name]) {
			t.Errorf("%s: got %.300v, want %q", name, err, says[name])
		}
	}
}
