package particle

import (
	"math"
	"slices"
	"testing"

	"breakwater/sim/vec"
)

func set(n int) *Set {
	s := &Set{}
	for i := range n {
		f := float64(i) / 3
		s.X = append(s.X, vec.New(f, -f, f*f))
		s.V = append(s.V, vec.New(1/(f+1), f, 0))
		s.Rho = append(s.Rho, 1000+f)
		s.ID = append(s.ID, uint32(i))
	}
	for i, v := range s.Carry("kappa") {
		s.Attr[0].Data[i] = v + math.Pi*float64(i)
	}
	return s
}

func TestPermute(t *testing.T) {
	s, want := set(5), set(5)
	order := []int32{3, 0, 4, 1, 2}
	var tmp Scratch
	for range 3 {
		s.Permute(order, &tmp)
	}
	for i := range s.X {
		j := order[order[order[i]]]
		if s.ID[i] != uint32(j) || s.X[i] != want.X[j] || s.V[i] != want.V[j] || s.Rho[i] != want.Rho[j] || s.Attr[0].Data[i] != want.Attr[0].Data[j] {
			t.Errorf("item %d is not item %d of the original", i, j)
		}
	}
}

func TestRoundIsIdempotent(t *testing.T) {
	s := set(20)
	s.Round()
	again := set(20)
	again.Round()
	again.Round()
	if !slices.Equal(s.X, again.X) || !slices.Equal(s.Rho, again.Rho) || !slices.Equal(s.Attr[0].Data, again.Attr[0].Data) {
		t.Error("rounding twice is not rounding once")
	}
	if f := set(20); math.Abs(f.X[7].X-s.X[7].X) > 1e-6 || f.X[7].X == s.X[7].X {
		t.Errorf("7/3 rounded to %v", s.X[7].X)
	}
}

func TestCarryGrows(t *testing.T) {
	s := set(3)
	s.X = append(s.X, vec.Vec3{})
	if k := s.Carry("kappa"); len(k) != 4 || k[2] == 0 || k[3] != 0 {
		t.Errorf("after a particle was added: %v", k)
	}
}

func TestAddAndRemove(t *testing.T) {
	s, want := set(7), set(7)
	for range 2 {
		s.Add(vec.New(1, 2, 3), vec.New(4, 5, 6), 7, 8)
	}
	s.Remove(nil)
	s.Remove([]int32{0, 2, 3, 7})
	if s.Len() != 5 || len(s.V) != 5 || len(s.Rho) != 5 || len(s.ID) != 5 || len(s.Attr[0].Data) != 5 {
		t.Fatalf("%d particles are left, want 5", s.Len())
	}
	for i, j := range []int{1, 4, 5, 6} {
		if s.X[i] != want.X[j] || s.V[i] != want.V[j] || s.Rho[i] != want.Rho[j] || s.ID[i] != want.ID[j] || s.Attr[0].Data[i] != want.Attr[0].Data[j] {
			t.Errorf("item %d is not item %d of the original", i, j)
		}
	}
	if s.X[4] != vec.New(1, 2, 3) || s.V[4] != vec.New(4, 5, 6) || s.Rho[4] != 7 || s.ID[4] != 8 || s.Attr[0].Data[4] != 0 {
		t.Error("what was added last is not there")
	}
	s.Remove([]int32{0, 1, 2, 3, 4})
	if s.Len() != 0 || len(s.Attr[0].Data) != 0 {
		t.Error("something is left")
	}
}
