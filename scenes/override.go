package scenes

import "strings"

// Overrides are values that take the place of those in a scene file, written
// as on the command line. What is "" stays as the file has it.
type Overrides struct {
	FPS     string // frames a second of film: "60"
	Size    string // of the picture: "1920x1080"
	Quality string // "draft", "good" or "final"
	Spacing string // of the particles: "0.02" (metres) or "2 cm"
}

// Override lays o over s and checks the outcome as Read does. If anything is
// wrong, s stays as it was and the error is of type Faults.
func (s *Scene) Override(o Overrides) error {
	root := s.root
	for _, v := range []struct {
		flag, text string
		table, key string
		value      func(*source) *node
	}{
		{"--fps", o.FPS, "time", "fps", numberFlag},
		{"--size", o.Size, "picture", "size", sizeFlag},
		{"--quality", o.Quality, "picture", "quality", stringFlag},
		{"--spacing", o.Spacing, "liquid", "spacing", numberFlag},
	} {
		if v.text == "" {
			continue
		}
		n := v.value(&source{name: v.flag, flag: true, data: v.text})
		n.key, n.path = v.key, join(v.table, v.key)
		table := &node{kind: tableNode, src: n.src, key: v.table, path: v.table, items: []*node{n}}
		root = overlay(root, &node{kind: tableNode, src: n.src, items: []*node{table}})
	}
	var f faults
	t := decodeScene(root, s.Name, s.Path, &f)
	t.check(&f, true)
	if err := f.err(); err != nil {
		return err
	}
	*s = *t
	return nil
}

func stringFlag(src *source) *node { return &node{kind: stringNode, src: src, text: src.data} }

// numberFlag is a number, or a string of a number and a unit.
func numberFlag(src *source) *node {
	n := stringFlag(src)
	for _, k := range []kind{intNode, floatNode} {
		if numbers[k].MatchString(src.data) {
			n.kind = k
			break
		}
	}
	return n
}

// sizeFlag is WIDTHxHEIGHT, or WIDTH × HEIGHT as check writes it, a list of two
// numbers.
func sizeFlag(src *source) *node {
	w, h, ok := strings.Cut(strings.NewReplacer("×", "x", "X", "x").Replace(src.data), "x")
	if !ok {
		return stringFlag(src)
	}
	list := &node{kind: arrayNode, src: src}
	for _, text := range []string{w, h} {
		item := numberFlag(&source{name: src.name, flag: true, data: strings.TrimSpace(text)})
		item.path = src.name
		list.items = append(list.items, item)
	}
	return list
}
