package out

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"breakwater/out/particles"
	"breakwater/out/store"
	"breakwater/sim/vec"
)

func init() {
	Archives.Add("usda", "USD as text: all frames in one file with normals, velocities, attributes, materials, the camera and the light, for Houdini, Omniverse, Maya, Unreal and Blender",
		"Pixar, Universal Scene Description, 2016–2026", func() Archive { return &usda{} })
}

// usda writes a Mesh or Points of UsdGeom, whose attributes have a sample for
// each frame, at the time code that is its number. The samples of an attribute
// stand together, so the frames are read once for each.
type usda struct{}

func (u *usda) Ext() string { return "usda" }

func (u *usda) Holds() Part { return NeedsMesh | NeedsParticles }

// staged implements Staged.
func (u *usda) staged() {}

// usdMark is the key of the fingerprint, whose name may have no -.
const usdMark = "breakwater_fingerprint"

// usdEnd closes the last prim. Nothing before ends like it.
const usdEnd = "\n}\n# end\n"

// usdWriter writes one file.
type usdWriter struct {
	*bufio.Writer
	ctx   context.Context
	info  *ArchiveInfo
	frame func(i int) (*Frame, error)
	names []string // of the attributes, as files have them

	// Of each frame, from the first pass.
	boxes     []vec.Box
	triangles []int
	bodies    []usdBody
	materials []usdMaterial // that are used so far
}

func (u *usda) Encode(ctx context.Context, f *store.File, info ArchiveInfo, frame func(i int) (*Frame, error)) error {
	if err := info.check(u); err != nil {
		return fmt.Errorf("usda: %w", err)
	}
	w := &usdWriter{Writer: bufio.NewWriterSize(f, 1<<16), ctx: ctx, info: &info, frame: frame}
	w.head()
	if err := w.writeShot(); err != nil {
		return fmt.Errorf("usda: %w", err)
	}
	if err := w.prim(); err != nil {
		return err
	}
	w.WriteString("    }")
	if err := w.writeBodies(); err != nil {
		return fmt.Errorf("usda: %w", err)
	}
	if err := w.writeMaterials(); err != nil {
		return fmt.Errorf("usda: %w", err)
	}
	w.WriteString(usdEnd)
	return w.Flush()
}

// head writes what holds for all of the file: its layer's metadata.
func (w *usdWriter) head() {
	last := w.info.First + w.info.Frames - 1
	w.WriteString("#usda 1.0\n(\n    customLayerData = {\n")
	fmt.Fprintf(w, "        string creator = \"Breakwater\"\n        string %s = %q\n    }\n", usdMark, w.info.Fingerprint)
	fmt.Fprintf(w, "    defaultPrim = \"liquid\"\n    endTimeCode = %d\n    framesPerSecond = %v\n    metersPerUnit = %v\n    startTimeCode = %d\n    timeCodesPerSecond = %v\n    upAxis = %q\n)\n",
		last, w.info.FPS, w.info.Axes.unit(), w.info.First, w.info.FPS, strings.ToUpper(w.info.Axes.up()))
}

// prim writes the attributes.
func (w *usdWriter) prim() error {
	part := w.info.Part
	what := "Mesh \"surface\""
	if part == NeedsParticles {
		what = "Points \"particles\""
	}
	meta, binding := w.bound(w.info.Material, "    ")
	fmt.Fprintf(w, "\ndef Xform \"liquid\" (\n    kind = \"component\"\n)\n{\n    def %s%s\n    {\n%s", what, meta, binding)
	vector := func(bits int, of func(c *cloud) []vec.Vec3) func(c *cloud) error {
		return func(c *cloud) error { return w.vectors(of(c), bits) }
	}
	var fields []particles.Field
	varies := false // the widths
	err := w.samples("point3f[] points", "", func(c *cloud) error {
		pos, _ := c.points()
		box := vec.Empty()
		for i, p := range pos {
			box = box.Union(c.reach(i, p.Round(), w.info.Width))
		}
		w.boxes = append(w.boxes, box)
		if part == NeedsMesh {
			w.triangles = append(w.triangles, len(c.Mesh.Tri))
		}
		if err := w.place(c.Frame, len(w.boxes)-1); err != nil {
			return err
		}
		if w.names == nil {
			varies = c.varies
			w.names, fields = append([]string{}, c.names...), append(fields, c.Fields...)
			for k := range fields { // of which the kind is needed below, and not the values
				fields[k] = particles.Field{Name: c.names[k], Vector: fields[k].Vector[:0:0], Whole: fields[k].Whole}
			}
		}
		return w.vectors(pos, usdPosition)
	})
	if err != nil {
		return err
	}
	if !w.info.Still {
		if err := w.samples("vector3f[] velocities", "", vector(usdSpeed, func(c *cloud) []vec.Vec3 { _, v := c.points(); return v })); err != nil {
			return err
		}
	}
	if part == NeedsMesh {
		if !w.info.Flat {
			if err := w.samples("normal3f[] normals", usdVertex, vector(usdNormal, (*cloud).normals)); err != nil {
				return err
			}
		}
		if err := w.samples("int[] faceVertexIndices", "", func(c *cloud) error {
			return w.corners(c.Mesh.Tri)
		}); err != nil {
			return err
		}
		err = w.known("int[] faceVertexCounts", func(i int) error { return w.threes(w.triangles[i]) })
	} else {
		err = w.samples("int64[] ids", "", func(c *cloud) error {
			ids := c.Particles.ID
			return w.list(len(ids), func(b []byte, i int) []byte { return strconv.AppendUint(b, uint64(ids[i]), 10) })
		})
		if err == nil && varies {
			err = w.samples("float[] widths", usdVertex, func(c *cloud) error { return w.scalars(c.widths) })
		} else if err == nil {
			fmt.Fprintf(w, "        float[] widths = [%v] (\n            interpolation = \"constant\"\n        )\n", float32(w.info.Width))
		}
	}
	if err != nil {
		return err
	}
	if err := w.known("float3[] extent", func(i int) error { return w.extent(w.boxes[i]) }); err != nil {
		return err
	}
	for k, f := range fields {
		typ := "float[]"
		switch {
		case f.Vector != nil:
			typ = "vector3f[]"
		case f.Whole:
			typ = "int[]"
		}
		err := w.samples(typ+" primvars:"+f.Name, usdVertex, func(c *cloud) error {
			f := &c.Fields[k]
			if f.Vector != nil {
				return w.vectors(f.Vector, usdExact)
			}
			if f.Whole {
				return w.list(len(f.Scalar), func(b []byte, i int) []byte { return strconv.AppendInt(b, int64(f.Scalar[i]), 10) })
			}
			return w.scalars(f.Scalar)
		})
		if err != nil {
			return err
		}
	}
	if part == NeedsMesh {
		w.WriteString("        uniform token orientation = \"rightHanded\"\n        uniform token subdivisionScheme = \"none\"\n")
	}
	return nil
}

// reach returns the box of vertex or particle i, at x; width is of all particles whose
// frame has no widths.
func (c *cloud) reach(i int, x vec.Vec3, width float64) vec.Box {
	switch {
	case c.part == NeedsMesh:
		width = 0
	case c.varies:
		width = c.widths[i]
	}
	return vec.Box{Min: x, Max: x}.Grow(width / 2)
}

// usdVertex declares that an attribute has one value per vertex.
const usdVertex = "interpolation = \"vertex\""

// samples writes a time-sampled attribute; sample writes one frame's value.
func (w *usdWriter) samples(decl, meta string, sample func(c *cloud) error) error {
	if meta != "" {
		fmt.Fprintf(w, "        %s (\n            %s\n        )\n", decl, meta)
	}
	return w.known(decl, func(i int) error {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		f, err := w.frame(i)
		if err != nil {
			return err
		}
		like := w.names
		c, err := w.info.checked(i, f, like)
		if err != nil {
			return fmt.Errorf("usda: %w", err)
		}
		if err := sample(&c); err != nil {
			return fmt.Errorf("usda: frame %d: %s: %w", w.info.First+i, decl, err)
		}
		return nil
	})
}

// known writes an attribute from the data of frame i.
func (w *usdWriter) known(decl string, sample func(i int) error) error {
	fmt.Fprintf(w, "        %s.timeSamples = {\n", decl)
	for i := range w.info.Frames {
		fmt.Fprintf(w, "            %d: [", w.info.First+i)
		if err := sample(i); err != nil {
			return err
		}
		if _, err := w.WriteString("],\n"); err != nil {
			return err
		}
	}
	_, err := w.WriteString("        }\n")
	return err
}

// list writes n items of an array.
func (w *usdWriter) list(n int, item func(b []byte, i int) []byte) error {
	return writeLines(w, n, func(b []byte, i int) []byte {
		if i > 0 {
			b = append(b, ',')
		}
		return item(b, i)
	})
}

// The bits that vectors of meshes are written to, see objDecimals: positions have a
// float32's. Velocities and normals of a hundred thousandth are enough for motion blur and
// for shading.
const (
	usdPosition = 24
	usdSpeed    = 17
	usdNormal   = 17
	usdExact    = 0 // all digits of each number
)

// vectors writes vectors to the given bits.
func (w *usdWriter) vectors(v []vec.Vec3, bits int) error {
	if bad := notFinite(v); bad >= 0 {
		return fmt.Errorf("value %d is %v", bad, v[bad])
	}
	number := textNumber
	if bits != usdExact && w.info.Part == NeedsMesh {
		largest := 0.0
		for _, x := range v {
			largest = max(largest, math.Abs(x.X), math.Abs(x.Y), math.Abs(x.Z))
		}
		if decimals := objDecimals(largest, bits); decimals >= 0 {
			number = func(b []byte, x float64) []byte { return appendDecimal(b, x, decimals) }
		}
	}
	return w.list(len(v), func(b []byte, i int) []byte {
		b = number(append(b, '('), v[i].X)
		b = number(append(b, ','), v[i].Y)
		b = number(append(b, ','), v[i].Z)
		return append(b, ')')
	})
}

// corners writes the corners of triangles.
func (w *usdWriter) corners(tri [][3]int32) error {
	return w.list(len(tri), func(b []byte, i int) []byte {
		for k, v := range tri[i] {
			if k > 0 {
				b = append(b, ',')
			}
			b = strconv.AppendInt(b, int64(v), 10)
		}
		return b
	})
}

// threes writes the numbers of corners of n triangles.
func (w *usdWriter) threes(n int) error {
	return w.list(n, func(b []byte, _ int) []byte { return append(b, '3') })
}

// extent writes the corners of a box, always two: an empty box has the largest float32 as
// its lower corner and the smallest as its upper corner, as in GfRange3f.
func (w *usdWriter) extent(b vec.Box) error {
	if b.Min.X > b.Max.X {
		const most = math.MaxFloat32
		b = vec.Box{Min: vec.New(most, most, most), Max: vec.New(-most, -most, -most)}
	}
	return w.vectors([]vec.Vec3{b.Min, b.Max}, usdExact)
}

func (w *usdWriter) scalars(v []float64) error {
	if bad := notFiniteNumber(v); bad >= 0 {
		return fmt.Errorf("value %d is %v", bad, v[bad])
	}
	return w.list(len(v), func(b []byte, i int) []byte { return textNumber(b, v[i]) })
}

func (u *usda) Check(r io.ReaderAt, size int64) (string, error) {
	wrong := errors.New("usda: cut short, or not a file written by this program")
	head := make([]byte, min(size, 1<<10))
	if _, err := r.ReadAt(head, 0); err != nil && err != io.EOF {
		return "", err
	}
	tail := make([]byte, len(usdEnd))
	if _, err := r.ReadAt(tail, max(0, size-int64(len(tail)))); err != nil || string(tail) != usdEnd {
		return "", wrong
	}
	_, mark, ok := strings.Cut(string(head), "string "+usdMark+" = \"")
	mark, _, closed := strings.Cut(mark, "\"\n")
	if !ok || !closed || !strings.HasPrefix(string(head), "#usda 1.0\n") {
		return "", wrong
	}
	if err := store.CheckFingerprint(mark); err != nil {
		return "", fmt.Errorf("usda: %w", err)
	}
	return mark, nil
}

// usdBytes are the bytes of a number of a vector, with its separator.
const usdBytes = 9

// PointBytes implements Sized: beside its numbers a vector has brackets, and a
// corner is a number of some five digits.
func (u *usda) PointBytes(part Part, numbers int) float64 {
	if part == NeedsMesh {
		return float64(3*(3*usdBytes+2) + 2*3*6 + 2*2 + numbers*textBytes)
	}
	return float64(2*(3*usdBytes+2) + 7 + numbers*textBytes)
}
