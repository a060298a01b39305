// Package meshfile reads the files of meshes that a scene names, and what belongs to them.
//
//	file.go     files of meshes
//	palette.go  files of materials, and the pictures that these name
package meshfile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"breakwater/scenes/shipped"
	"breakwater/scenes/toml"
)

// Node returns where the scene names the mesh's file, and its path.
func Node(p toml.Variant) (at *toml.Node, path string) {
	at = p.Node.Get("file")
	if at == nil || at.Kind != toml.String {
		return at, ""
	}
	if strings.HasPrefix(at.Text, Shipped) {
		return at, at.Text
	}
	path = filepath.FromSlash(at.Text)
	if !filepath.IsAbs(path) && !at.Src.Flag {
		path = filepath.Join(filepath.Dir(at.Src.Name), path)
	}
	return at, path
}

// Shipped begins what scenes call a mesh that comes with the program.
const Shipped = "shipped:"

// Data returns the contents of a mesh file.
func Data(path string) ([]byte, error) {
	if name, ok := strings.CutPrefix(path, Shipped); ok {
		return shipped.Mesh(name)
	}
	if err := check(path, maxMeshFile, fmt.Errorf("%s is not a mesh file", path)); err != nil {
		return nil, fmt.Errorf("%w; the path is relative to the folder of this file", err)
	}
	return os.ReadFile(path)
}

// maxMeshFile is the most bytes a mesh may have: some ten million
// triangles.
const maxMeshFile = 1 << 30

// check returns the error of a path that cannot be read, or odd if there is something else than
// a file of at most the given bytes.
func check(path string, most int64, odd error) error {
	info, err := os.Stat(path)
	if err == nil && (!info.Mode().IsRegular() || info.Size() > most) {
		return odd
	}
	return err
}
