package scenes

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"breakwater/scenes/shipped"
	"breakwater/scenes/toml"
)

// Load reads and checks a scene: a shipped one by its name, any other by the
// path of its file, which ends in .toml.
func Load(nameOrPath string) (*Scene, error) { return loadScene(nameOrPath, false) }

// LoadWith is Load with changes. Whether the machine has enough memory is asked of the changed scene
// alone: a scene that is too large for a machine runs there with fewer particles.
func LoadWith(nameOrPath string, o Overrides) (*Scene, error) {
	if o.empty() {
		return Load(nameOrPath)
	}
	s, err := loadScene(nameOrPath, true)
	if err != nil {
		return nil, err
	}
	if err := s.Override(o); err != nil {
		return nil, ChangeError{err}
	}
	return s, nil
}

// ChangeError is an error of the changes of LoadWith, and not of the scene.
type ChangeError struct{ error }

// Unwrap returns the error.
func (e ChangeError) Unwrap() error { return e.error }

func loadScene(nameOrPath string, draft bool) (*Scene, error) {
	if data, err := shipped.Source(nameOrPath); err == nil {
		s, err := read(&toml.Source{Name: shipped.File(nameOrPath), Data: text(data)}, nameOrPath, nameOrPath, draft)
		if err != nil {
			return nil, err
		}
		s.Path = ""
		return s, nil
	}
	if !strings.HasSuffix(nameOrPath, ".toml") {
		return nil, fmt.Errorf("scenes: no shipped scene is called %q; %s, or the path of a .toml file",
			nameOrPath, toml.Expected(nameOrPath, shipped.Names()))
	}
	data, err := readFile(nameOrPath)
	if err != nil {
		return nil, fmt.Errorf("scenes: %w", err)
	}
	return readText(nameOrPath, data, draft)
}

// Read reads and checks a scene that is the text of a file of the given name.
// The error is of type Faults and holds everything that is wrong.
func Read(name string, data []byte) (*Scene, error) { return readText(name, data, false) }

func readText(name string, data []byte, draft bool) (*Scene, error) {
	return read(&toml.Source{Name: name, Data: text(data)}, name, strings.TrimSuffix(filepath.Base(name), ".toml"), draft)
}

// read reads and checks the scene name in src, which id identifies as parent
// says. Changes follow to a draft.
func read(src *toml.Source, id, name string, draft bool) (*Scene, error) {
	var f toml.Report
	root, whole := tree(src, id, nil, &f)
	if !safeName(name) {
		f.List = append(f.List, toml.Fault{File: src.Name, Text: fmt.Sprintf(
			"the file's name without .toml, %q, names all output; expected at most 64 letters, digits, blanks, ., - and _, with a letter or digit first and no blank or . last, so rename the file", name)})
	}
	s := decodeScene(root, name, id, &f)
	s.check(&f, whole, draft)
	if err := f.Err(); err != nil {
		return nil, err
	}
	return s, nil
}

// sceneName matches the names of scenes: letters and digits of any script,
// blanks, dots, - and _. No system, no shell's flag and no pattern of ffmpeg
// takes one of them for something else.
var sceneName = regexp.MustCompile(`^[\pL\pN][\pL\pM\pN ._-]{0,63}$`)

// safeName reports whether name is the same file name on every system, with all
// that is put behind it: file systems have 255 bytes for a name.
func safeName(name string) bool {
	return sceneName.MatchString(name) && len(name) <= 200 && !strings.HasSuffix(name, " ") && !strings.HasSuffix(name, ".")
}

// text drops the mark that some editors put before UTF-8.
func text(data []byte) string { return strings.TrimPrefix(string(data), "\ufeff") }

// readFile reads a scene file.
func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("not a file")}
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, toml.MaxFile+1))
}

// tree reads src and lays it over what it extends. chain holds the files that
// led here, the first one first. whole is false if anything was not TOML or
// could not be read, so that what seems to be missing may be there.
func tree(src *toml.Source, id string, chain []string, f *toml.Report) (root *toml.Node, whole bool) {
	if len(src.Data) > toml.MaxFile {
		f.At(src, toml.Span{}, "", "the file has more than %d kB; scene files are a page or two of text", toml.MaxFile>>10)
		return &toml.Node{Kind: toml.Table, Src: src}, false
	}
	f.Files = append(f.Files, src)
	root, whole = toml.Parse(src, f)
	chain = append(chain, id)
	e := root.Get("extends")
	switch {
	case e == nil:
		return root, whole
	case e.Kind != toml.String: // reported with the other wrong types
		return root, false
	}
	data, name, id, err := parent(e.Text, id)
	switch {
	case err != nil:
		f.Value(e, "%v", err)
		return root, false
	case slices.Contains(chain, id):
		f.Value(e, "%s extends itself: %s; one of them must not extend another", e.Text, strings.Join(append(chain, id), " extends "))
		return root, false
	}
	under, ok := tree(&toml.Source{Name: name, Data: text(data)}, id, chain, f)
	return language().Overlay(under, root), whole && ok
}

// parent finds the scene that the scene id extends: its text, its name in messages, and
// its id. The id is a path for a file and a bare name for a shipped scene.
func parent(extends, id string) (data []byte, name, parentID string, err error) {
	if !strings.HasSuffix(extends, ".toml") {
		data, err = shipped.Source(extends)
		if err != nil {
			return nil, "", "", fmt.Errorf("no shipped scene is called %q; %s, or the path of a .toml file, relative to the folder of this one",
				extends, toml.Expected(extends, shipped.Names()))
		}
		return data, shipped.File(extends), extends, nil
	}
	path := filepath.FromSlash(extends)
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(id), path)
	}
	if data, err = readFile(path); err != nil {
		return nil, "", "", fmt.Errorf("%w; the path is relative to the folder of this file", err)
	}
	return data, path, filepath.Clean(path), nil
}

// decodeScene lays the tree over the defaults.
func decodeScene(root *toml.Node, name, path string, f *toml.Report) *Scene {
	s := defaults()
	s.Name, s.Path, s.root = name, path, root
	s.liquid()
	s.domainDefaults()
	s.gasDefaults()
	language().Decode(root, s, f)
	s.complete()
	s.Time.complete()
	s.completeDomain()
	s.completeGas()
	if root.Get("camera") == nil {
		s.Camera = nil
	}
	s.readKeyframes(f)
	if root.Get("whitewater") == nil {
		s.Whitewater = nil
	}
	return s
}
