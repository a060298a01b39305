package convert

import (
	"math"
	"strings"
	"testing"

	"breakwater/out"
	"breakwater/out/particles"
	"breakwater/raster/grains"
	"breakwater/sim/particle"
	"breakwater/sim/vec"
)

// Points of a parcel share its count, lie about its place, and have numbers of their own,
// which do not change as the parcel moves.
func TestExpanded(t *testing.T) {
	const d, most = 0.02, 5
	frame := func(shift vec.Vec3) *out.Frame {
		x := []vec.Vec3{vec.New(0, 1, 0), vec.New(2, 1, 0), vec.New(3, 1, 0), vec.New(4, 1, 0)}
		for i := range x {
			x[i] = x[i].Add(shift)
		}
		return &out.Frame{
			Particles: &particle.Set{X: x, V: make([]vec.Vec3, 4), Rho: make([]float64, 4), ID: []uint32{3, 9, 0, 7}},
			Fields: []particles.Field{
				{Name: out.ParcelWidth, Scalar: []float64{1e-3, 2e-3, 3e-3, 4e-3}, Length: true},
				{Name: out.ParcelCount, Scalar: []float64{0.4, 1.9, 3.5, 1000}},
			},
		}
	}
	want := []int{1, 1, 3, 5} // points of each parcel
	got, err := Expanded(frame(vec.Vec3{}), most, d)
	if err != nil {
		t.Fatal(err)
	}
	moved, err := Expanded(frame(vec.New(0, 0, 1)), most, d)
	if err != nil {
		t.Fatal(err)
	}
	from := frame(vec.Vec3{})
	seen := map[uint32]bool{}
	k := 0
	for i, points := range want {
		sum := 0.
		for j := range points {
			p := got.Particles
			if away := p.X[k].Sub(from.Particles.X[i]).Len(); away > grains.Apart*d || points == 1 && away != 0 || points > 1 && away == 0 {
				t.Errorf("point %d of parcel %d is %g m from it", j, i, away)
			}
			if p.ID[k] != from.Particles.ID[i]*most+uint32(j) || seen[p.ID[k]] {
				t.Errorf("point %d of parcel %d has the number %d", j, i, p.ID[k])
			}
			if moved.Particles.ID[k] != p.ID[k] || moved.Particles.X[k].Sub(p.X[k]).Sub(vec.New(0, 0, 1)).Len() > 1e-12 {
				t.Errorf("point %d of parcel %d does not move with it", j, i)
			}
			if got.Fields[0].Scalar[k] != from.Fields[0].Scalar[i] {
				t.Errorf("point %d of parcel %d is %g m wide", j, i, got.Fields[0].Scalar[k])
			}
			seen[p.ID[k]] = true
			sum += got.Fields[1].Scalar[k]
			k++
		}
		if math.Abs(sum/from.Fields[1].Scalar[i]-1) > 1e-12 {
			t.Errorf("the points of parcel %d stand for %g, want %g", i, sum, from.Fields[1].Scalar[i])
		}
	}
	if k != got.Particles.Len() {
		t.Errorf("%d points, want %d", got.Particles.Len(), k)
	}
	if same, err := Expanded(from, 1, d); err != nil || same != from {
		t.Errorf("with one point per parcel: another frame, %v", err)
	}
	from.Particles.ID[3] = math.MaxUint32 / 2
	if _, err := Expanded(from, most, d); err == nil || !strings.Contains(err.Error(), "use an expand below 5") {
		t.Errorf("numbers above 32 bits: %v", err)
	}
}
