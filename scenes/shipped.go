package scenes

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"breakwater/scenes/toml"
)

// Each shipped scene is a file that begins with a comment: one line that says
// what it is, then, where it follows a publication, a line "Cite: ...".
//
// Meshes that they need lie beside them; shipped_mesh_test.go makes them.
//
//go:embed shipped/*.toml shipped/*.obj
var shipped embed.FS

// ShippedScene describes a scene that comes with the program.
type ShippedScene struct {
	Name string // for Load and Source
	Doc  string // one line
	Cite string // author and year of the experiment it follows, "" if it is our own
}

// Shipped returns the shipped scenes by name.
func Shipped() []ShippedScene {
	names := shippedNames()
	list := make([]ShippedScene, len(names))
	for i, name := range names {
		list[i] = ShippedScene{Name: name}
		data, err := Source(name)
		if err != nil {
			panic(err)
		}
		for j, line := range strings.Split(string(data), "\n") {
			line, comment := strings.CutPrefix(line, "# ")
			if !comment {
				break
			}
			if cite, ok := strings.CutPrefix(line, "Cite: "); ok {
				list[i].Cite = cite
			} else if j == 0 {
				list[i].Doc = line
			}
		}
	}
	return list
}

// Source returns the file of a shipped scene.
func Source(name string) ([]byte, error) {
	data, err := shipped.ReadFile("shipped/" + name + ".toml")
	if err != nil {
		return nil, fmt.Errorf("scenes: no shipped scene is called %q; %s", name, toml.Expected(name, shippedNames()))
	}
	return data, nil
}

// shippedFile returns what messages call the file of a shipped scene.
func shippedFile(name string) string { return name + ".toml (shipped)" }

func shippedNames() []string {
	names := shippedFiles("*.toml")
	for i, name := range names {
		names[i] = strings.TrimSuffix(name, ".toml")
	}
	slices.Sort(names)
	return names
}

func shippedMeshes() []string { return shippedFiles("*.obj") }

func shippedFiles(pattern string) []string {
	files, err := fs.Glob(shipped, "shipped/"+pattern)
	if err != nil {
		panic(fmt.Sprintf("scenes: %v", err))
	}
	for i, f := range files {
		files[i] = path.Base(f)
	}
	return files
}
