package out

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"breakwater/out/numbers"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// Paint is the paint of a triangle.
type Paint struct {
	Color   vec.Vec3 // Kd: linear red, green and blue, from 0 to 1
	Picture string   // map_Kd: the file of a picture that is multiplied with it; "" for none
}

// Painted is a mesh with the paint of its triangles.
type Painted struct {
	Mesh   *mesh.Mesh
	Paints []*Paint        // nil where the file gives none
	Places [][3][2]float64 // of the triangles' corners in their pictures, from the left lower corner; nil if the file has none
}

// Named returns the paint of triangle i in words.
func (p *Painted) Named(i int) string {
	switch {
	case p.Paints[i] == nil:
		return "none"
	case p.Paints[i].Picture == "":
		return fmt.Sprint(p.Paints[i].Color)
	}
	return fmt.Sprint(*p.Paints[i], p.Places[i])
}

// Pictures returns the pictures that there are, each once.
func (p *Painted) Pictures() (names []string) {
	for _, x := range p.Paints {
		if x != nil && x.Picture != "" && !slices.Contains(names, x.Picture) {
			names = append(names, x.Picture)
		}
	}
	return names
}

// ReadPainted reads an OBJ file of any program. open reads the MTL files that it names,
// which have the diffuse colours (Kd) and pictures (map_Kd) of the materials. A picture
// is of no use to a face without places (vt). What else a material has is passed over.
// It returns nil if the file names none, or none that is there.
func ReadPainted(r io.Reader, open func(name string) ([]byte, error)) (*Painted, error) {
	p := objReader{r: bufio.NewReaderSize(r, objMaxLine), frame: &Frame{Mesh: &mesh.Mesh{}}}
	painted := &Painted{Mesh: p.frame.Mesh}
	palette := map[string]*Paint{}
	var current *Paint
	places := placeReader{obj: &p}
	for {
		line, err := p.next()
		if err != nil && err != io.EOF {
			return nil, fmt.Errorf("obj: line %d: %w", p.line, err)
		}
		e := p.statement(line)
		word, rest := numbers.CutWord(line)
		switch string(word) {
		case "mtllib":
			e = addLibrary(palette, string(bytes.TrimSpace(rest)), open)
		case "vt", "f":
			if e == nil {
				e = places.statement(string(word), rest)
			}
		case "usemtl":
			current = palette[string(bytes.TrimSpace(rest))]
		}
		if e != nil {
			return nil, fmt.Errorf("obj: line %d: %w", p.line, e)
		}
		for len(painted.Paints) < len(p.frame.Mesh.Tri) {
			painted.Paints = append(painted.Paints, current)
		}
		if err == io.EOF {
			break
		}
	}
	if len(palette) == 0 {
		return nil, nil
	}
	if err := places.finish(painted); err != nil {
		return nil, err
	}
	return painted, p.finish()
}

// addLibrary adds the materials of an MTL file to the palette. One that is not
// there is passed over, as all programs do: meshes are often passed on without.
func addLibrary(palette map[string]*Paint, name string, open func(name string) ([]byte, error)) error {
	data, err := open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("mtllib %.50q: %w", name, err)
	}
	var of *Paint
	for i, line := range bytes.Split(data, []byte{'\n'}) {
		word, rest := numbers.CutWord(line)
		switch string(word) {
		case "newmtl":
			of = &Paint{Color: vec.Vec3{X: 0.8, Y: 0.8, Z: 0.8}} // of a material that says nothing
			palette[string(bytes.TrimSpace(rest))] = of
		case "Kd":
			c, err := vector(rest)
			if err == nil && !(min(c.X, c.Y, c.Z) >= 0 && max(c.X, c.Y, c.Z) <= 1) {
				err = errors.New("not from 0 to 1")
			}
			if err == nil && of == nil {
				err = errors.New("before the first newmtl")
			}
			if err != nil {
				return fmt.Errorf("mtllib %.50q: line %d: Kd: %w", name, i+1, err)
			}
			of.Color = c
		case "map_Kd":
			picture := string(bytes.TrimSpace(rest))
			switch {
			case of == nil:
				err = errors.New("before the first newmtl")
			case picture == "":
				err = errors.New("the name of a picture is missing")
			case picture[0] == '-':
				err = fmt.Errorf("%.50q has options, which are not supported; give the name alone", picture)
			}
			if err != nil {
				return fmt.Errorf("mtllib %.50q: line %d: map_Kd: %w", name, i+1, err)
			}
			of.Picture = picture
		}
	}
	return nil
}
