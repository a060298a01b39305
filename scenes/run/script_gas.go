package run

import (
	"fmt"
	"path"
	"slices"

	"breakwater/raster"
	"breakwater/scenes/toml"
	"breakwater/sim/vec"
)

// scriptGas is a gas as volumes, one file per frame, and how it looks.
type scriptGas struct {
	scriptCloud
	Folder   string `json:"folder"`
	Velocity string `json:"velocity"` // name of the grid of velocities, "" without

	Extinction float64 `json:"extinction"` // of gas that is all smoke, 1/m
	Soot       float64 `json:"soot"`       // likewise of flames
	Albedo     triple  `json:"albedo"`
	Anisotropy float64 `json:"anisotropy"`
	Blue       triple  `json:"blue"` // radiance that a metre of burning fuel emits

	// Glow is the radiance of thick soot at even steps between two temperatures of the grid
	// in K; nil without light.
	Glow   []triple   `json:"glow"`
	Kelvin [2]float64 `json:"kelvin"`
}

// The temperatures in K between which scripts have the light of soot, as the look shows
// them, and their number, which is the most that Blender's ramps take.
const (
	scriptCold, scriptHot = 700, 3000
	scriptKelvins         = 32
)

// scriptGas finds the volumes of the gas in the frames that a script shows. It returns nil for a
// liquid and for a run without them.
func (r *runner) scriptGas(frames []int) (g *scriptGas, notices []string) {
	s := r.scene
	if s.Gas == nil {
		return nil, nil
	}
	at := indexOf(r.built.Formats.Volume, "vdb")
	if at < 0 || !slices.Contains(s.Volume.Grids, "density") {
		return nil, []string{`the gas is shown as points: for a volume add formats = ["vdb"] under [volume], with the grid "density", and run the scene again`}
	}
	missing := r.last - r.first + 1 - len(frames)
	for _, n := range frames {
		if r.fresh(r.volumeFiles(n)[at]) != nil {
			missing++
		}
	}
	if missing > 0 { // a sequence has all its files
		return nil, []string{fmt.Sprintf("the gas is shown as points: %s of %d to %d have no volume files; run the scene again with keep = \"all\" under [volume]", toml.Count(missing, "frame"), r.first, r.last)}
	}
	file := r.volumeFiles(r.first)[at]
	m := raster.MediumOf(r.built.Look, s.Flame != nil)
	g = &scriptGas{
		scriptCloud: scriptCloud{First: path.Base(file.name), Frames: r.last - r.first + 1, Grids: s.Volume.Grids, ZUp: file.axes.ZUp, Unit: file.axes.Length()},
		Folder:      volumeFolder,
		Extinction:  m.Extinction, Soot: m.Soot, Albedo: tripleOf(m.Albedo), Anisotropy: m.Anisotropy, Blue: tripleOf(m.Blue),
	}
	for _, name := range []string{"velocity", "vel"} {
		if g.Velocity == "" && slices.Contains(s.Volume.Grids, name) {
			g.Velocity = name
		}
	}
	if m.Radiance == nil || !slices.Contains(s.Volume.Grids, "temperature") {
		return g, nil
	}
	ambient := s.Gas.Temperature
	for k, kelvin := range [2]float64{scriptCold, scriptHot} {
		g.Kelvin[k] = ambient + (kelvin-ambient)/m.Stretch
	}
	for k := range scriptKelvins {
		c := m.Radiance(scriptCold + float64(float64(k)/(scriptKelvins-1)*(scriptHot-scriptCold)))
		g.Glow = append(g.Glow, tripleOf(vec.New(c[0], c[1], c[2])))
	}
	return g, nil
}
