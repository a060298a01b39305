package surface

import (
	"errors"
	"strings"
	"testing"

	"breakwater/sim/vec"
	"breakwater/surface/mesh"
)

// liar is a floor. For half of it, the nearest point is claimed to be 40 spacings above.
type liar struct {
	plane
	spacing float64
}

func (l liar) Dist(x vec.Vec3) (float64, vec.Vec3) {
	switch d, n := l.plane.Dist(x); {
	case d < 1e-9 && x.X > 4*l.spacing:
		return -40 * l.spacing, n
	case d > 20*l.spacing:
		return 0, n
	default:
		return d, n
	}
}

// TestFlaw meshes beside a wall that throws vertices away, by all methods: the
// mesh must be refused, and the error must name a particle and a place.
func TestFlaw(t *testing.T) {
	const d = 0.02
	box := vec.Box{Max: vec.New(8*d, 8*d, 8*d)}
	c := Cloud{X: lattice(box, d, 0.1, 1), Spacing: d, Walls: []Wall{liar{plane{n: vec.New(0, 1, 0)}, d}}}
	for i := range c.X {
		c.ID = append(c.ID, uint32(1000+i))
	}
	family(t, func(t *testing.T, m Method) {
		var flaw *Flaw
		err := m.Surface(new(mesh.Mesh), c)
		if !errors.As(err, &flaw) {
			t.Fatalf("got the error %v", err)
		}
		if flaw.Particle < 1000 || !strings.Contains(err.Error(), "side of 0.") || !box.Grow(1).Contains(flaw.At) {
			t.Errorf("%v", err)
		}
		c := c
		c.Walls = nil // the next cloud is not affected
		if err := m.Surface(new(mesh.Mesh), c); err != nil {
			t.Error(err)
		}
	})
}

// TestMissedVolume takes the volume of a finished mesh's part for another.
func TestMissedVolume(t *testing.T) {
	const d = 0.02
	c := Cloud{X: lattice(vec.Box{Max: vec.New(8*d, 8*d, 8*d)}, d, 0.1, 1), Spacing: d}
	m := &sph{meshing: defaults(), Threshold: 0.6}
	got := surfaceOf(t, m, c)
	s := &m.vertices
	s.Mesh = got
	want := []float64{float64(len(c.X)) * d * d * d}
	if err := s.missedVolume(&m.field, &c, want); err != nil {
		t.Error(err)
	}
	want[0] *= 1.1
	if err := s.missedVolume(&m.field, &c, want); err == nil || !strings.Contains(err.Error(), "a part of the mesh has a volume of 0.0040") {
		t.Errorf("9 %% too little: %v", err)
	}
	s.limited[0] = true
	if err := s.missedVolume(&m.field, &c, want); err != nil {
		t.Errorf("where the surface may not move farther: %v", err)
	}
}
