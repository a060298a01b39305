package meshfile

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	_ "image/jpeg" // that pictures on meshes may have
	_ "image/png"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"breakwater/out"
	"breakwater/out/pngfile"
	"breakwater/scenes/toml"
)

// maxPalette is the most bytes that a file of materials may have.
const maxPalette = 1 << 24

// Painted returns the mesh of the OBJ file that p names with the colours of its
// MTL file, nil if it has none. Its mesh has been read before, without a fault.
func Painted(p toml.Variant) (*out.Painted, error) {
	_, path := Node(p)
	if !strings.EqualFold(filepath.Ext(path), ".obj") {
		return nil, nil
	}
	data, err := Data(path)
	if err != nil || !bytes.Contains(data, []byte("mtllib")) {
		return nil, err
	}
	return out.ReadPainted(bytes.NewReader(data), func(name string) ([]byte, error) { return ReadPalette(path, name) })
}

// PictureFile returns the bytes of a picture that an MTL file names.
func PictureFile(p toml.Variant, name string) ([]byte, error) {
	_, path := Node(p)
	return ReadPicture(path, name)
}

// ReadPicture reads a picture that an MTL file of the mesh at path names.
func ReadPicture(path, name string) ([]byte, error) {
	file := filepath.Join(filepath.Dir(path), filepath.FromSlash(strings.ReplaceAll(name, `\`, "/")))
	err := check(file, maxPicture, errors.New("not a picture"))
	if errors.Is(err, fs.ErrNotExist) {
		err = errors.New("there is no such picture")
	}
	if err != nil {
		return nil, fmt.Errorf("map_Kd %.50q: %w", name, err)
	}
	return os.ReadFile(file)
}

// maxPicture is the most bytes that a picture on a mesh may have.
const maxPicture = 1 << 28

// Picture returns a picture that an MTL file names.
func Picture(p toml.Variant, name string) (image.Image, error) {
	data, err := PictureFile(p, name)
	if err != nil {
		return nil, err
	}
	size, kind, err := image.DecodeConfig(bytes.NewReader(data))
	if err == nil {
		err = pngfile.CheckSize(size.Width, size.Height)
	}
	var img image.Image
	if err == nil {
		img, _, err = image.Decode(bytes.NewReader(data))
	}
	switch {
	case errors.Is(err, image.ErrFormat):
		return nil, fmt.Errorf("map_Kd %.50q: not a PNG or JPEG file", name)
	case err != nil:
		return nil, fmt.Errorf("map_Kd %.50q: %s: %w", name, kind, err)
	}
	return img, nil
}

// ReadPalette reads the MTL file that the OBJ file at path names.
func ReadPalette(path, name string) ([]byte, error) {
	file := filepath.Join(filepath.Dir(path), filepath.FromSlash(name))
	if err := check(file, maxPalette, fmt.Errorf("%s is not a material file", file)); err != nil {
		return nil, err
	}
	return os.ReadFile(file)
}
