package scenes

import (
	"bytes"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"breakwater/scenes/meshfile"
	"breakwater/scenes/toml"
)

// Freeze writes the scene as it is, with all changes, as files that need no others: NAME.toml,
// which extends no scene, and copies of the meshes, materials, keyframes and pictures that it names. It
// returns the name of the scene's file. Names have slashes. A scene that is read from these
// files has the same fingerprints. As these depend on the names of files, the copies lie at the same
// places relative to the scene; files that are named by absolute paths are not copied.
func (s *Scene) Freeze(write func(name string, data []byte) error) (file string, err error) {
	z := freezer{}
	var add error
	named := func(p toml.Variant) {
		if at, source := meshfile.Node(p); add == nil && source != "" && !strings.HasPrefix(source, meshfile.Shipped) {
			add = z.mesh(at.Text, source)
		}
	}
	for i := range s.Fluid {
		named(s.Fluid[i].Shape)
		if at, source := meshfile.Node(s.Fluid[i].Field); add == nil && source != "" && !strings.HasPrefix(source, meshfile.Shipped) {
			var data []byte
			if data, add = meshfile.Data(source); add == nil {
				add = z.add(filepath.ToSlash(at.Text), data)
			}
		}
	}
	for i := range s.Wall {
		named(s.Wall[i].Shape)
	}
	for i := range s.Body {
		named(s.Body[i].Shape)
	}
	for _, k := range s.keyFiles {
		if add == nil {
			add = z.add(filepath.ToSlash(k.name), k.data)
		}
	}
	data, err := s.environment()
	if add == nil && err == nil && data != nil {
		add = z.add(filepath.ToSlash(s.Light.Environment), data)
	}
	for _, err := range []error{add, err} {
		if err != nil {
			return "", fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	root := *s.root
	root.Items = slices.DeleteFunc(slices.Clone(root.Items), func(n *toml.Node) bool { return n.Key == "extends" })
	if err := z.add(s.Name+".toml", []byte(toml.Write(&root))); err != nil {
		return "", err
	}
	up := 0 // folders that names leave
	for name := range z {
		up = max(up, strings.Count(name, "../"))
	}
	folder := strings.Repeat("folder/", up)
	for _, name := range slices.Sorted(maps.Keys(z)) {
		if err := write(path.Join(folder, name), z[name]); err != nil {
			return "", err
		}
	}
	return path.Join(folder, s.Name+".toml"), nil
}

// freezer has the contents of a scene's files by their names relative to the scene.
type freezer map[string][]byte

// add adds a file. One that is named by an absolute path is left where it is.
func (z freezer) add(name string, data []byte) error {
	if path.IsAbs(name) || filepath.IsAbs(filepath.FromSlash(name)) {
		return nil
	}
	name = path.Clean(name)
	if old, ok := z[name]; ok && !bytes.Equal(old, data) {
		return fmt.Errorf("two files are named %s, relative to two scenes; rename one of them", name)
	}
	z[name] = data
	return nil
}

// mesh adds the mesh of the given name, which is read from source, with its materials and their pictures.
func (z freezer) mesh(name, source string) error {
	data, err := meshfile.Data(source)
	if err != nil {
		return err
	}
	name = filepath.ToSlash(name)
	if err := z.add(name, data); err != nil || !strings.EqualFold(filepath.Ext(source), ".obj") {
		return err
	}
	// Materials and pictures are named relative to the folder of the mesh. The scene was
	// checked, so what cannot be read is not drawn.
	beside := func(other string, data []byte) error {
		if path.IsAbs(name) {
			return nil
		}
		return z.add(path.Join(path.Dir(name), other), data)
	}
	for _, library := range namesAfter(data, "mtllib") {
		text, err := meshfile.ReadPalette(source, library)
		if err != nil {
			continue
		}
		if err := beside(library, text); err != nil {
			return err
		}
		for _, picture := range namesAfter(text, "map_Kd") {
			if data, err := meshfile.ReadPicture(source, picture); err == nil {
				if err := beside(strings.ReplaceAll(picture, `\`, "/"), data); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// namesAfter returns what follows a keyword in the lines of an OBJ or MTL file.
func namesAfter(data []byte, keyword string) (names []string) {
	for line := range bytes.Lines(data) {
		rest, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte(keyword))
		if name := bytes.TrimSpace(rest); ok && len(name) > 0 && len(name) < len(rest) && !slices.Contains(names, string(name)) {
			names = append(names, string(name))
		}
	}
	return names
}
