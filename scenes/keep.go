package scenes

import (
	"regexp"
	"slices"
	"strconv"

	"breakwater/out"
	"breakwater/sim/registry"
)

// keepDoc tells of a table's files which frames have any.
const keepDoc = `"all", "none", or for example "every 5th", which keeps frames 1, 6, 11 and so on`

// everyNth is what keep may be but all and none.
var everyNth = regexp.MustCompile(`^every ([1-9][0-9]{0,5})(st|nd|rd|th)$`)

// keepStep returns how far apart the frames are that have files: 1 for all, 0
// for none.
func keepStep(text string) (step int, ok bool) {
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

// keeps reports whether frame n has files by a setting that was checked.
func keeps(text string, n int) bool {
	step, _ := keepStep(text)
	return step > 0 && (n-1)%step == 0
}

// kept returns how many of so many frames have files.
func kept(text string, frames int) int {
	step, _ := keepStep(text)
	if step == 0 {
		return 0
	}
	return (frames + step - 1) / step
}

// keep checks which frames are to have files.
func (c *checker) keep() {
	for _, of := range []struct {
		table, text string
		gzip        bool
		formats     []string
	}{
		{"mesh", c.scene.Mesh.Keep, c.scene.Mesh.Gzip, c.scene.Mesh.Formats},
		{"particles", c.scene.Points.Keep, c.scene.Points.Gzip, c.scene.Points.Formats},
		{"volume", c.scene.Volume.Keep, false, nil},
	} {
		if list := slices.IndexFunc(of.formats, isList); of.gzip && list >= 0 {
			c.Report.Value(c.scene.root.Find(of.table, "gzip"), "%s reads only uncompressed files; remove it from %s.formats, or remove this line", of.formats[list], of.table)
		}
		n := c.scene.root.Find(of.table, "keep")
		if n == nil || n.Broken() {
			continue
		}
		step, ok := keepStep(of.text)
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
	if !isArchive(name) {
		return false
	}
	a, err := out.Archives.New(name, registry.None)
	if err != nil {
		return false
	}
	_, ok := a.(out.Lister)
	return ok
}

// spent reports whether the mesh of frame n has served and is not to be kept:
// the picture is drawn from it, and volumes and archives are made.
func (r *runner) spent(n int) bool {
	return !keeps(r.scene.Mesh.Keep, n) && r.fresh(r.pictureFiles(n)...) == nil && r.fresh(r.exportFiles(n)...) == nil
}

// dropSpent removes the mesh files of frame n if they have served.
func (r *runner) dropSpent(n int) error {
	if keeps(r.scene.Mesh.Keep, n) || !r.spent(n) {
		return nil
	}
	for _, f := range r.meshFiles(n) {
		if !r.isOurs(f) {
			continue
		}
		if err := r.dir.Remove(f.name); err != nil {
			return err
		}
	}
	return nil
}
