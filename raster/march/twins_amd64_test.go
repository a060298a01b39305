//go:build amd64 && !noasm

package march

import (
	"math"
	"testing"

	"breakwater/sim/dice"
)

// TestTwins: the assembly gives the bits of plain Go.
func TestTwins(t *testing.T) {
	if !avx2 {
		t.Skip("the processor has no AVX2")
	}
	d := dice.New(26)
	counter := uint64(0)
	next := func() float32 { counter++; return float32(d.Float(counter)) }
	var b [brickNodes]float32
	for i := range b {
		b[i] = next()
	}
	for range 200 {
		var one [Side][Channels]float32
		for k := range one {
			one[k] = [Channels]float32{next(), next(), next(), next()}
		}
		two := one
		of := [Channels]float32{next(), next(), next(), next()}
		c, slope, a, z, edge := next(), next()-0.5, next(), 4*next()-3, next()
		addRowAVX2(&one, &of, c, slope, a, z, edge)
		addRowGo(&two, &of, c, slope, a, z, edge)
		if one != two {
			t.Fatalf("a row is %v by assembly and %v by plain Go", one, two)
		}
		from, step := [4]float32{10*next() - 1, 10*next() - 1, 10*next() - 1}, [4]float32{next() - 0.5, next() - 0.5, next() - 0.5}
		n := 1 + int(20*next())
		if x, y := samplesAVX2(&b, &from, &step, n), samplesGo(&b, &from, &step, n); math.Float32bits(x) != math.Float32bits(y) {
			t.Fatalf("%d samples are %g by assembly and %g by plain Go", n, x, y)
		}
	}
}

// TestSamples compares the assembly, or plain Go, with values at single points.
func TestSamples(t *testing.T) {
	d := dice.New(27)
	var b [brickNodes]float32
	for i := range b {
		b[i] = float32(d.Float(uint64(i)))
	}
	from, step := [4]float32{0.3, 7.9, 4}, [4]float32{0.7, -0.6, 0.1}
	want := float32(0)
	for k := range 11 {
		var s spot
		x := [3]float32{}
		i := [3]int{}
		for a := range x {
			x[a] = from[a] + float32(k)*step[a]
			i[a] = min(Side-1, int(x[a]))
		}
		s = spot{(i[0]*brickSide+i[1])*brickSide + i[2], x[0] - float32(i[0]), x[1] - float32(i[1]), x[2] - float32(i[2])}
		want += s.value(&b)
	}
	if got := samples(&b, &from, &step, 11); math.Abs(float64(got-want)) > 1e-5 {
		t.Errorf("the samples add up to %g, want %g", got, want)
	}
}
