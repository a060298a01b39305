package run

import (
	"slices"
	"strconv"
	"strings"

	"breakwater/out"
	"breakwater/scenes"
	"breakwater/scenes/stage"
	"breakwater/sim/registry"
)

// The versions of products that are made from the scene's products; see scenes.Keys.
const (
	filmVersion   = 5
	exportVersion = 7
	pointVersion  = 1
	volumeVersion = 3
	parcelVersion = 2

	attributeVersion = 2
)

// fingerprints are the fingerprints of all that a run makes.
type fingerprints struct {
	*scenes.Keys
	scene *scenes.Scene
	built *scenes.Built
}

// mesh returns the fingerprint of frame n's mesh file in a format.
func (k *fingerprints) mesh(n int, format string, file product) string {
	if !file.axes.Ours() {
		format += ", " + file.axes.String()
	}
	if _, has := file.format.(out.Quaded); has && k.scene.Mesh.Quads {
		format += ", quads"
	}
	before := stage.After(k.Meshes[n], "version", strconv.Itoa(exportVersion))
	if out.NeedsLibrary(file.format.(out.PerFrame)) {
		before = stage.After(before, "materials", k.built.MaterialKey(false))
	}
	if file.format.(out.PerFrame).Needs()&out.NeedsMaterials != 0 {
		before = stage.After(before, "materials", k.built.MaterialKey(true))
	}
	for i := range k.scene.Body {
		before = stage.After(before, "body", k.scene.BodyName(i))
	}
	if list := k.scene.Mesh.Attributes; len(list) > 0 && file.format.(out.PerFrame).Needs()&out.NeedsFields != 0 {
		before = stage.After(before, "attributes", attributeKey(list))
		if slices.Contains(list, scenes.FoamCover) || slices.Contains(list, scenes.FoamDepth) {
			before = stage.After(before, "foam", k.Parcels[n])
		}
	}
	return stage.After(before, "format", format)
}

// materials returns the fingerprint of the file of materials.
func (k *fingerprints) materials() string {
	var r stage.Recipe
	r.Add("version", exportVersion)
	r.Line("materials", k.built.MaterialKey(true))
	return r.Sum()
}

// sky returns the fingerprint of the picture of the surroundings.
func (k *fingerprints) sky() string {
	return stage.After(k.Light, "version", strconv.Itoa(exportVersion))
}

// points returns the fingerprint of frame n's particle file in a format.
func (k *fingerprints) points(n int, format string, axes out.Axes) string {
	var r stage.Recipe
	r.Add("version", pointVersion)
	r.Line("from", k.Particles[n])
	r.Line("format", format)
	r.Line("axes", axes.String())
	r.Line("attributes", attributeKey(k.scene.Points.Attributes))
	return r.Sum()
}

// volume returns the fingerprint of frame n's volume file in a format.
func (k *fingerprints) volume(n int, format string, axes out.Axes) string {
	v := &k.scene.Volume
	var r stage.Recipe
	r.Add("version", volumeVersion)
	r.Line("from", k.Particles[n])
	if v.HasSurface() {
		r.Line("mesh", k.Meshes[n])
	}
	r.Line("format", format)
	r.Line("axes", axes.String())
	r.Line("grids", strings.Join(v.Grids, " "))
	r.Line("voxel", registry.Number(v.Voxel))
	return r.Sum()
}

// parcels returns the fingerprint of frame n's file of whitewater in a format.
func (k *fingerprints) parcels(n int, format string, needs out.Part, axes out.Axes) string {
	var r stage.Recipe
	r.Add("version", parcelVersion)
	r.Line("from", k.Parcels[n])
	r.Line("format", format)
	r.Line("axes", axes.String())
	if needs&out.NeedsVolume != 0 {
		r.Line("grids", strings.Join(k.scene.Whitewater.Volumes, " "))
		r.Line("voxel", registry.Number(k.scene.Volume.Voxel*k.scene.Liquid.Spacing))
	} else {
		k.expand(&r)
	}
	return r.Sum()
}

// attributeKey stands for a list of attributes.
func attributeKey(list []string) string {
	return strings.Join(list, " ") + " " + strconv.Itoa(attributeVersion)
}

// archive returns the fingerprint of an archive of frames first … last.
func (k *fingerprints) archive(format string, a archive, first, last int) string {
	var r stage.Recipe
	r.Add("version", exportVersion)
	r.Line("format", format)
	r.Line("fps", registry.Number(k.scene.Time.FPS))
	r.Line("speed", registry.Number(k.scene.Time.Speed))
	r.Line("axes", a.axes.String())
	for n := first; n <= last; n++ {
		r.Line(strconv.Itoa(n), a.from(n).fingerprint)
	}
	if a.staged() {
		r.Line("materials", k.built.MaterialKey(true))
		r.Line("shot", k.Shot(k.scene, k.built, first, last))
	}
	switch a.of {
	case ofMeshes:
		for i := range k.scene.Body {
			r.Line("body", k.scene.BodyName(i))
		}
	case ofParticles:
		r.Line("attributes", attributeKey(k.scene.Points.Attributes))
	case ofParcels:
		k.expand(&r)
	}
	return r.Sum()
}

// expand adds the number of points of a parcel, if there are several.
func (k *fingerprints) expand(r *stage.Recipe) {
	if w := k.scene.Whitewater; w != nil && w.Expand > 1 {
		r.Line("expand", strconv.Itoa(w.Expand))
	}
}

// film returns the fingerprint of the film of frames first … last in a
// format.
func (k *fingerprints) film(first, last int, format string) string {
	var r stage.Recipe
	r.Add("version", filmVersion)
	r.Line("format", format)
	r.Line("fps", registry.Number(k.scene.Time.FPS))
	switch format {
	case "mp4":
		r.Line("encoder", k.scene.Video.Encoder)
		r.Line("crf", strconv.Itoa(k.scene.Video.CRF))
	case "mov", "mkv":
		r.Line("crf", strconv.Itoa(k.scene.Video.CRF))
	}
	for n := first; n <= last; n++ {
		r.Line(strconv.Itoa(n), k.Pictures[n])
	}
	return r.Sum()
}
