package run

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"

	"breakwater/out"
	"breakwater/raster"
	"breakwater/scenes"
	"breakwater/scenes/scenery"
	"breakwater/scenes/stage"
	"breakwater/scenes/toml"
	"breakwater/sim/body"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

//go:embed scripts
var scripts embed.FS

// sceneryFolder has the files that scripts load beside the liquid.
const sceneryFolder = "scenery"

// The picture of the surroundings that scripts load, in pixels: finer than the
// smallest lamp of the studio.
const surroundWidth, surroundHeight = 1024, 512

// Script writes a Python script into the folder of a run that opens it in another program
// as it is drawn here. It returns the script's name there and a list of unsupported
// features. It needs the meshes of frames, or for a look that shows them the particles.
func Script(s *scenes.Scene, opt Options, program string) (name string, notices []string, err error) {
	r, err := newRunner(s, opt, func(stage.Event) {})
	if err != nil {
		return "", nil, err
	}
	defer r.dir.Close()
	shot, notices, err := r.staging()
	var lost *lostFile
	if errors.As(err, &lost) && stageOf(lost.name) != "" {
		err = &NotMade{Stage: stageOf(lost.name), Frames: 1, err: lost.err}
	}
	if err != nil {
		return "", nil, err
	}
	data, err := json.Marshal(shot)
	if err != nil {
		return "", nil, err
	}
	var text bytes.Buffer
	fmt.Fprintf(&text, "\"\"\"%s, made by Breakwater %s, as a scene of %s.\n", s.Name, Version, program)
	for _, file := range []string{program + ".py", "common.py", program + "_scene.py"} {
		part, err := scripts.ReadFile("scripts/" + file)
		if err != nil {
			return "", nil, err
		}
		text.Write(bytes.Replace(part, []byte("@SHOT@"), data, 1))
	}
	name = s.Name + "_" + program + ".py"
	return name, notices, r.dir.Write(name, func(w io.Writer) error {
		_, err := w.Write(text.Bytes())
		return err
	})
}

// triple is a vector as JSON has it.
type triple [3]float64

func tripleOf(v vec.Vec3) triple { return triple{v.X, v.Y, v.Z} }

// staging is all that a script knows of a run. Lengths are in metres, y is up,
// and each list of a frame's has an item for each of Frames, or one for all.
type staging struct {
	Name   string  `json:"name"`
	FPS    float64 `json:"fps"`
	Speed  float64 `json:"speed"` // simulated seconds per second of film
	First  int     `json:"first"`
	Last   int     `json:"last"`
	Frames []int   `json:"frames"`  // that are there
	Size   [2]int  `json:"size"`    // of the picture, pixels
	Shut   float64 `json:"shutter"` // as a share of the time of a frame

	Liquid liquidFiles    `json:"liquid"`
	White  *scriptParcels `json:"whitewater"` // nil without
	Gas    *scriptGas     `json:"gas"`        // nil for a liquid, and for a gas that is shown as points
	Solids []solidFile    `json:"solids"`
	Tank   *tankPanes     `json:"tank"`
	Floor  floorPlane     `json:"floor"`
	Camera []cameraPose   `json:"camera"`
	Light  sunAndSky      `json:"light"`
}

// liquidFiles are the files of the liquid, one file per frame.
type liquidFiles struct {
	Folder    string   `json:"folder"`
	Files     []string `json:"files"` // by Frames
	Particles bool     `json:"particles"`
	ZUp       bool     `json:"z_up"`
	Foam      bool     `json:"foam"`   // the files have the share of the surface that foam covers
	Unit      float64  `json:"unit"`   // of the files, m
	Radius    float64  `json:"radius"` // of a particle, m
	Looks     material `json:"material"`
}

type material struct {
	Kind     string  `json:"kind"`
	Index    float64 `json:"ior"`
	Color    triple  `json:"color"`
	Distance float64 `json:"distance"`
	Glow     triple  `json:"glow"`
}

func materialOf(a raster.Appearance) material {
	return material{a.Kind, a.Index, tripleOf(a.Color), a.Distance, tripleOf(a.Glow)}
}

// solidFile is a solid as it stands in its file, and how each frame moves that.
type solidFile struct {
	Name  string   `json:"name"`
	File  string   `json:"file"`
	Looks material `json:"material"`
	Moves []place  `json:"places"` // none if it stays
	// Tint is the transmittance of a pane, linear; nil for all but the panes of a tank.
	Tint *triple `json:"tint"`
	// Walled says that the pane is of the material where it is seen from inside,
	// and of glass from outside.
	Walled bool `json:"walled"`
}

// place is where a point goes: Axes[0]·x + Axes[1]·y + Axes[2]·z + Origin.
type place struct {
	Axes   [3]triple `json:"axes"`
	Origin triple    `json:"origin"`
}

type tankPanes struct {
	Min   triple  `json:"min"` // in the first frame
	Max   triple  `json:"max"`
	Sides [4]bool `json:"sides"` // x−, x+, z−, z+: whether they are there
	Tint  triple  `json:"tint"`
	// Walls is the material of the sides that are seen from inside; nil for panes like
	// the others.
	Walls *material `json:"walls"`
	Moves []triple  `json:"moves"` // none if it stays
}

type floorPlane struct {
	Height float64 `json:"height"`
	Color  triple  `json:"color"`
	Size   float64 `json:"size"` // how far it reaches, m
	Middle triple  `json:"middle"`
}

type cameraPose struct {
	Eye   triple  `json:"eye"`
	Right triple  `json:"right"`
	Up    triple  `json:"up"`
	Back  triple  `json:"back"`
	Focal float64 `json:"focal"`    // mm, for a picture 36 mm wide
	Stop  float64 `json:"aperture"` // 0 keeps all sharp
	Focus float64 `json:"focus"`    // m
}

type sunAndSky struct {
	File   string  `json:"file"` // of the surroundings
	ToSun  triple  `json:"to_sun"`
	Sun    triple  `json:"sun"`    // irradiance on a surface that faces it, linear
	Radius float64 `json:"radius"` // rad
	Sky    triple  `json:"sky"`    // mean of the surroundings
	Gain   float64 `json:"gain"`   // of the picture
}

// staging gathers the data that scripts need, and writes the files of the surroundings.
func (r *runner) staging() (*staging, []string, error) {
	s, b := r.scene, r.built
	f := &staging{
		Name: s.Name, FPS: s.Time.FPS, Speed: s.Time.Speed, First: r.first, Last: r.last, Size: s.Picture.Size, Solids: []solidFile{},
		Shut: s.ScriptShutter(),
	}
	notices, err := r.liquidFiles(f)
	if err != nil {
		return nil, nil, err
	}
	white, more := r.scriptParcels(f.Frames)
	f.White, notices = white, append(notices, more...)
	gas, more := r.scriptGas(f.Frames)
	f.Gas, notices = gas, append(notices, more...)
	if err := r.staged(f); err != nil {
		return nil, nil, err
	}
	camera := &follower{runner: r}
	for _, n := range f.Frames {
		c, err := camera.camera(n)
		if err != nil {
			return nil, nil, err
		}
		right, up, back := c.Axes()
		f.Camera = append(f.Camera, cameraPose{
			tripleOf(c.Eye), tripleOf(right), tripleOf(up), tripleOf(back), c.Focal, c.Aperture, c.Sharpness(),
		})
	}
	f.Camera = onceIfSame(f.Camera)

	toSun, sun, radius := b.Light.Sunlight()
	f.Light = sunAndSky{
		File: r.skyFile().name, ToSun: tripleOf(toSun), Sun: tripleOf(sun), Radius: radius,
		Sky: tripleOf(b.Light.MeanRadiance()), Gain: b.Light.Gain(),
	}
	return f, notices, r.sky()
}

// onceIfSame returns one item if all are the same.
func onceIfSame[T comparable](list []T) []T {
	if len(list) > 1 && !slices.ContainsFunc(list, func(x T) bool { return x != list[0] }) {
		return list[:1]
	}
	return list
}

// liquidFile names the file of the liquid in frame n, and the stage that makes it.
// These are the PLY files for other programs if there are some, which may have quads.
// Otherwise they are the files that the frames are drawn from.
func (r *runner) liquidFile(n int) (product, stage.Name) {
	if r.built.DrawsParticles() {
		return r.particleFiles(n)[0], stage.Sim
	}
	if i := indexOf(r.built.Formats.Mesh, "plymesh"); i >= 0 {
		return r.meshFiles(n)[i], stage.Mesh
	}
	return r.surfaceFile(n), stage.Mesh
}

// liquidFiles finds the files of the liquid.
func (r *runner) liquidFiles(f *staging) (notices []string, err error) {
	f.Liquid.Particles = r.built.DrawsParticles()
	var missing error
	var by stage.Name
	for n := r.first; n <= r.last; n++ {
		var p product
		p, by = r.liquidFile(n)
		if err := r.fresh(p); err != nil {
			missing = err
			continue
		}
		f.Frames = append(f.Frames, n)
		f.Liquid.Files = append(f.Liquid.Files, path.Base(p.name))
		f.Liquid.Folder = path.Dir(p.name)
		f.Liquid.ZUp, f.Liquid.Unit = p.axes.ZUp, p.axes.Length()
		f.Liquid.Foam = path.Dir(p.name) == meshFolder && slices.Contains(r.built.Formats.MeshFoam, scenes.FoamCover)
	}
	if len(f.Frames) == 0 {
		return nil, &NotMade{Stage: by, Frames: r.last - r.first + 1, err: missing}
	}
	if n := r.last - r.first + 1 - len(f.Frames); n > 0 {
		notices = append(notices, fmt.Sprintf("%s of %d to %d have no files; the script shows the frame before each", toml.Count(n, "frame"), r.first, r.last))
	}
	f.Liquid.Radius = r.scene.Liquid.Spacing / 2
	if r.scene.Gas != nil {
		f.Liquid.Radius = r.scene.TracerSpacing() / 2
	}
	f.Liquid.Looks = materialOf(raster.AppearanceOf(r.built.Look))
	return notices, nil
}

// staged writes the solids as files, and the poses of the solids, the tank and the floor
// in each frame.
func (r *runner) staged(f *staging) error {
	b := r.built
	reach := vec.Empty()
	all := append(still(b.Obstacles), b.Moving...)
	for i := range b.Vessels {
		all = slices.Insert(all, len(b.Obstacles)+i, scenery.Piece{Vessel: &b.Vessels[i]})
	}
	var bodies []*body.Body // of f.Solids; nil for solids at rest
	add := func(file solidFile, m *mesh.Mesh, mover *body.Body) error {
		file.File = path.Join(sceneryFolder, r.scene.Name+"_"+file.Name+".obj")
		f.Solids, bodies = append(f.Solids, file), append(bodies, mover)
		reach = reach.Union(m.Bounds())
		return r.writeSolid(file.File, m)
	}
	for i, x := range all {
		if x.Tank != nil {
			continue
		}
		if v := x.Vessel; v != nil {
			if v.Block == nil {
				file, m := vesselPanes(v)
				file.Name = fmt.Sprintf("panes%d", i+1)
				if err := add(file, m, x.Body); err != nil {
					return err
				}
			}
			if x.Solid = edgesOf(v); len(x.Solid.Mesh.Tri) == 0 {
				continue
			}
		}
		name := fmt.Sprintf("solid%d", i+1)
		if k := i - len(all) + len(r.scene.Body); k >= 0 {
			name = r.scene.BodyName(k)
		}
		for k, part := range oneColored(x.Solid) {
			if k > 0 {
				name = fmt.Sprintf("%s_%d", name, k+1)
			}
			if err := add(solidFile{Name: name, Looks: looksOf(part.Material, part.Mesh)}, part.Mesh, x.Body); err != nil {
				return err
			}
		}
	}
	tank := b.Tank
	for _, n := range f.Frames {
		t := r.scene.Time.At(n)
		if len(r.scene.Body) > 0 {
			file, _ := r.liquidFile(n)
			f, err := r.readFrame(file)
			if err != nil {
				return err
			}
			if err := r.placeBodies(f); err != nil {
				return err
			}
		}
		for _, x := range b.Moving {
			x.Body.Move(t)
			if x.Tank == nil {
				continue
			}
			if f.Tank == nil {
				tank = x.Tank
				f.Tank = panes(tank)
			}
			f.Tank.Moves = append(f.Tank.Moves, tripleOf(x.Body.Place(x.Tank.Min).Sub(x.Tank.Min)))
		}
		for k, mover := range bodies {
			if mover != nil {
				f.Solids[k].Moves = append(f.Solids[k].Moves, placeOf(mover))
			}
		}
	}
	if f.Tank == nil && tank != nil {
		f.Tank = panes(tank)
	}
	if tank != nil {
		reach = reach.Union(tank.Box)
	}
	reach = reach.Union(b.Ground)
	f.Floor = floorPlane{b.Floor, tripleOf(r.scene.Picture.Floor.Mean().Vec()), 30 * reach.Size().Len(), tripleOf(reach.Center())}
	return nil
}

// placeOf returns where a body has gone.
func placeOf(b *body.Body) place {
	p := place{Origin: tripleOf(b.Place(vec.Vec3{}))}
	for axis, unit := range [3]vec.Vec3{{X: 1}, {Y: 1}, {Z: 1}} {
		p.Axes[axis] = tripleOf(b.Rotated(unit))
	}
	return p
}

// still returns solids that stay where they are as scenery.
func still(solids []raster.Solid) (list []scenery.Piece) {
	for _, s := range solids {
		list = append(list, scenery.Piece{Mesh: s.Mesh, Solid: s})
	}
	return list
}

// edgesOf returns the edges of a vessel as bars of glass; its block if it has one.
func edgesOf(v *raster.Vessel) raster.Solid {
	if v.Block != nil {
		return *v.Block
	}
	box := vec.Empty()
	for _, e := range v.Edges {
		box = box.Include(e.A).Include(e.B)
	}
	return raster.Solid{Mesh: mesh.Frame(v.Edges, box.Size().Len()/200), Material: raster.Glass.Material()}
}

// vesselPanes returns the panes of a vessel, which face inward, a little outside the
// liquid that lies on them.
func vesselPanes(v *raster.Vessel) (solidFile, *mesh.Mesh) {
	tint := tripleOf(raster.PaneTint())
	file := solidFile{Looks: material{Kind: "gloss", Index: 1, Color: tint}, Tint: &tint}
	if v.Walls != nil {
		file.Looks, file.Walled = looksOf(*v.Walls, v.Panes), true
	}
	size, m := v.Panes.Bounds().Size(), &mesh.Mesh{}
	gap := 1e-3 * max(size.X, size.Y, size.Z)
	for k, p := range v.Panes.Pos {
		m.Pos, m.Nrm = append(m.Pos, p.Add(v.Panes.Nrm[k].Mul(gap))), append(m.Nrm, v.Panes.Nrm[k].Neg())
	}
	for _, t := range v.Panes.Tri {
		m.Tri = append(m.Tri, [3]int32{t[0], t[2], t[1]})
	}
	return file, m
}

// looksOf returns the appearance of a solid of that mesh and material.
func looksOf(m raster.Material, of *mesh.Mesh) material {
	size := of.Bounds().Size()
	return materialOf(m.Appearance(max(size.X, size.Y, size.Z)))
}

func panes(t *raster.Tank) *tankPanes {
	p := &tankPanes{Min: tripleOf(t.Min), Max: tripleOf(t.Max), Tint: tripleOf(raster.PaneTint())}
	for i, open := range t.Open {
		p.Sides[i] = !open
	}
	if t.Walls != nil {
		size := t.Size()
		m := materialOf(t.Walls.Appearance(max(size.X, size.Y, size.Z)))
		p.Walls = &m
	}
	return p
}

// oneColored returns the parts of a solid that have one colour each.
func oneColored(s raster.Solid) []raster.Solid {
	if s.Colors == nil {
		return []raster.Solid{s}
	}
	var parts []raster.Solid
	of := map[vec.Vec3]int{}
	for i, c := range s.Colors {
		k, ok := of[c]
		if !ok {
			k = len(parts)
			of[c] = k
			part := raster.Solid{Mesh: &mesh.Mesh{}, Material: s.Material}
			part.Material.Color = c
			parts = append(parts, part)
		}
		m := parts[k].Mesh
		n := int32(len(m.Pos))
		for _, v := range s.Mesh.Tri[i] {
			m.Pos = append(m.Pos, s.Mesh.Pos[v])
			if s.Mesh.Nrm != nil {
				m.Nrm = append(m.Nrm, s.Mesh.Nrm[v])
			}
		}
		m.Tri = append(m.Tri, [3]int32{n, n + 1, n + 2})
	}
	return parts
}

// writeSolid writes a mesh as OBJ, y up and in metres.
func (r *runner) writeSolid(name string, m *mesh.Mesh) error {
	format, err := out.Formats.New("obj", registry.None)
	if err != nil {
		return err
	}
	return r.dir.Write(name, func(w io.Writer) error {
		return format.Encode(w, &out.Frame{Index: 1, Mesh: m})
	})
}
