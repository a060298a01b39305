package vortex

import (
	"math"
	"testing"

	"breakwater/sim/dice"
	"breakwater/sim/longtest"
	"breakwater/sim/vec"
	"breakwater/sim/vortex/vorticity"
)

// TestAlign checks that tilted strengths of a straight tube turn towards its axis, while
// those that already follow the vorticity stay as they are.
func TestAlign(t *testing.T) {
	random := dice.New(1)
	tube := func(tilt float64) *VPM {
		f := &Flow{}
		f.Fill(&vorticity.Tube{Axis: vec.New(1, 0, 0), Length: 3, Core: 0.2, Circulation: 1}, 0.16, 1, Blend{})
		s := vpm(t)
		for i := range f.Vortons.W {
			off := vec.New(0, random.Of(uint64(i)).Float(0)-0.5, random.Of(uint64(i)).Float(1)-0.5)
			f.Vortons.W[i] = f.Vortons.W[i].Add(off.Mul(2 * tilt * f.Vortons.W[i].Len()))
		}
		s.start(&f.Vortons)
		return s
	}
	// The mean angle to the axis, weighted by strength, away from the ends.
	angle := func(s *VPM) float64 {
		sum, all := 0., 0.
		for i, a := range s.sources.Alpha {
			if math.Abs(s.sources.X[i].X) < 0.7 {
				sum, all = sum+math.Hypot(a.Y, a.Z), all+a.Len()
			}
		}
		return sum / all
	}
	s := tube(0.5)
	before := angle(s)
	for range 10 {
		s.velocities(&Tracers{})
		s.align()
	}
	if after := angle(s); after > 0.3*before {
		t.Errorf("the strengths were %.3f rad off the axis, and are %.3f", before, after)
	}
	s = tube(0)
	for range 10 {
		s.velocities(&Tracers{})
		s.align()
	}
	if after := angle(s); after > 0.02 {
		t.Errorf("strengths along the axis are %.3f rad off it", after)
	}
	s.Align = 0
	want := append([]vec.Vec3{}, s.sources.Alpha...)
	s.align()
	for i, a := range s.sources.Alpha {
		if a != want[i] {
			t.Fatal("a vorton turns although nothing turns it")
		}
	}
}

// TestAlignLasts checks that two rings with thick cores pass through each other without
// breaking up: the sum of |α| grows where strengths point anywhere.
func TestAlignLasts(t *testing.T) {
	longtest.Only(t)
	grown := func(align float64) float64 {
		gas := still()
		f := &Flow{}
		for k := range 2 {
			f.Fill(&vorticity.Ring{Center: vec.New(float64(k), 0, 0), Axis: vec.New(1, 0, 0), Radius: 1, Core: 0.15, Circulation: 1}, 0.2, 1, Blend{})
		}
		s := vpm(t)
		s.Align, s.Turn = align, 1
		sum := func() (a float64) {
			for i := range f.Vortons.X {
				a += f.Vortons.Strength(i).Len()
			}
			return a
		}
		before := sum()
		if err := f.Advance(s, &gas, 9, nil); err != nil {
			t.Fatal(err)
		}
		return sum() / before
	}
	with, without := grown(0.3), grown(0)
	t.Logf("Σ|α| grows to %.2f, and to %.2f without", with, without)
	if with > 1.15 || without < 1.3 {
		t.Errorf("Σ|α| grows to %.2f, and to %.2f without", with, without)
	}
}
