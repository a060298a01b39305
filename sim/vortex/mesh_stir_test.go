package vortex

import (
	"bytes"
	"math"
	"runtime"
	"testing"

	"breakwater/sim/dice"
	"breakwater/sim/shape"
	"breakwater/sim/vec"
)

// TestEddy checks the mean and the mean square of the eddies' velocities, and that they change
// smoothly, also from cell to cell of their lattice.
func TestEddy(t *testing.T) {
	seed := dice.New(1)
	const n = 40 // points along an axis, 12 for each corner
	var mean vec.Vec3
	square, most := 0., 0.
	for k := range n * n * n {
		x := vec.New(float64(k%n)-20, float64(k/n%n)-20, float64(k/n/n)-20).Mul(1. / 12 * math.Pi)
		u := eddy(seed, x)
		mean, square = mean.Add(u), square+u.Dot(u)
		most = max(most, eddy(seed, x.Add(vec.New(1e-6, 1e-6, 1e-6))).Sub(u).Len()/1e-6)
	}
	mean, square = mean.Mul(1./(n*n*n)), square/(n*n*n)
	if mean.Len() > 0.1 || math.Abs(square-1) > 0.05 {
		t.Errorf("the mean is %v and the mean square %.3f, want 0 and 1", mean, square)
	}
	if most > 15 {
		t.Errorf("the velocity changes by %.3g in a length of 1", most)
	}
}

// TestStir lets eddies act on gas at rest for a tenth of their turnover time, at two spacings: they give the
// speed that follows, no impulse and no total strength. Of random forces in all directions,
// a third is without effect, because pressure balances it.
func TestStir(t *testing.T) {
	for _, cell := range []float64{0.05, 0.025} {
		source := Source{Region: &shape.Box{Min: vec.New(-0.4, -0.4, -0.4), Max: vec.New(0.4, 0.4, 0.4)}, Temperature: 293, Stop: 1, Eddies: Eddies{Speed: 0.5, Size: 0.2}}
		f := &Flow{Sources: []Source{source}}
		gas := still()
		s := &Mesh{Cell: cell, Keep: 1e-4, Most: 1e7, Turn: 0.5, LongestStep: 1}
		dt := source.Eddies.turnover() / 10
		if err := f.Advance(s, &gas, dt, nil); err != nil {
			t.Fatal(err)
		}
		sums := f.Invariants(&gas)
		volume := 0.8 * 0.8 * 0.8
		if most := 0.02 * 0.05 * volume; sums.Impulse.Len() > most || sums.Strength.Len() > most {
			t.Errorf("cells of %g m: an impulse of %.3g m⁴/s and a strength of %.3g m³/s, want less than %.3g", cell, sums.Impulse.Len(), sums.Strength.Len(), most)
		}
		square, n := 0., 0.
		for i, x := range f.Vortons.X {
			if source.Region.Contains(x) {
				square, n = square+f.Vortons.V[i].Dot(f.Vortons.V[i]), n+1
			}
		}
		want := 0.05 * math.Sqrt(2./3)
		if got := math.Sqrt(square / n); math.Abs(got/want-1) > 0.15 {
			t.Errorf("cells of %g m: the speed is %.4f m/s, want %.4f", cell, got, want)
		} else {
			t.Logf("cells of %g m: %.4f m/s, expected %.4f; impulse %.2g m⁴/s", cell, got, want, sums.Impulse.Len())
		}
	}
}

// TestStirForLong lets eddies act for several of their turnover times at once: they gain speed as in a random
// walk, by the root of the time.
func TestStirForLong(t *testing.T) {
	box := &shape.Box{Min: vec.New(-0.4, -0.4, -0.4), Max: vec.New(0.4, 0.4, 0.4)}
	f := &Flow{Sources: []Source{{Region: box, Temperature: 293, Stop: 1, Eddies: Eddies{Speed: 0.5, Size: 0.2}}}}
	gas := still()
	s := &Mesh{Cell: 0.05, Keep: 1e-4, Most: 1e7, Turn: 0.5, LongestStep: 1}
	if err := f.Advance(s, &gas, 1e-6, nil); err != nil { // the nodes are there, and the gas is nearly at rest
		t.Fatal(err)
	}
	for _, c := range []struct{ turns, gain float64 }{{0.5, 0.5}, {1, 1}, {4, 2}, {9, 3}} {
		s.cleared(s.node[:3])
		s.stir(f, c.turns*f.Sources[0].Eddies.turnover())
		s.velocity()
		square, n := 0., 0.
		for p := range s.lattice.Len() {
			if box.Contains(s.lattice.At(p)) {
				for a := range s.u {
					square += float64(s.u[a][p]) * float64(s.u[a][p])
				}
				n++
			}
		}
		want := 0.5 * c.gain * math.Sqrt(2./3)
		if got := math.Sqrt(square / n); math.Abs(got/want-1) > 0.15 {
			t.Errorf("for %g turnovers: the speed is %.4f m/s, want %.4f", c.turns, got, want)
		}
	}
}

// TestStirRestored checks that a flow that is restored from the state of a frame continues with
// the same bytes, for any number of threads: the eddies depend on the time alone.
func TestStirRestored(t *testing.T) {
	gas := still()
	source := Source{Region: &shape.Box{Min: vec.New(-0.2, -0.2, -0.2), Max: vec.New(0.2, 0.2, 0.2)}, Temperature: 330, Tracers: 100, Stop: 10, Eddies: Eddies{Speed: 2, Size: 0.2}}
	advance := func(f *Flow, end float64) []byte {
		s := &Mesh{Cell: 0.1, Keep: 1e-4, Most: 1e7, Turn: 0.5, LongestStep: 0.05}
		if err := f.Advance(s, &gas, end, nil); err != nil {
			t.Fatal(err)
		}
		f.State(&gas)
		return bytesOf(t, f)
	}
	first := &Flow{Sources: []Source{source}}
	advance(first, 0.15) // other eddies come at 0.1 s
	state := first.State(&gas)
	want := advance(first, 0.25)
	for _, threads := range []int{1, 3} {
		f := &Flow{Sources: []Source{source}}
		if err := f.Restore(state); err != nil {
			t.Fatal(err)
		}
		f.Time = 0.15
		before := runtime.GOMAXPROCS(threads)
		got := advance(f, 0.25)
		runtime.GOMAXPROCS(before)
		if !bytes.Equal(got, want) {
			t.Errorf("a restored flow has other bytes with %d threads", threads)
		}
	}
}
