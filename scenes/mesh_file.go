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
	"breakwater/surface/mesh"
)

// meshed is a wall or a block whose shape is a mesh in a file, which its
// setting file names.
type meshed interface {
	SetMesh(m *mesh.Mesh) error
}

// meshNode returns where the scene names the mesh's file, and its path.
func (p Variant) meshNode() (at *node, path string) {
	at = p.node.get("file")
	if at == nil || at.kind != stringNode {
		return at, ""
	}
	if strings.HasPrefix(at.text, shippedMesh) {
		return at, at.text
	}
	path = filepath.FromSlash(at.text)
	if !filepath.IsAbs(path) && !at.src.flag {
		path = filepath.Join(filepath.Dir(at.src.name), path)
	}
	return at, path
}

// shippedMesh begins what scenes call a mesh that comes with the program.
const shippedMesh = "shipped:"

// meshData returns what is in a mesh file.
func meshData(path string) ([]byte, error) {
	name, ok := strings.CutPrefix(path, shippedMesh)
	if ok {
		data, err := shipped.ReadFile("shipped/" + name)
		if err != nil {
			return nil, fmt.Errorf("no shipped mesh is called %q; %s", name, expected(name, shippedMeshes()))
		}
		return data, nil
	}
	info, err := os.Stat(path)
	if err == nil && (!info.Mode().IsRegular() || info.Size() > maxMeshFile) {
		err = fmt.Errorf("%s is not a mesh file", path)
	}
	if err != nil {
		return nil, fmt.Errorf("%w; the path is taken from the folder of this file", err)
	}
	return os.ReadFile(path)
}

// maxMeshFile is the most bytes a mesh may have: some ten million
// triangles.
const maxMeshFile = 1 << 30

// readMesh gives m the mesh of its file and reports whether that could be done.
func (p Variant) readMesh(f *faults, m meshed) bool {
	at, path := p.meshNode()
	if path == "" {
		f.value(p.node, "has no file; add a line such as file = \"cup.obj\", a path from the folder of this file")
		return false
	}
	data, err := meshData(path)
	if err == nil {
		var read = false
		if mesh, e := out.ReadMesh(path, bytes.NewReader(data)); e != nil {
			err = e
		} else {
			err, read = m.SetMesh(mesh), true
		}
		if err != nil && !read {
			err = fmt.Errorf("cannot be read: %w", err)
		}
	}
	if err != nil {
		f.value(at, "%v", err)
		return false
	}
	return true
}

// addMesh lists what is in the mesh file that p names, if it names one, under a
// key.
func (p Variant) addMesh(r *recipe, key string) error {
	_, path := p.meshNode()
	if path == "" {
		return nil
	}
	data, err := meshData(path)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(data)
	r.line(key+".data", hex.EncodeToString(sum[:]))
	return nil
}
