package toml

import "testing"

func TestOverlayKinds(t *testing.T) {
	tree := func(text string) *Node {
		var f Report
		root, ok := Parse(&Source{Data: text}, &f)
		if !ok {
			t.Fatal(f.Err())
		}
		return root
	}
	language := &Schema{Families: []Family{{Table: "look", Fallback: "water"}}}
	under := tree("[solver]\nkind = \"a\"\nx = 1\n[look]\ny = 1\n")
	over := language.Overlay(under, tree("[solver]\nkind = \"b\"\n[look]\nkind = \"water\"\n"))
	if over.Find("solver", "x") != nil {
		t.Error("a table of another kind keeps the old kind's keys")
	}
	if over.Find("look", "y") == nil {
		t.Error("naming the default kind drops the keys that were set for it")
	}
	if under.Find("solver", "kind").Text != "a" {
		t.Error("overlay changed the tree below")
	}
}
