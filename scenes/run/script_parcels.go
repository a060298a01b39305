package run

import (
	"fmt"
	"path"
	"slices"

	"breakwater/scenes/toml"
)

// scriptParcels are the files of whitewater that scripts read, one file per frame.
type scriptParcels struct {
	Folder  string       `json:"folder"`
	Files   []string     `json:"files"` // by the frames of the staging, "" for none; nil without points
	ZUp     bool         `json:"z_up"`
	Unit    float64      `json:"unit"`    // of the files, m
	Volumes *scriptCloud `json:"volumes"` // nil without
}

// scriptCloud is a sequence of volume files.
type scriptCloud struct {
	First  string   `json:"first"` // file of the first frame
	Frames int      `json:"frames"`
	Grids  []string `json:"grids"`
	ZUp    bool     `json:"z_up"`
	Unit   float64  `json:"unit"`
}

// scriptPoints are the formats of points that scripts read, the most compact first.
var scriptPoints = []string{"ply", "npz", "vtp", "csv"}

// scriptParcels finds the files of the whitewater of the frames that a script shows. It
// returns nil for a run without any.
func (r *runner) scriptParcels(frames []int) (p *scriptParcels, notices []string) {
	if r.scene.Whitewater == nil {
		return nil, nil
	}
	formats := r.built.Formats.Parcels
	p = &scriptParcels{Folder: whitewaterFolder}
	missing := 0
	for _, name := range scriptPoints {
		at := indexOf(formats, name)
		if at < 0 {
			continue
		}
		for _, n := range frames {
			file := r.parcelFiles(n)[at]
			base := path.Base(file.name)
			if r.fresh(file) != nil {
				base = ""
				missing++
			}
			p.Files, p.ZUp, p.Unit = append(p.Files, base), file.axes.ZUp, file.axes.Length()
		}
		break
	}
	if at := indexOf(formats, "vdb"); at >= 0 {
		if file := r.parcelFiles(frames[0])[at]; r.fresh(file) == nil {
			p.Volumes = &scriptCloud{
				First: path.Base(file.name), Frames: r.last - r.first + 1, Grids: slices.Clone(r.scene.Whitewater.Volumes),
				ZUp: file.axes.ZUp, Unit: file.axes.Length(),
			}
		}
	}
	switch {
	case p.Files == nil:
		notices = append(notices, `the spray, foam and bubbles are not shown: add formats = ["ply"] under [whitewater], and run the scene again`)
	case missing > 0:
		notices = append(notices, fmt.Sprintf("%s of %d to %d have no files of whitewater, and show none", toml.Count(missing, "frame"), r.first, r.last))
	}
	if p.Files == nil && p.Volumes == nil {
		p = nil
	}
	return p, notices
}
