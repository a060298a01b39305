package scenes

import (
	"regexp"
	"slices"
	"strconv"

	"breakwater/out"
	"breakwater/sim/registry"
)

// keepDoc describes the values of keep.
const keepDoc = `"all", "none", or for example "every 5th", which keeps frames 1, 6, 11 and so on`

// everyNth is the form of keep other than all and none.
var everyNth = regexp.MustCompile(`^every ([1-9][0-9]{0,5})(st|nd|rd|th)$`)

// KeepStep returns how far apart the frames are that have files: 1 for all, 0
// for none.
func KeepStep(text string) (step int, ok bool) {
	switch text {
	case "", "all":
		return 1, true
	case "none":
		return 0, true
	}
	m := everyNth.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	step, err := strconv.Atoi(m[1])
	return step, err == nil && m[2] == ordinal(step)
}

// ordinal returns the ending of the n-th.
func ordinal(n int) string {
	if n/10%10 != 1 {
		switch n % 10 {
		case 1:
			return "st"
		case 2:
			return "nd"
		case 3:
			return "rd"
		}
	}
	return "th"
}

// Keeps reports whether frame n has files by a setting that was checked.
func Keeps(text string, n int) bool {
	step, _ := KeepStep(text)
	return step > 0 && (n-1)%step == 0
}

// Kept returns how many of the given number of frames keep their files.
func Kept(text string, frames int) int {
	step, _ := KeepStep(text)
	if step == 0 {
		return 0
	}
	return (frames + step - 1) / step
}

// keep checks which frames are to have files.
func (c *checker) keep() {
	w := c.scene.Whitewater
	if w == nil {
		w = &Whitewater{}
	}
	for _, of := range []struct {
		table, text string
		gzip        bool
		formats     []string
	}{
		{"mesh", c.scene.Mesh.Keep, c.scene.Mesh.Gzip, c.scene.Mesh.Formats},
		{"particles", c.scene.Points.Keep, c.scene.Points.Gzip, c.scene.Points.Formats},
		{"volume", c.scene.Volume.Keep, false, nil},
		{"whitewater", w.Keep, w.Gzip, w.Formats},
	} {
		if list := slices.IndexFunc(of.formats, isList); of.gzip && list >= 0 {
			c.Report.Value(c.scene.root.Find(of.table, "gzip"), "%s reads only uncompressed files; remove it from %s.formats, or remove this line", of.formats[list], of.table)
		}
		n := c.scene.root.Find(of.table, "keep")
		if n == nil || n.Broken() {
			continue
		}
		step, ok := KeepStep(of.text)
		if !ok {
			c.Report.Value(n, "%q does not say which frames are kept; expected %s", of.text, keepDoc)
			continue
		}
		if list := slices.IndexFunc(of.formats, isList); step != 1 && list >= 0 {
			c.Report.Value(n, "%s needs the files of all frames; remove it from %s.formats, or keep all", of.formats[list], of.table)
		}
	}
}

// isList reports whether a format is an archive that names files and has
// nothing else in it.
func isList(name string) bool {
	a, err := out.Archives.New(name, registry.None)
	if err != nil {
		return false
	}
	_, ok := a.(out.Lister)
	return ok
}

// Where meshes do not all stay, frames are meshed and drawn a batch at a time. The disk
// then never has the meshes of more than a batch beside the meshes that stay. A batch
// is a share of all frames, and large enough that one is written while the next is
// made.
const (
	batches     = 20
	BatchLowest = 8 // frames
)

// Batch returns how many frames are drawn before more are meshed: all, if their
// meshes stay, or if an archive is made from all frames.
func (s *Scene) Batch() int {
	n := s.Time.Frames()
	if step, _ := KeepStep(s.Mesh.Keep); step == 1 || slices.ContainsFunc(slices.Concat(s.Mesh.Formats, s.Points.Formats, s.whitewaterFormats()), isArchive) {
		return n
	}
	return min(n, max(BatchLowest, (n+batches-1)/batches))
}
