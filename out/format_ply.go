package out

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"breakwater/out/ply"
	"breakwater/sim/particle"
	"breakwater/sim/vec"
)

func init() {
	Formats.Add("ply", "particles: position, velocity, density, number and solver state, vortex particles, and the rigid bodies, as binary PLY",
		"Turk 1994", func() PerFrame { return &plyFormat{} })
}

// plyFormat keeps every value as float32, so a set that has been rounded
// (particle.Set.Round) comes back bit by bit.
type plyFormat struct{}

func (p *plyFormat) Needs() Part { return NeedsParticles }

func (p *plyFormat) Ext() string { return "ply" }

// The properties of a particle, before the properties of Set.Attr.
const plyParticle = `property float x
property float y
property float z
property float vx
property float vy
property float vz
property float density
property uint id
`

func (p *plyFormat) Encode(w io.Writer, f *Frame) error {
	s := f.Particles
	if s == nil {
		return errors.New("ply: the frame has no particles")
	}
	var head strings.Builder
	if err := plyParticleHead(&head, "vertex", s); err != nil {
		return fmt.Errorf("ply: %w", err)
	}
	if f.Vortons != nil {
		if err := plyParticleHead(&head, plyVorton, f.Vortons); err != nil {
			return fmt.Errorf("ply: %w", err)
		}
	}
	head.WriteString(plyBodyHead(len(s.Bodies)))
	e, err := startPLY(w, f, head.String())
	if err != nil {
		return fmt.Errorf("ply: %w", err)
	}
	if err := writePLYParticles(e, "particle", s); err != nil {
		return fmt.Errorf("ply: %w", err)
	}
	if f.Vortons != nil {
		if err := writePLYParticles(e, plyVorton, f.Vortons); err != nil {
			return fmt.Errorf("ply: %w", err)
		}
	}
	if err := writePLYBodies(e, s.Bodies); err != nil {
		return fmt.Errorf("ply: %w", err)
	}
	return e.Flush()
}

// plyVorton is the element of the vortex particles of a gas.
const plyVorton = "vorton"

// plyParticleHead writes the lines of the head for an element of particles.
func plyParticleHead(head *strings.Builder, element string, s *particle.Set) error {
	n := len(s.X)
	if len(s.V) != n || len(s.Rho) != n || len(s.ID) != n {
		return fmt.Errorf("%d positions, %d velocities, %d densities, %d numbers", n, len(s.V), len(s.Rho), len(s.ID))
	}
	fmt.Fprintf(head, "element %s %d\n%s", element, n, plyParticle)
	taken := []string{"x", "y", "z", "vx", "vy", "vz", "density", "id"}
	for _, a := range s.Attr {
		if !validAttr(a.Name) || slices.Contains(taken, a.Name) {
			return fmt.Errorf("attribute %q: the name is invalid or already used", a.Name)
		}
		if len(a.Data) != n {
			return fmt.Errorf("attribute %q has %d values for %d particles", a.Name, len(a.Data), n)
		}
		taken = append(taken, a.Name)
		fmt.Fprintf(head, "property float %s\n", a.Name)
	}
	return nil
}

// writePLYParticles writes the rows of particles, which errors call by the name what.
func writePLYParticles(e *ply.Encoder, what string, s *particle.Set) error {
	for i := range s.X {
		e.Vec(s.X[i])
		e.Vec(s.V[i])
		e.Float(s.Rho[i])
		e.Uint32(s.ID[i])
		for _, a := range s.Attr {
			e.Float(a.Data[i])
		}
		if err := e.EndRow(what, i); err != nil {
			return err
		}
	}
	return nil
}

// validAttr reports whether a property may have the name.
func validAttr(name string) bool {
	return name != "" && len(name) <= 64 && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

func (p *plyFormat) Verify(r io.Reader) error { return verify(p, r) }

func (p *plyFormat) Check(r io.ReaderAt, size int64) (string, error) {
	return checkPLY(r, size, "vertex")
}

// Decode reads particles, from any kind of PLY file whose vertices have x, y
// and z. What else they have of vx, vy, vz, density and id is taken for that;
// other numbers become attributes. Without id the particles are numbered from
// 0. Vortons and bodies are read as Encode writes them; other elements are passed over.
func (p *plyFormat) Decode(r io.Reader) (*Frame, error) {
	f := &Frame{}
	h, rows, err := ply.Open(r, f.readNote)
	if err != nil {
		return nil, fmt.Errorf("ply: %w", err)
	}
	f.Particles = &particle.Set{}
	reserve(f.Particles, ply.RowsIn(r, h.Element("vertex")))
	each := map[string]ply.Row{
		"vertex": particleRow(h.Element("vertex"), f.Particles),
		"body":   bodyRow(h, &f.Particles.Bodies),
	}
	if e := h.Element(plyVorton); e != nil && e.Number("x") >= 0 && e.Number("y") >= 0 && e.Number("z") >= 0 {
		f.Vortons = &particle.Set{}
		reserve(f.Vortons, ply.RowsIn(r, e))
		each[plyVorton] = particleRow(e, f.Vortons)
	}
	err = rows.ReadAll(h, each)
	if err != nil {
		return nil, fmt.Errorf("ply: %w", err)
	}
	return f, nil
}

// reserve makes room for n particles.
func reserve(s *particle.Set, n int) {
	s.X, s.V = make([]vec.Vec3, 0, n), make([]vec.Vec3, 0, n)
	s.Rho, s.ID = make([]float64, 0, n), make([]uint32, 0, n)
}

// particleRow returns what appends rows of e to s.
func particleRow(e *ply.Element, s *particle.Set) ply.Row {
	x, y, z := e.Number("x"), e.Number("y"), e.Number("z")
	vx, vy, vz := e.Number("vx"), e.Number("vy"), e.Number("vz")
	density, id := e.Number("density"), e.Number("id")
	used := []string{"x", "y", "z", "vx", "vy", "vz", "density", "id"}
	var extra []int // column of each attribute
	for k, q := range e.Props {
		name := strings.ToLower(q.Name)
		if !q.List && validAttr(name) && !slices.Contains(used, name) {
			used, extra = append(used, name), append(extra, k)
			s.Attr = append(s.Attr, particle.Attr{Name: name, Data: make([]float64, 0, cap(s.Rho))})
		}
	}
	return func(i int, num []float64, _ [][]float64) error {
		for k, v := range num {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("property %.20s is %g", e.Props[k].Name, v)
			}
		}
		at := func(k int, absent float64) float64 {
			if k < 0 {
				return absent
			}
			return num[k]
		}
		n := at(id, float64(i))
		if !(n >= 0 && n <= math.MaxUint32 && n == math.Trunc(n)) {
			return fmt.Errorf("id %g: want a whole number from 0 to %d", n, uint32(math.MaxUint32))
		}
		s.X = append(s.X, vec.New(num[x], num[y], num[z]))
		s.V = append(s.V, vec.New(at(vx, 0), at(vy, 0), at(vz, 0)))
		s.Rho = append(s.Rho, at(density, 0))
		s.ID = append(s.ID, uint32(n))
		for j, k := range extra {
			s.Attr[j].Data = append(s.Attr[j].Data, num[k])
		}
		return nil
	}
}
