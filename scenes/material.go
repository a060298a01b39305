package scenes

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"breakwater/out"
	"breakwater/raster"
	"breakwater/sim"
	"breakwater/sim/vec"
)

// paint is what a wall is drawn with.
type paint struct {
	raster.Material
	by map[[3]vec.Vec3]vec.Vec3 // colours of a mesh file's triangles by their corners; nil for one colour
}

// paint returns what t is drawn with. shape is its shape at rest.
func (t *Wall) paint(shape sim.Boundary) (paint, error) {
	p := paint{Material: t.Material.Material()}
	if t.Shape.node.get("color") != nil {
		p.Color = t.Color
		return p, nil
	}
	w, ok := shape.(*sim.MeshWall)
	if !ok {
		return p, nil
	}
	f, err := t.Shape.palette()
	if err != nil || f == nil {
		return p, err
	}
	p.by = map[[3]vec.Vec3]vec.Vec3{}
	for i, tri := range f.Mesh.Tri {
		var at [3]vec.Vec3
		for k, v := range tri {
			at[k] = w.Placed(f.Mesh.Pos[v])
		}
		p.by[at] = p.Color
		if c := f.Colors[i]; c != nil {
			p.by[at] = *c
		}
	}
	return p, nil
}

// on returns the solid of a mesh that is painted with p. The mesh is where the
// shape is at rest.
func (p *paint) on(x *scenery) raster.Solid {
	s := raster.Solid{Mesh: x.mesh, Material: p.Material}
	if p.by == nil {
		return s
	}
	for _, t := range x.mesh.Tri {
		c, ok := p.by[[3]vec.Vec3{x.mesh.Pos[t[0]], x.mesh.Pos[t[1]], x.mesh.Pos[t[2]]}]
		if !ok { // of a frame around the mesh
			return raster.Solid{Mesh: x.mesh, Material: p.Material}
		}
		s.Colors = append(s.Colors, c)
	}
	return s
}

// maxPalette is the most bytes that a file of materials may have.
const maxPalette = 1 << 24

// palette returns the mesh of the OBJ file that p names with the colours of its
// MTL file, nil if it has none. Its mesh has been read before, without a fault.
func (p Plug) palette() (*out.Painted, error) {
	_, path := p.meshNode()
	if !strings.EqualFold(filepath.Ext(path), ".obj") {
		return nil, nil
	}
	data, err := os.ReadFile(path)
	if err != nil || !bytes.Contains(data, []byte("mtllib")) {
		return nil, err
	}
	return out.ReadPainted(bytes.NewReader(data), func(name string) ([]byte, error) { return readPalette(path, name) })
}

// readPalette reads the MTL file that the OBJ file at path names.
func readPalette(path, name string) ([]byte, error) {
	file := filepath.Join(filepath.Dir(path), filepath.FromSlash(name))
	info, err := os.Stat(file)
	if err == nil && (!info.Mode().IsRegular() || info.Size() > maxPalette) {
		err = fmt.Errorf("%s is not a file of materials", file)
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(file)
}

// materials checks that what a wall is made of is seen.
func (c *checker) materials() {
	for i, w := range c.parts.walls {
		if w == nil {
			continue
		}
		t := &c.scene.Wall[i]
		n := t.Shape.node
		if at := n.get("material").or(n.get("color")); at != nil && !at.bad {
			switch x, _, drawn := c.scene.sceneryOf(w); {
			case !drawn:
				c.faults.value(at, "is of a wall that is not drawn; leave it out")
			case x.tank != nil:
				c.faults.value(at, "is of a tank, which is drawn as panes of glass; leave it out, or give it to what stands in the liquid")
			}
			continue
		}
		if t.Shape.Kind == "mesh" {
			if _, err := t.Shape.palette(); err != nil {
				c.faults.value(n.get("file"), "%v", err)
			}
		}
	}
}

// addPaint lists what the walls look like.
func (s *Scene) addPaint(r *recipe) error {
	for i := range s.Wall {
		t := &s.Wall[i]
		key := fmt.Sprintf("wall[%d]", i)
		if t.Material != "" {
			r.line(key+".material", string(t.Material))
		}
		if t.Shape.node.get("color") != nil {
			r.add(key+".color", t.Color)
			continue
		}
		if t.Shape.Kind != "mesh" {
			continue
		}
		f, err := t.Shape.palette()
		if err != nil {
			return err
		}
		if f != nil {
			sum := sha256.New()
			for i := range f.Colors {
				fmt.Fprintln(sum, f.Named(i))
			}
			r.line(key+".colors", hex.EncodeToString(sum.Sum(nil)))
		}
	}
	return nil
}
