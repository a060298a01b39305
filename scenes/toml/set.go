package toml

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// step is a part of a path such as fluid[2].max: a key, and the number of an item
// from 1, or 0.
type step struct {
	key  string
	item int
}

// pathStep matches a part of a path.
var pathStep = regexp.MustCompile(`^([A-Za-z0-9_-]+)(?:\[([1-9][0-9]{0,5})\])?$`)

// Set lays an assignment of the command line over the table root and returns the result;
// root is not changed. The assignment is written as PATH=VALUE with a path as messages
// name it, such as liquid.spacing=0.02 or fluid[2].max=[1, 1, 1]. The value is written
// as in a file, and a string may lack its quotes. Faults of the value name the flag.
func (s *Schema) Set(root *Node, flag, assignment string) (*Node, error) {
	path, value, ok := strings.Cut(assignment, "=")
	path, value = strings.TrimSpace(path), strings.TrimSpace(value)
	if !ok || path == "" || value == "" {
		return nil, fmt.Errorf("%s %q: expected KEY=VALUE, such as liquid.spacing=0.02", flag, assignment)
	}
	var steps []step
	for part := range strings.SplitSeq(path, ".") {
		m := pathStep.FindStringSubmatch(part)
		if m == nil || len(steps) == maxDepth {
			return nil, fmt.Errorf("%s %q: %q is not a key; expected one such as liquid.spacing or fluid[2].max", flag, assignment, path)
		}
		item, _ := strconv.Atoi(m[2])
		steps = append(steps, step{m[1], item})
	}
	src := &Source{Name: flag + " " + path, Flag: true, Data: value}
	over, err := s.assigned(root, src, "", steps)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", flag, path, err)
	}
	return s.Overlay(root, &Node{Kind: Table, Src: src, Items: []*Node{over}}), nil
}

// assigned returns the node to be laid over the table under at path, so that the value at
// the steps becomes the one in src. under may be nil.
func (s *Schema) assigned(under *Node, src *Source, path string, steps []step) (*Node, error) {
	first, rest := steps[0], steps[1:]
	path = Join(path, first.key)
	old := under.Get(first.key)
	if first.item > 0 {
		return s.assignedItem(old, src, path, steps)
	}
	if len(rest) == 0 {
		return assignedValue(src, first.key, path), nil
	}
	if old != nil && old.Kind == Array {
		return nil, fmt.Errorf("%s is a list; name an item, such as %s", path, Index(path, 0))
	}
	below, err := s.assigned(old, src, path, rest)
	if err != nil {
		return nil, err
	}
	return &Node{Kind: Table, Src: src, Key: first.key, Path: path, Items: []*Node{below}}, nil
}

// assignedItem returns a list with a changed item in place of list, which may be nil.
func (s *Schema) assignedItem(list *Node, src *Source, path string, steps []step) (*Node, error) {
	i, rest := steps[0].item-1, steps[1:]
	if list == nil || list.Kind != Array || i >= len(list.Items) {
		return nil, fmt.Errorf("the scene has no %s", Index(path, i))
	}
	path = Index(path, i)
	n := *list
	n.Items = slices.Clone(list.Items)
	if len(rest) == 0 {
		n.Items[i] = assignedValue(src, "", path)
		return &n, nil
	}
	if n.Items[i].Kind != Table {
		return nil, fmt.Errorf("%s is not a table", path)
	}
	below, err := s.assigned(n.Items[i], src, path, rest)
	if err != nil {
		return nil, err
	}
	changed := &Node{Kind: Table, Src: src, Path: path, Items: []*Node{below}}
	if s.sameKind(n.Items[i], changed) {
		changed = s.Overlay(n.Items[i], changed)
	}
	n.Items[i] = changed
	return &n, nil
}

// assignedValue returns the value in src. Text that is not a TOML value is a string.
func assignedValue(src *Source, key, path string) *Node {
	var f Report
	n := &Node{Kind: String, Text: src.Data}
	root, ok := Parse(&Source{Name: src.Name, Flag: true, Data: "value = " + src.Data}, &f)
	if ok && len(f.List) == 0 && len(root.Items) == 1 && root.Items[0].Key == "value" && root.Items[0].Kind != Table {
		n = root.Items[0]
	}
	n.move(src, key, path)
	return n
}

// move gives n and all nodes below it another place.
func (n *Node) move(src *Source, key, path string) {
	n.Src, n.Key, n.Path, n.At, n.name = src, key, path, Span{}, Span{}
	for i, c := range n.Items {
		if n.Kind == Array {
			c.move(src, "", Index(path, i))
		} else {
			c.move(src, c.Key, Join(path, c.Key))
		}
	}
}
