//go:build amd64 && !noasm

package march

import (
	"math"
	"slices"
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
	var lit [brickNodes][4]float32
	for i := range lit {
		lit[i] = [4]float32{next(), next(), next(), next()}
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

		got, want := make([][5]float32, n), make([][5]float32, n)
		lightsAVX2(&got[0], &lit, &b, &from, &step, n)
		lightsGo(want, &lit, &b, &from, &step)
		if !slices.Equal(got, want) {
			t.Fatalf("%d lights are %v by assembly and %v by plain Go", n, got, want)
		}

		row := func(n int) [][4]float32 {
			l := make([][4]float32, n)
			for k := range l {
				l[k] = [4]float32{next(), next(), next(), next()}
			}
			return l
		}
		width := 1 + int(9*next())
		stride := 1 + int(3*next())
		near, far, sent, sum, now := row(width+1), row(width+1), row(width*stride), row(width*stride), row(width+1)
		left, path := make([]float32, width*stride), make([]float32, width*stride)
		for k := range left {
			left[k], path[k] = next(), next()
		}
		weights, share := [4]float32{next(), next(), next(), next()}, next()
		sum2, now2 := slices.Clone(sum), slices.Clone(now)
		sweepRowAVX2(&now[0], &near[0], &far[0], &sum[0], &sent[0], &left[0], &path[0], width, stride, &weights, share)
		sweepRowGo(now2[:width], near, far, sum2, sent, left, path, stride, &weights, share)
		if !slices.Equal(sum, sum2) || !slices.Equal(now, now2) {
			t.Fatalf("a row of %d cells has other light by assembly", width)
		}
	}
}
