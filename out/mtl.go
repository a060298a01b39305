package out

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"breakwater/sim/vec"
)

// MTL is a file of materials in text, which the OBJ files of a folder share:
//
//	Wavefront Technologies, Object Files and Material Library, 1995
//	Exocortex, PBR extension (Pr, Pm), 2015
//
// A clear material has no colour of its own inside in this format, so its surfaces tint
// the light that they pass. Of programs that read more of it than the diffuse colour,
// Blender takes Tf as the share of transmission, and Ks in units of 0.08.
type MTL struct{}

// Ext returns the end of the file's name.
func (MTL) Ext() string { return "mtl" }

// LibraryName returns the name of the file of materials of meshes of a given name. Spaces
// would end it in an OBJ file.
func LibraryName(name string) string {
	return strings.Join(strings.Fields(name), "_") + "." + MTL{}.Ext()
}

// The models of lighting (illum) that are used here.
const (
	mtlMatte   = 1
	mtlGloss   = 2
	mtlMirror  = 3
	mtlRefract = 7 // with Fresnel's reflection
)

// mtlSpecular is the reflectance straight on that Ks stands for where it is 1.
const mtlSpecular = 0.08

// Encode writes materials and the fingerprint of what they were made from.
func (MTL) Encode(w io.Writer, fingerprint string, list []Material) error {
	if err := checkMaterials(list); err != nil {
		return fmt.Errorf("mtl: %w", err)
	}
	b := fmt.Appendf(nil, "# %s %s\n", noteFingerprint, fingerprint)
	color := func(key string, c vec.Vec3) { b = fmt.Appendf(b, "%s %.5g %.5g %.5g\n", key, c.X, c.Y, c.Z) }
	for i := range list {
		m := &list[i]
		one := vec.New(1, 1, 1)
		model, shine, metal := mtlMatte, one.Mul(min(1, m.normal()/mtlSpecular)), 0
		switch {
		case m.Metal:
			model, shine, metal = mtlMirror, m.Color, 1
		case m.Clear:
			model = mtlRefract
		case m.Index > 1:
			model = mtlGloss
		}
		b = fmt.Appendf(b, "\nnewmtl %s\n", m.Name)
		color("Ka", vec.Vec3{})
		color("Kd", m.Color)
		color("Ks", shine)
		if m.Glow != (vec.Vec3{}) {
			color("Ke", m.Glow)
		}
		smooth := 1 - m.Roughness
		b = fmt.Appendf(b, "Ns %.5g\nNi %.5g\nd 1\n", 1000*smooth*smooth, m.Index) // the exponent by which Blender has roughness
		if m.Clear {
			color("Tf", one)
		}
		b = fmt.Appendf(b, "illum %d\nPr %.5g\nPm %d\n", model, m.Roughness, metal)
	}
	_, err := w.Write(append(b, objEnd...))
	return err
}

// Check implements store.Checker.
func (MTL) Check(r io.ReaderAt, size int64) (string, error) {
	const longest = 1 << 20
	if size > longest {
		return "", errors.New("mtl: not a file written by this program")
	}
	text := make([]byte, size)
	if _, err := r.ReadAt(text, 0); err != nil && err != io.EOF {
		return "", err
	}
	head, ok := bytes.CutPrefix(text, []byte("# "))
	if !ok || !bytes.HasSuffix(text, []byte(objEnd)) {
		return "", errors.New("mtl: cut short, or not a file written by this program")
	}
	line, _, _ := bytes.Cut(head, []byte{'\n'})
	var f Frame
	if err := f.readNote(string(line)); err != nil {
		return "", fmt.Errorf("mtl: %w", err)
	}
	if f.Fingerprint == "" {
		return "", errors.New("mtl: not a file written by this program")
	}
	return f.Fingerprint, nil
}
