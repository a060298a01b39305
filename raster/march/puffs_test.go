package march

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	"breakwater/sim/num"
	"breakwater/sim/vec"
)

// scattered returns n particles at random places in a box.
func scattered(n int, box vec.Box) *Puffs {
	p := &Puffs{X: make([]vec.Vec3, n), V: make([]vec.Vec3, n), Of: make([][Channels]float32, n)}
	s := box.Size()
	for i := range n {
		f := func(k int) float64 { return float64(num.SplitMix64(uint64(3*i+k+1)*num.Golden)>>11) / (1 << 53) }
		p.X[i] = box.Min.Add(vec.New(f(0)*s.X, f(1)*s.Y, f(2)*s.Z))
		p.Of[i] = [Channels]float32{1, float32(i % 2), 0, 0}
	}
	p.Volume = box.Volume() / float64(n)
	return p
}

// TestPuffsKeepAmounts checks that the voxels hold what the particles do, however these
// are shaped.
func TestPuffsKeepAmounts(t *testing.T) {
	for _, size := range []vec.Vec3{vec.New(1, 1, 1), vec.New(1, 0.01, 1), vec.New(2, 0.02, 0.02)} {
		for _, shutter := range []float64{0, 0.03} {
			p := scattered(500, vec.Box{Max: size})
			p.Edge, p.Time = 0.02, shutter
			for i := range p.V {
				p.V[i] = vec.New(1, 2, -1)
			}
			sum := [Channels]float64{}
			for _, f := range p.fields() {
				for _, v := range f.Values {
					for k, x := range v {
						sum[k] += float64(x) * p.Edge * p.Edge * p.Edge
					}
				}
			}
			want := p.Volume * 500
			if math.Abs(sum[0]/want-1) > 1e-4 || math.Abs(sum[1]/want-0.5) > 1e-4 {
				t.Errorf("%v, shutter %g s: amounts %.6g and %.6g, want %.6g and %.6g", size, shutter, sum[0], sum[1], want, want/2)
			}
		}
	}
}

// TestPuffsAreEven checks that random particles in a block have about the density 1 in its middle, and that a thin
// sheet stays thin.
func TestPuffsAreEven(t *testing.T) {
	p := scattered(6000, vec.Box{Max: vec.New(1, 1, 1)})
	p.Edge = 0.03
	n, sum, squares := 0.0, 0.0, 0.0
	for _, f := range p.fields() {
		for i, v := range f.Values {
			x := vec.New(float64(int(f.At[0])+i>>6), float64(int(f.At[1])+i>>3&7), float64(int(f.At[2])+i&7)).Mul(p.Edge)
			if d, _ := (vec.Box{Min: vec.New(0.2, 0.2, 0.2), Max: vec.New(0.8, 0.8, 0.8)}).Dist(x); d < 0 {
				n, sum, squares = n+1, sum+float64(v[0]), squares+float64(v[0])*float64(v[0])
			}
		}
	}
	mean := sum / n
	if dev := math.Sqrt(squares/n - mean*mean); math.Abs(mean-1) > 0.03 || dev > 0.25 {
		t.Errorf("density %.3f ± %.3f, want 1 ± 0.25 at the most", mean, dev)
	}
	sheet := scattered(5000, vec.Box{Max: vec.New(1, 0.002, 1)})
	sheet.Edge = 0.02
	highest := 0.0
	for _, f := range sheet.fields() {
		for i, v := range f.Values {
			if v[0] > 0 {
				highest = max(highest, math.Abs(float64(int(f.At[1])+i>>3&7)*sheet.Edge))
			}
		}
	}
	if highest > 3.5*sheet.Edge {
		t.Errorf("a sheet reaches %.3f m, want %.3f m at the most", highest, 3.5*sheet.Edge)
	}
}

// TestPuffsSameBytes makes grids with several numbers of threads.
func TestPuffsSameBytes(t *testing.T) {
	p := scattered(3000, vec.Box{Max: vec.New(0.5, 0.4, 0.3)})
	p.Edge = 0.02
	first := ""
	for _, n := range []int{1, 2, 7} {
		old := runtime.GOMAXPROCS(n)
		got := fmt.Sprint(p.fields())
		runtime.GOMAXPROCS(old)
		if first == "" {
			first = got
		}
		if got != first {
			t.Errorf("%d threads make another grid", n)
		}
	}
}

// TestPuffsAtOnePlace has more particles at one place than make the shape of a puff, before and
// after others.
func TestPuffsAtOnePlace(t *testing.T) {
	p := &Puffs{Volume: 1, Edge: 0.5}
	for k := range 3 * neighbours {
		x := vec.New(1, 1, 1)
		if k%3 == 0 {
			x.X += float64(k) / 8
		}
		p.X, p.V, p.Of = append(p.X, x), append(p.V, vec.Vec3{}), append(p.Of, [Channels]float32{1})
	}
	sum := 0.0
	for _, f := range p.fields() {
		for _, v := range f.Values {
			sum += float64(v[0]) * 0.125
		}
	}
	if want := float64(len(p.X)); math.Abs(sum/want-1) > 3e-4 {
		t.Errorf("the voxels hold %g m³, want %g", sum, want)
	}
}

// fields returns the quantities on the grid.
func (p *Puffs) fields() []Field { return onGrid(p, func(f *Field) Field { return *f }) }
