package registry

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func entry(name string) Entry[string] {
	return Entry[string]{Name: name, Doc: "a test", New: func(d Decode) (string, error) { return name, d(&struct{}{}) }}
}

func TestSet(t *testing.T) {
	s := Set[string]{Kind: "letter"}
	for _, n := range []string{"c", "a", "b"} {
		s.Register(entry(n))
	}
	if got := s.Names(); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("names %v are not sorted", got)
	}
	for e, v := range s.Defaults() {
		if e.Name != v || v > "b" {
			t.Errorf("%s is %s", e.Name, v)
		}
		if v == "b" {
			break
		}
	}
	if got, err := s.New("b", None); got != "b" || err != nil {
		t.Errorf("New(b) = %q, %v", got, err)
	}
	if _, err := s.New("d", None); err == nil || !strings.Contains(err.Error(), `unknown letter "d" (have a, b, c)`) {
		t.Errorf("unknown name: %v", err)
	}
	fail := errors.New("bad key")
	if _, err := s.New("a", func(any) error { return fail }); !errors.Is(err, fail) {
		t.Errorf("the decoder's error is lost: %v", err)
	}
	for _, bad := range []Entry[string]{entry("a"), entry(""), {Name: "x", Doc: "no constructor"}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Register(%q) did not panic", bad.Name)
				}
			}()
			s.Register(bad)
		}()
	}
}
