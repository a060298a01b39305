package scenes

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"breakwater/raster"
	"breakwater/scenes/meshfile"
	"breakwater/scenes/stage"
	"breakwater/scenes/toml"
)

// withoutColors lists the missing MTL files that meshes ask for, so that their colours
// are not drawn. This is not a fault: meshes are often passed on without them.
func (s *Scene) withoutColors() (list []string) {
	look := func(at string, p toml.Variant) {
		_, path := meshfile.Node(p)
		if p.Kind != "mesh" || p.Node.Get("color") != nil || strings.HasPrefix(path, meshfile.Shipped) {
			return
		}
		data, err := meshfile.Data(path)
		if err != nil || !bytes.Contains(data, []byte("mtllib")) {
			return
		}
		for line := range bytes.Lines(data) {
			name, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("mtllib "))
			if !ok {
				continue
			}
			if _, err := meshfile.ReadPalette(path, string(bytes.TrimSpace(name))); errors.Is(err, fs.ErrNotExist) {
				list = append(list, fmt.Sprintf("%s, %s, is drawn without the colours of its materials: %q is missing", at, path, bytes.TrimSpace(name)))
			}
		}
	}
	for i := range s.Wall {
		look(toml.Index("wall", i), s.Wall[i].Shape)
	}
	for i := range s.Body {
		look(toml.Index("body", i), s.Body[i].Shape)
	}
	return list
}

// materials checks that the material of a wall is visible.
func (c *checker) materials() {
	l := c.scene.layout(c.parts)
	for i, w := range c.parts.walls {
		if w == nil {
			continue
		}
		t := &c.scene.Wall[i]
		n := t.Shape.Node
		if t.Hidden && l.IsFloor(w) {
			c.Report.Value(n.Get("hidden"), "has no effect, since this plane is the floor of the picture; leave it out")
		}
		if at := n.Get("material").Or(n.Get("color")); at != nil && !at.Bad {
			switch {
			case t.Hidden:
				c.Report.Value(at, "has no effect, since the wall is hidden; leave it out")
			case l.IsFloor(w):
				c.Report.Value(at, "has no effect, since this plane is the floor of the picture, whose material is picture.floor; leave it out")
			case container(w) && t.Material == raster.Glass && n.Get("color") != nil:
				c.Report.Value(n.Get("color"), "has no effect, since the glass panes of a tank have a fixed colour; leave it out, or choose another material")
			}
			continue
		}
		c.palette(t.Shape)
	}
	for i, b := range c.parts.bodies {
		if b != nil {
			c.palette(c.scene.Body[i].Shape)
		}
	}
}

// palette checks the colours of a mesh file.
func (c *checker) palette(p toml.Variant) {
	if p.Kind != "mesh" {
		return
	}
	f, err := meshfile.Painted(p)
	if err == nil && f != nil {
		for _, name := range f.Pictures() {
			if _, err = meshfile.Picture(p, name); err != nil {
				break
			}
		}
	}
	if err != nil {
		c.Report.Value(p.Node.Get("file"), "%v", err)
	}
}

// addPaint lists the appearance of walls and bodies.
func (s *Scene) addPaint(r *stage.Recipe) error {
	for i := range s.Wall {
		if err := s.Wall[i].Finish.AddTo(r, fmt.Sprintf("wall[%d]", i), s.Wall[i].Shape); err != nil {
			return err
		}
	}
	for i := range s.Body {
		if err := s.Body[i].Finish.AddTo(r, fmt.Sprintf("body[%d]", i), s.Body[i].Shape); err != nil {
			return err
		}
	}
	return nil
}
