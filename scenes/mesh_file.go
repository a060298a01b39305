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
	"breakwater/scenes/shipped"
	"breakwater/scenes/toml"
	"breakwater/surface/mesh"
)

// meshed is a wall or a block whose shape is a mesh in a file, which its
// setting file names.
type meshed interface {
	SetMesh(m *mesh.Mesh) error
}

// meshNode returns where the scene names the mesh's file, and its path.
func meshNode(p toml.Variant) (at *toml.Node, path string) {
	at = p.Node.Get("file")
	if at == nil || at.Kind != toml.String {
		return at, ""
	}
	if strings.HasPrefix(at.Text, shippedMesh) {
		return at, at.Text
	}
	path = filepath.FromSlash(at.Text)
	if !filepath.IsAbs(path) && !at.Src.Flag {
		path = filepath.Join(filepath.Dir(at.Src.Name), path)
	}
	return at, path
}

// shippedMesh begins what scenes call a mesh that comes with the program.
const shippedMesh = "shipped:"

// meshData returns the contents of a mesh file.
func meshData(path string) ([]byte, error) {
	if name, ok := strings.CutPrefix(path, shippedMesh); ok {
		return shipped.Mesh(name)
	}
	info, err := os.Stat(path)
	if err == nil && (!info.Mode().IsRegular() || info.Size() > maxMeshFile) {
		err = fmt.Errorf("%s is not a mesh file", path)
	}
	if err != nil {
		return nil, fmt.Errorf("%w; the path is relative to the folder of this file", err)
	}
	return os.ReadFile(path)
}

// maxMeshFile is the most bytes a mesh may have: some ten million
// triangles.
const maxMeshFile = 1 << 30

// readMesh gives m the mesh of its file and reports whether that could be done. The
// contents of the file belong to the settings of the variant p at the key.
func (f *builder) readMesh(key string, p toml.Variant, m meshed) bool {
	return f.readFile(key, p, "cup.obj", func(path string, data []byte) error {
		mesh, err := out.ReadMesh(path, bytes.NewReader(data))
		if err != nil {
			return fmt.Errorf("cannot be read: %w", err)
		}
		return m.SetMesh(mesh)
	})
}

// readFile reads the file that the variant with a key names, such as the example, and adds it
// to the recipe of the variant. It reports whether that succeeded.
func (f *builder) readFile(key string, p toml.Variant, example string, read func(path string, data []byte) error) bool {
	at, path := meshNode(p)
	if path == "" {
		f.Value(p.Node, "has no file; add a line such as file = %q, a path relative to the folder of this file", example)
		return false
	}
	data, err := meshData(path)
	if err == nil {
		err = read(path, data)
	}
	if err != nil {
		f.Value(at, "%v", err)
		return false
	}
	sum := sha256.Sum256(data)
	f.recipes[key].Line(".data", hex.EncodeToString(sum[:]))
	return true
}
