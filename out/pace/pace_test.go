package pace

import (
	"math"
	"testing"
	"time"
)

// TestETA runs stages on a clock of their own. From the third frame on, the estimated
// time left must be the time that is left.
func TestETA(t *testing.T) {
	equal := func(n int, s float64) []float64 {
		list := make([]float64, n)
		for i := range list {
			list[i] = s
		}
		return list
	}
	with := func(list []float64, i int, s float64) []float64 {
		list[i] = s
		return list
	}
	growing, work := equal(60, 0), equal(60, 0)
	for i := range growing { // as liquid flows in; the first frame is the start
		work[i] = float64(i)
		growing[i] = 0.1 * float64(i)
	}
	bursts := equal(80, 0) // pictures are asked for four at a time
	for i := 3; i < len(bursts); i += 4 {
		bursts[i] = 0.4
	}
	for _, c := range []struct {
		name  string
		took  []float64 // by the frames
		work  []float64 // nil for frames that are alike
		after int       // frames from which on it is right
		off   float64   // at most, as a share
	}{
		{"steady", equal(90, 0.8), nil, 3, 1e-9},
		{"a first frame that readies much", with(equal(90, 0.8), 0, 45), nil, 3, 1e-9},
		{"a first frame of nothing", with(equal(90, 0.8), 0, 0), nil, 3, 1e-9},
		{"a machine that slept", with(equal(90, 0.8), 20, 3600), nil, 3, 0.35},
		{"more to do each time", growing, work, 3, 1e-9},
		{"bursts", bursts, nil, 8, 0.5},
	} {
		if c.work == nil {
			c.work = equal(len(c.took), 1)
		}
		clock := time.Unix(1000, 0)
		p := of(c.work, func() time.Time { return clock })
		for i, s := range c.took {
			clock = clock.Add(time.Duration(s * 1e9))
			if got := p.Next(); math.Abs(got-s) > 1e-6 {
				t.Fatalf("%s: frame %d took %g s, but %g s were reported", c.name, i+1, s, got)
			}
			left := 0.
			for j, s := range c.took[i+1:] {
				if s < 1000 || i+1+j < 3 { // which nobody can know
					left += s
				}
			}
			switch eta := p.ETA(); {
			case i+1 < least:
				if eta != 0 {
					t.Errorf("%s: %g s left after %d frames", c.name, eta, i+1)
				}
			case i+1 >= c.after && math.Abs(eta-left) > c.off*max(left, 1):
				t.Errorf("%s: %.3g s left after %d frames, want %.3g s", c.name, eta, i+1, left)
			}
		}
	}
}

// TestSkip leaves frames out that take no time.
func TestSkip(t *testing.T) {
	clock := time.Unix(1000, 0)
	p := of([]float64{1, 1, 1, 1, 1, 1}, func() time.Time { return clock })
	for range 3 {
		clock = clock.Add(time.Second)
		p.Next()
	}
	p.Skip()
	if eta := p.ETA(); math.Abs(eta-2) > 1e-9 {
		t.Errorf("%g s left, want 2 s", eta)
	}
	if s := p.Seconds(); s != 3 {
		t.Errorf("%g s since the start", s)
	}

	b := Batches(10)
	b.begun, b.frame, b.now = clock, clock, func() time.Time { return clock }
	if eta := b.ETA(); eta != 0 {
		t.Errorf("%g s left before a batch", eta)
	}
	clock = clock.Add(5 * time.Second)
	b.Next()
	if eta := b.ETA(); math.Abs(eta-45) > 1e-9 {
		t.Errorf("%g s left, want 45 s", eta)
	}
}
