// Package shipped has the scenes that come with the program.
package shipped

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"breakwater/scenes/toml"
)

// Each shipped scene is a file that begins with a comment: one line that says
// what it is, then, where it follows a publication, a line "Cite: ...".
//
// Meshes that they need lie beside them; TestShippedMeshes makes them.
//
//go:embed *.toml *.obj
var files embed.FS

// Scene describes a scene that comes with the program.
type Scene struct {
	Name string // for Load and Source
	Doc  string // one line
	Cite string // author and year of the experiment it follows, "" if it is our own
}

// Scenes returns the shipped scenes by name.
func Scenes() []Scene {
	names := Names()
	list := make([]Scene, len(names))
	for i, name := range names {
		list[i] = Scene{Name: name}
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
	data, err := files.ReadFile(name + ".toml")
	if err != nil {
		return nil, fmt.Errorf("scenes: no shipped scene is called %q; %s", name, toml.Expected(name, Names()))
	}
	return data, nil
}

// File returns what messages call the file of a shipped scene.
func File(name string) string { return name + ".toml (shipped)" }

// Names returns the names of the scenes, sorted.
func Names() []string {
	names := named("*.toml")
	for i, name := range names {
		names[i] = strings.TrimSuffix(name, ".toml")
	}
	slices.Sort(names)
	return names
}

// Mesh returns the file of a mesh.
func Mesh(name string) ([]byte, error) {
	data, err := files.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("no shipped mesh is called %q; %s", name, toml.Expected(name, Meshes()))
	}
	return data, nil
}

// Meshes returns the names of the files of meshes.
func Meshes() []string { return named("*.obj") }

func named(pattern string) []string {
	list, err := fs.Glob(files, pattern)
	if err != nil {
		panic(fmt.Sprintf("scenes: %v", err))
	}
	return list
}
