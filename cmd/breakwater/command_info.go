package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"breakwater/out"
	"breakwater/out/film"
	"breakwater/out/particles"
	"breakwater/out/store"
	"breakwater/scenes/mesher"
	"breakwater/scenes/run"
	"breakwater/scenes/stage"
	"breakwater/sim/num"
	"breakwater/sim/particle"
	"breakwater/sim/vec"
)

type infoCommand struct {
	File  string `arg:"" help:"Folder of a run; or a file that Breakwater has made: particles, a mesh, a picture, a film, an archive or a manifest, plain or gzipped; or a particle file or an OpenVDB file of another program."`
	JSON  bool   `name:"json" help:"Print the description of a mesh as JSON, with all its pieces."`
	Check bool   `help:"Fail if a mesh is not closed, manifold and oriented, or if it has inner cavities or protruding triangles."`
}

func (c *infoCommand) Run(con *console) error {
	f, info, err := store.OpenRegular(c.File)
	switch {
	case info != nil && info.IsDir():
	case err != nil:
		return fmt.Errorf("%s: %w", c.File, err)
	default:
		defer f.Close()
	}
	w := tabwriter.NewWriter(con.stdout, 0, 0, 2, ' ', 0)
	if f == nil {
		err = c.describeRun(w)
	} else {
		err = c.describe(w, f)
	}
	if e := w.Flush(); e != nil {
		return e
	}
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	return nil
}

// describe finds the kind of f and prints its contents. A compressed file is described
// like its contents.
func (c *infoCommand) describe(w io.Writer, f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	name, compressed := strings.CutSuffix(c.File, ".gz")
	ext := strings.TrimPrefix(filepath.Ext(name), ".")
	if ext == "json" && !compressed && !c.JSON && !c.Check {
		return describeManifest(w, f)
	}
	var data io.ReaderAt = f
	size := info.Size()
	if compressed {
		plain, err := store.Gunzip(f)
		if err != nil {
			return err
		}
		data, size = bytes.NewReader(plain), int64(len(plain))
	}
	var why []error
	for e, format := range out.Formats.Defaults() {
		if format.Ext() != ext {
			continue
		}
		mark, err := format.Check(data, size)
		if err != nil {
			why = append(why, err)
			continue
		}
		err = c.describeFormat(w, e.Name+": "+e.Doc, format, mark, io.NewSectionReader(data, 0, size))
		if err == nil && ext == "vdb" {
			return describeVolume(w, data, size)
		}
		return err
	}
	for e, movie := range film.Formats.Defaults() {
		if e.Name != film.FormatOf(name) {
			continue
		}
		if mark, err := movie.Check(data, size); err != nil {
			why = append(why, err)
		} else {
			return c.describeWhole(w, e.Name+": "+e.Doc, mark, size)
		}
	}
	for e, archive := range out.Archives.Defaults() {
		if archive.Ext() != ext {
			continue
		}
		if mark, err := archive.Check(data, size); err != nil {
			why = append(why, err)
		} else {
			return c.describeWhole(w, e.Name+": "+e.Doc, mark, size)
		}
	}
	head := make([]byte, 1<<10)
	n, err := data.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return err
	}
	ours := len(why) > 0 && bytes.Contains(head[:n], []byte("breakwater-frame")) // but damaged
	if !ours && slices.Contains(particles.Exts(), particles.Ext(c.File)) {
		if c.JSON || c.Check {
			return notAMesh
		}
		return describeForeign(w, c.File)
	}
	if ext == "vdb" { // of another program
		if c.JSON || c.Check {
			return notAMesh
		}
		return describeVolume(w, data, size)
	}
	if len(why) == 0 {
		kind := "files without an extension"
		if ext != "" {
			kind = "." + ext + " files"
		}
		return usageError{fmt.Errorf("%s is not a known kind of file; expected particles, a mesh, a picture, a film, an archive, a volume or a manifest", kind)}
	}
	return errors.Join(why...)
}

// notAMesh is the error for other files if a flag applies to meshes.
var notAMesh = usageError{errors.New("--json and --check are for meshes that can be read back: obj, ply and vtp")}

// describeFormat says what a frame's file holds, or what can be said of it if
// it cannot be read back.
func (c *infoCommand) describeFormat(w io.Writer, kind string, format out.PerFrame, mark string, r *io.SectionReader) error {
	decoder, ok := format.(out.Decoder)
	if !ok {
		return c.describeWhole(w, kind, mark, r.Size())
	}
	if err := store.CheckSize(r.Size()); err != nil {
		return err
	}
	frame, err := decoder.Decode(r)
	if err != nil {
		return err
	}
	if frame.Mesh == nil && (c.JSON || c.Check) {
		return notAMesh
	}
	if !c.JSON {
		row(w, "format", "%s", kind)
		describeFrame(w, frame)
	}
	if frame.Mesh != nil {
		return c.describeMesh(w, frame.Mesh)
	}
	return nil
}

// describeWhole describes a complete file from its first and last bytes.
func (c *infoCommand) describeWhole(w io.Writer, kind, mark string, size int64) error {
	if c.JSON || c.Check {
		return notAMesh
	}
	row(w, "format", "%s", kind)
	row(w, "size", "%d bytes", size)
	if mark != "" {
		row(w, "fingerprint", "%s", mark)
	}
	return nil
}

// describeForeign says what a particle file of another program holds.
func describeForeign(w io.Writer, path string) error {
	data, err := store.ReadFile(path)
	if err != nil {
		return err
	}
	p, err := particles.Read(path, data, nil)
	if err != nil {
		return err
	}
	row(w, "format", ".%s of another program", particles.Ext(path))
	row(w, "particles", "%d", len(p.X))
	if left := mesher.Clean(p); left != "" {
		row(w, "faults", "%s", left)
	}
	if len(p.X) == 0 {
		return nil
	}
	box := vec.Empty()
	for _, x := range p.X {
		box = box.Include(x)
	}
	bounds(w, box)
	if d := mesher.Spacing(p.X, 0); d > 0 && !math.IsInf(d, 1) {
		row(w, "radius", "about %.3g m", d/2)
	}
	for _, f := range p.Fields {
		if f.Vector != nil {
			row(w, "attribute", "%s, a vector", f.Name)
			continue
		}
		low, high := math.Inf(1), math.Inf(-1)
		for _, x := range f.Scalar {
			low, high = min(low, x), max(high, x)
		}
		row(w, "attribute", "%s, from %.4g to %.4g", f.Name, low, high)
	}
	return nil
}

func describeFrame(w io.Writer, f *out.Frame) {
	if f.Index > 0 {
		row(w, "frame", "%d", f.Index)
		row(w, "time", "%.6g s", f.Time)
	}
	if f.Fingerprint != "" {
		row(w, "fingerprint", "%s", f.Fingerprint)
	}
	switch {
	case f.Particles != nil:
		describeParticles(w, f.Particles)
	case f.Image != nil:
		b := f.Image.Bounds()
		row(w, "picture", "%d × %d pixels", b.Dx(), b.Dy())
	}
}

func describeParticles(w io.Writer, s *particle.Set) {
	row(w, "particles", "%d", s.Len())
	if s.Len() == 0 {
		return
	}
	box := vec.Empty()
	var speed, rho float64
	low, high := math.Inf(1), math.Inf(-1)
	for i := range s.X {
		box = box.Include(s.X[i])
		speed = max(speed, s.V[i].Len())
		rho += s.Rho[i]
		low, high = min(low, s.Rho[i]), max(high, s.Rho[i])
	}
	bounds(w, box)
	row(w, "fastest", "%.4g m/s", speed)
	row(w, "density", "mean %.6g, from %.6g to %.6g kg/m³", rho/float64(s.Len()), low, high)
	for _, a := range s.Attr {
		row(w, "carries", "%s", a.Name)
	}
}

func describeManifest(w io.Writer, r io.Reader) error {
	var m run.Manifest
	if err := json.NewDecoder(r).Decode(&m); err != nil {
		return err
	}
	row(w, "scene", "%s, made by version %s", m.Scene, m.Version)
	if m.Title != "" {
		row(w, "title", "%s", m.Title)
	}
	row(w, "film", "%d frames, %g a second, %.4g s", m.Frames, m.FPS, m.Duration)
	row(w, "particles", "%d, %g m apart", m.Particles, m.Spacing)
	if m.VolumeError != nil {
		row(w, "volume", "largest volume error of a mesh: %.2g %%", 100**m.VolumeError)
	}
	for _, s := range stage.All() {
		if m.Stages[string(s)] == "" {
			continue // nothing of it was asked for
		}
		row(w, string(s), "%d frames, fingerprint %s", m.Made[s], m.Stages[string(s)])
	}
	var bytes int64
	for _, f := range m.Files {
		bytes += f.Size
	}
	row(w, "files", "%d, %s", len(m.Files), num.Bytes(float64(bytes)))
	return nil
}

func bounds(w io.Writer, b vec.Box) {
	row(w, "from", "%.4g, %.4g, %.4g m", b.Min.X, b.Min.Y, b.Min.Z)
	row(w, "to", "%.4g, %.4g, %.4g m", b.Max.X, b.Max.Y, b.Max.Z)
}

// row writes a line of a table of two columns.
func row(w io.Writer, key, format string, args ...any) {
	fmt.Fprintf(w, "%s\t%s\n", key, fmt.Sprintf(format, args...))
}
