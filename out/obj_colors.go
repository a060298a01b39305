package out

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// Painted is a mesh with the colours of its triangles.
type Painted struct {
	Mesh   *mesh.Mesh
	Colors []*vec.Vec3 // linear red, green and blue, from 0 to 1; nil where the file gives none
}

// Named returns the colour of triangle i in words.
func (p *Painted) Named(i int) string {
	if p.Colors[i] == nil {
		return "none"
	}
	return fmt.Sprint(*p.Colors[i])
}

// ReadPainted reads an OBJ file of any program with the diffuse colours (Kd) of
// the materials in the MTL files that it names, which open reads; what else a
// material has is passed over. It returns nil if the file names none, or none
// that is there.
func ReadPainted(r io.Reader, open func(name string) ([]byte, error)) (*Painted, error) {
	p := objReader{r: bufio.NewReaderSize(r, objMaxLine), frame: &Frame{Mesh: &mesh.Mesh{}}}
	painted := &Painted{Mesh: p.frame.Mesh}
	palette := map[string]*vec.Vec3{}
	var current *vec.Vec3
	for {
		line, err := p.next()
		if err != nil && err != io.EOF {
			return nil, fmt.Errorf("obj: line %d: %w", p.line, err)
		}
		e := p.statement(line)
		word, rest := cutWord(line)
		switch string(word) {
		case "mtllib":
			e = addLibrary(palette, string(bytes.TrimSpace(rest)), open)
		case "usemtl":
			current = palette[string(bytes.TrimSpace(rest))]
		}
		if e != nil {
			return nil, fmt.Errorf("obj: line %d: %w", p.line, e)
		}
		for len(painted.Colors) < len(p.frame.Mesh.Tri) {
			painted.Colors = append(painted.Colors, current)
		}
		if err == io.EOF {
			break
		}
	}
	if len(palette) == 0 {
		return nil, nil
	}
	return painted, p.finish()
}

// addLibrary adds the materials of an MTL file to the palette. One that is not
// there is passed over, as all programs do: meshes are often passed on without.
func addLibrary(palette map[string]*vec.Vec3, name string, open func(name string) ([]byte, error)) error {
	data, err := open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("mtllib %.50q: %w", name, err)
	}
	var of *vec.Vec3
	for i, line := range bytes.Split(data, []byte{'\n'}) {
		word, rest := cutWord(line)
		switch string(word) {
		case "newmtl":
			of = &vec.Vec3{X: 0.8, Y: 0.8, Z: 0.8} // of a material that says nothing
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
			*of = c
		}
	}
	return nil
}
