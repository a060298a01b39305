package surface

import (
	"math"
	"math/rand/v2"
	"testing"

	"breakwater/sim/longtest"
	"breakwater/sim/vec"
)

// sheet is a layer of particles that is drawn out both ways by a factor.
func sheet(by float64, seed uint64) Cloud {
	const d = 0.02
	rng := rand.New(rand.NewPCG(seed, 4))
	c := Cloud{Spacing: d}
	off := func() float64 { return 0.3 * (rng.Float64() - 0.5) }
	for i := range 16 {
		for k := range 16 {
			c.X = append(c.X, vec.New((float64(i)+off())*by*d, 0.5*off()*d, (float64(k)+off())*by*d))
		}
	}
	return c
}

// TestSheetsStayClosed draws layers out, with and without flattened kernels: with
// them, holes must come later, and the sheet must keep its volume.
func TestSheetsStayClosed(t *testing.T) {
	longtest.NotShort(t)
	first := func(flat bool) float64 {
		m := &sph{meshing: defaults(), Threshold: 0.6, Sheets: flat}
		for by := 1.0; ; by += 0.05 {
			holes := 0
			for seed := range uint64(2) {
				c := sheet(by, seed)
				got := surfaceOf(t, m, c)
				_, pieces := got.Components()
				holes += len(pieces) - (len(got.Pos)-len(got.Tri)/2)/2 // by Euler's formula
				if v := got.Volume() / (float64(len(c.X)) * math.Pow(c.Spacing, 3)); math.Abs(v-1) > 0.02 {
					t.Errorf("drawn out by %.2f, flat %v: %.4g of its volume", by, flat, v)
				}
			}
			if holes > 0 {
				return by
			}
		}
	}
	with, without := first(true), first(false)
	t.Logf("holes from %.2f on, %.2f without", with, without)
	if with < 1.15*without {
		t.Errorf("flattened, sheets have holes when drawn out by %.2f, else by %.2f", with, without)
	}
}
