package scenes

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"breakwater/scenes/toml"
	"breakwater/sim/vec"
)

// Columns of the files of keyframes.
var (
	motionColumns = []toml.Column{
		{Name: "time", Unit: "s"},
		{Name: "position_x", Unit: "m"}, {Name: "position_y", Unit: "m"}, {Name: "position_z", Unit: "m"},
		{Name: "angle", Unit: "deg"},
	}
	cameraColumns = []toml.Column{
		{Name: "time", Unit: "s", Most: 1e9},
		{Name: "eye_x", Unit: "m"}, {Name: "eye_y", Unit: "m"}, {Name: "eye_z", Unit: "m"},
		{Name: "target_x", Unit: "m"}, {Name: "target_y", Unit: "m"}, {Name: "target_z", Unit: "m"},
		{Name: "focal", Unit: "mm", Least: 8, Most: 400},
		{Name: "roll", Unit: "deg", Least: -3600, Most: 3600},
	}
)

// maxKeyFile is the most bytes that a file of keyframes may have.
const maxKeyFile = 1 << 24

// keyFile is a file of keyframes, as it was when the scene was read.
type keyFile struct {
	name string // as the scene names it
	data []byte
}

// readKeyframes reads the files of keyframes that walls and the camera name. A wall or a
// camera whose file has faults has no keyframes.
func (s *Scene) readKeyframes(f *toml.Report) {
	for i := range s.Wall {
		m := &s.Wall[i].Motion
		motion := s.Wall[i].Shape.Node.Get("motion")
		at := motion.Get("keyframes")
		if at == nil || at.Bad {
			continue
		}
		if doubled(f, motion, at, "times", "positions", "angles") {
			m.Times, m.Positions, m.Angles = nil, nil, nil
			continue
		}
		t := s.keyTable(at, motionColumns, f)
		if t == nil {
			continue
		}
		m.Times, m.Angles = t["time"], t["angle"]
		if x, y, z := t["position_x"], t["position_y"], t["position_z"]; len(x)+len(y)+len(z) > 0 {
			m.Positions = make([]vec.Vec3, len(m.Times))
			for k := range m.Positions {
				m.Positions[k] = vec.New(valueOf(x, k), valueOf(y, k), valueOf(z, k))
			}
		}
	}
	camera := s.root.Get("camera")
	at := camera.Get("keyframes")
	if s.Camera == nil || at == nil || at.Bad {
		return
	}
	s.keyed = map[string]bool{}
	if doubled(f, camera, at, "key") {
		s.Camera.Keys = nil
		return
	}
	t := s.keyTable(at, cameraColumns, f)
	for _, what := range []string{"eye", "target", "focal", "roll"} {
		s.keyed[what] = t[what] != nil || t[what+"_x"] != nil
	}
	for k, time := range t["time"] {
		s.Camera.Keys = append(s.Camera.Keys, CameraKey{
			Time:   time,
			Eye:    vec.New(valueOf(t["eye_x"], k), valueOf(t["eye_y"], k), valueOf(t["eye_z"], k)),
			Target: vec.New(valueOf(t["target_x"], k), valueOf(t["target_y"], k), valueOf(t["target_z"], k)),
			Focal:  valueOf(t["focal"], k), Roll: valueOf(t["roll"], k),
		})
	}
}

// valueOf returns row k of a column that may be left out, and is 0 then.
func valueOf(column []float64, k int) float64 {
	if column == nil {
		return 0
	}
	return column[k]
}

// doubled reports keyframes that the scene has besides the keyframes of the file at a node.
func doubled(f *toml.Report, table, at *toml.Node, keys ...string) (found bool) {
	for _, key := range keys {
		if n := table.Get(key); n != nil {
			f.Value(n, "the keyframes are in a file too%s; leave out one of them", lineOf(n, at))
			found = true
		}
	}
	return found
}

// keyTable reads the file of keyframes that a node names, nil if it has faults.
func (s *Scene) keyTable(at *toml.Node, columns []toml.Column, f *toml.Report) map[string][]float64 {
	path := filepath.FromSlash(at.Text)
	if !filepath.IsAbs(path) && !at.Src.Flag {
		path = filepath.Join(filepath.Dir(at.Src.Name), path)
	}
	info, err := os.Stat(path)
	if err == nil && (!info.Mode().IsRegular() || info.Size() > maxKeyFile) {
		err = fmt.Errorf("%s is not a file of keyframes, of at most %d MB", path, maxKeyFile>>20)
	} else if err != nil {
		err = fmt.Errorf("%w; the path is relative to the folder of this file", err)
	}
	var data []byte
	if err == nil {
		data, err = os.ReadFile(path)
	}
	if err != nil {
		f.Value(at, "%v", err)
		return nil
	}
	s.keyFiles = append(s.keyFiles, keyFile{at.Text, data})
	src := &toml.Source{Name: path, Data: text(data)}
	t := toml.ReadTable(src, columns, at.Path, f)
	if t == nil {
		return nil
	}
	whole := toml.Span{End: len(strings.TrimRight(firstLine(src.Data), "\r\n"))}
	switch {
	case len(t) < 2:
		f.At(src, whole, at.Path, "there are times without values; add columns such as %s_%s", columns[1].Name, columns[1].Unit)
		return nil
	case len(t["time"]) < 2:
		f.At(src, whole, at.Path, "there is one keyframe or none; expected two or more rows")
		return nil
	}
	// The place of a camera has all coordinates; a motion that lacks one has none along it.
	for _, what := range []string{"eye", "target"} {
		some := false
		var missing []string
		for _, axis := range []string{"_x", "_y", "_z"} {
			if t[what+axis] != nil {
				some = true
			} else {
				missing = append(missing, what+axis+"_m")
			}
		}
		if some && len(missing) > 0 {
			f.At(src, whole, at.Path, "%s lacks a coordinate; add the column %s", what, strings.Join(missing, " and "))
			return nil
		}
	}
	return t
}

// firstLine returns the first line of a text, with its end.
func firstLine(text string) string {
	for line := range strings.Lines(text) {
		return line
	}
	return ""
}
