package drawer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
	"strconv"
	"strings"

	"breakwater/out/film"
	"breakwater/out/store"
	"breakwater/scenes"
	"breakwater/scenes/stage"
	"breakwater/sim/vec"
)

// looks are the looks that draw voxels.
var looks = []string{"smoke", "fire"}

// backdrop is the scene of pictures that name no other. What its gas consists of is never
// seen.
const backdrop = `
[gas]
cell = 1
[[smoke]]
kind = "box"
min = [0, 0, 0]
max = [1, 1, 1]
[time]
fps = 24
[look]
kind = "smoke"
`

// foreignExtinction is the extinction in 1/m of smoke with a density of 1 in files of other
// programs. In these a density of 1 is usual smoke, and in Breakwater's it fills the space.
const foreignExtinction = 10

// tables are the tables of a scene on which pictures of files depend.
var tables = []string{"time", "picture", "camera", "light", "look", "overlay", "video"}

// setScene makes the scene of the pictures. The box is shown, unless the user's own scene
// shows another.
func (r *runner) setScene(shown vec.Box, surveyed bool) error {
	o := r.opt.Overrides
	for _, text := range o.Set {
		table, _, _ := strings.Cut(text, ".")
		if !slices.Contains(tables, strings.TrimSpace(table)) {
			return usage("--set %s: volume files have only keys of the tables %s", text, strings.Join(tables, ", "))
		}
	}
	s, err := r.load()
	if err != nil {
		return UsageError{err}
	}
	switch {
	case r.opt.Scene == "":
		if r.opt.Floor != nil {
			shown.Min.Y = *r.opt.Floor
			shown.Max.Y = max(shown.Max.Y, shown.Min.Y+float64(1e-3*shown.Size().Len()))
		}
		s.Shown = &shown
	case r.opt.Floor != nil:
		return usage("--floor and --scene: the scene has a floor of its own; give only one of them")
	}
	var set []string
	if r.opt.Scene == "" && surveyed {
		if slices.ContainsFunc(r.surveys, func(v survey) bool { return v.flame > 0 }) {
			set = append(set, "look.kind=fire")
		}
		if !strings.HasPrefix(r.surveys[0].creator, "Breakwater") {
			set = append(set, fmt.Sprintf("look.extinction=%d", foreignExtinction))
		}
	}
	o.Set = append(set, o.Set...)
	if err := s.Override(o); err != nil {
		return UsageError{err}
	}
	// The film is as long as there are files.
	length := strconv.FormatFloat(float64(len(r.inputs))/s.Time.FPS, 'g', -1, 64)
	if err := s.Override(scenes.Overrides{Set: []string{"time.duration=" + length}}); err != nil {
		return UsageError{err}
	}
	if !slices.Contains(looks, s.Look.Kind) {
		return usage("the look %q does not draw volumes; expected one of %s, such as --set look.kind=smoke", s.Look.Kind, strings.Join(looks, ", "))
	}
	if s.Camera != nil && s.Camera.Follow != "" {
		return usage("camera.follow needs the particles of a scene; use keys of the camera, or an orbit")
	}
	s.Name = r.name
	b, err := s.Build()
	if err != nil {
		return UsageError{err}
	}
	r.scene, r.built = s, b
	return nil
}

func (r *runner) load() (*scenes.Scene, error) {
	if r.opt.Scene != "" {
		return scenes.Load(r.opt.Scene)
	}
	return scenes.Read("volumes.toml", []byte(backdrop))
}

// settle decides what follows from all files: what is shown, on which voxels, and the scale
// of the temperatures.
func (r *runner) settle() error {
	shown := vec.Empty()
	hot, heated, flames := 0.0, false, false
	for _, v := range r.surveys {
		shown = shown.Union(v.shown)
		hot, heated, flames = max(hot, v.hot), heated || v.heated, flames || v.flame > 0
	}
	if shown.IsEmpty() {
		return errors.New("no file has smoke or flames with values above 0")
	}
	if err := r.setScene(shown, true); err != nil {
		return err
	}
	first := r.surveys[0]
	r.lattice = lattice{edge: cmp.Or(r.opt.Voxel, first.edge)}
	for _, v := range r.surveys {
		if r.opt.Voxel == 0 && !v.shown.IsEmpty() {
			r.lattice = lattice{v.edge, vec.New(math.Mod(v.origin.X, v.edge), math.Mod(v.origin.Y, v.edge), math.Mod(v.origin.Z, v.edge))}
			break
		}
	}
	r.scale = r.opt.Scale
	if r.scale.Cold == 0 && r.scale.Hot == 0 {
		if r.scale.Cold, r.scale.Hot = 0, 1; !heated || hot < leastKelvin {
			r.scale.Cold, r.scale.Hot = ambient, flameKelvin
		}
		if s := r.scene.Look.Kind; s == "fire" && (heated || flames) {
			r.say("%s; --temperature sets this", r.temperatures(heated))
		}
	}
	if r.scale.Velocity == 0 && first.scaled {
		r.say("the velocities of Blender's fluids have an unknown scale: motion is not blurred; --velocity sets the scale")
	} else if r.scale.Velocity == 0 {
		r.scale.Velocity = 1
	}
	up := map[bool]string{true: "z", false: "y"}[first.zUp]
	size := shown.Size()
	r.say("%s up, %s high, %s × %s wide, voxels of %s; --up and --unit set the axis and the unit", up, meters(size.Y), meters(size.X), meters(size.Z), meters(r.lattice.edge))
	return r.setKeys()
}

const (
	ambient     = 293  // K
	flameKelvin = 1900 // of a value of 1, where values are not in K: the temperature of a usual flame
	leastKelvin = 200  // a grid with larger values has them in K
)

// temperatures says how temperatures are read.
func (r *runner) temperatures(heated bool) string {
	switch {
	case !heated:
		return fmt.Sprintf("the files have no temperatures: flames of the value 1 have %g K", r.scale.Hot)
	case r.scale.Hot == 1:
		return "the temperatures are taken as kelvin"
	}
	return fmt.Sprintf("the temperatures are taken as %g K for the value 0 and %g K for 1", r.scale.Cold, r.scale.Hot)
}

func meters(x float64) string { return strconv.FormatFloat(x, 'g', 3, 64) + " m" }

// setKeys makes the fingerprints of the pictures.
func (r *runner) setKeys() error {
	keys, err := scenes.NewKeys(r.scene, r.built)
	if err != nil {
		return err
	}
	var of stage.Recipe
	of.Add("edge", r.lattice.edge)
	of.Add("origin", r.lattice.origin)
	of.Line("scale", fmt.Sprintf("%g %g %g %g %g", r.scale.Density, r.scale.Flame, r.scale.Cold, r.scale.Hot, r.scale.Velocity))
	of.Add("unit", r.opt.Unit)
	of.Add("tank", r.built.Tank != nil)
	for _, name := range quantityNames() {
		of.Add(name, r.opt.Grids[name])
	}
	made := of.Sum()
	r.keys = make([]string, len(r.inputs))
	for i := range r.inputs {
		k := stage.After(stage.After(keys.Pictures[i+1], "file", r.surveys[i].sum), "volume", made)
		r.keys[i] = stage.After(k, "up", fmt.Sprint(r.surveys[i].zUp))
	}
	return nil
}

// picture draws picture i.
func (r *runner) picture(i int) (image.Image, error) {
	s, err := r.open(r.inputs[i].Path)
	if err != nil {
		return nil, err
	}
	defer s.close()
	view := r.scene.View(r.built)
	g := &gas{scale: r.scale, ambient: r.scene.Gas.Temperature}
	if r.scale.Velocity != 0 {
		g.shutter = view.Shutter
	}
	for k, to := range []**sampler{&g.density, &g.flame, &g.temperature, &g.fuel, &g.velocity} {
		if *to, err = s.sampler(quantities[k].name); err != nil {
			return nil, err
		}
	}
	if view.Volume, err = g.volume(r.lattice); err != nil {
		return nil, err
	}
	t := r.scene.Time.At(i + 1)
	view.Camera = r.built.CameraAt(r.scene.Time.Film(i + 1))
	view.Tank, view.Vessels, view.Solids = r.built.During(t, view.Shutter)
	picture, err := view.Look.Draw(&view)
	if err != nil {
		return nil, err
	}
	return picture, r.scene.Overlay.Draw(picture, view.Frame(), t)
}

// films makes the films of the pictures, in each format of the scene.
func (r *runner) films(ctx context.Context) error {
	n := len(r.inputs)
	if n < 2 {
		return nil
	}
	for _, movie := range r.built.Formats.Movies {
		name := r.name + "." + movie.As.Ext()
		var of stage.Recipe
		of.Line("format", movie.Name)
		of.Add("fps", r.scene.Time.FPS)
		of.Add("video", r.scene.Video)
		of.Add("pictures", r.keys)
		mark := of.Sum()
		w := &stage.Whole{
			Dir: r.dir, Name: name, Event: stage.Event{Stage: stage.Film, What: name, Frames: n}, First: 1,
			Time: func(i int) float64 { return r.scene.Time.At(i + 1) }, Report: r.report,
		}
		if !r.opt.Force && r.dir.Fresh(name, movie.As, mark) == nil {
			w.Keep()
			continue
		}
		size := r.scene.Picture.Size
		info := film.Info{
			Width: size[0], Height: size[1], FPS: r.scene.Time.FPS, Frames: n, Fingerprint: mark,
			Encoder: r.scene.Video.Encoder, CRF: r.scene.Video.CRF,
		}
		err := w.Write(ctx, func(f *store.File, read func(i int)) error {
			return movie.As.Encode(ctx, f, info, func(i int) (image.Image, error) {
				picture, err := r.readPicture(i)
				if err != nil {
					return nil, err
				}
				read(i)
				return picture.Image, nil
			})
		})
		if err != nil {
			return err
		}
	}
	return nil
}
