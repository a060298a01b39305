package numbers

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestHalfFloat(t *testing.T) {
	for b, want := range map[uint16]float64{0: 0, 1: 0x1p-24, 0x3ff: 0x3ffp-24, 0x400: 0x1p-14, 0x3c00: 1, 0xc000: -2, 0x7bff: 65504, 0x7c00: math.Inf(1), 0xfc00: math.Inf(-1)} {
		if got := Half(b); got != want {
			t.Errorf("%#x is %g, want %g", b, got, want)
		}
	}
	if got := Half(0x7c01); got == got {
		t.Errorf("not a number is %g", got)
	}
}

// Every binary16 is itself, and what lies between two of them goes to the nearer one, or
// to the even one.
func TestToHalf(t *testing.T) {
	for b := range uint16(0x7c00) {
		v := float32(Half(b))
		if got := ToHalf(v); got != b {
			t.Fatalf("%g is %#x, want %#x", v, got, b)
		}
		if got := ToHalf(-v); got != b|0x8000 {
			t.Fatalf("%g is %#x, want %#x", -v, got, b|0x8000)
		}
		if b == 0x7bff {
			break
		}
		middle := (v + float32(Half(b+1))) / 2
		below, above := math.Nextafter32(middle, 0), math.Nextafter32(middle, 1e6)
		if low, mid, high := ToHalf(below), ToHalf(middle), ToHalf(above); low != b || high != b+1 || mid != b+b&1 {
			t.Fatalf("%g, %g and %g are %#x, %#x and %#x, want %#x, the even one, and %#x", below, middle, above, low, mid, high, b, b+1)
		}
	}
	for v, want := range map[float32]uint16{65519: 0x7bff, 65520: 0x7bff, 1e30: 0x7bff, -1e30: 0xfbff, 1e-30: 0, -1e-30: 0x8000, math.SmallestNonzeroFloat32: 0} {
		if got := ToHalf(v); got != want {
			t.Errorf("%g is %#x, want %#x", v, got, want)
		}
	}
}

// TestTextNumbers compares the reading in parallel with a plain one, for texts longer
// than a chunk.
func TestTextNumbers(t *testing.T) {
	var b strings.Builder
	var want []float64
	for i := range 200_000 {
		x := math.Sin(float64(i)) * math.Pow(10, float64(i%30-15))
		fmt.Fprintf(&b, "%.*g%s", 1+i%17, x, strings.Repeat(" ", i%3)+"\n")
		var v float64
		fmt.Sscan(fmt.Sprintf("%.*g", 1+i%17, x), &v)
		want = append(want, v)
	}
	text := b.String() + "END"
	for _, n := range []int{0, 1, 100, 65536, len(want)} {
		got, rest, err := ParseAll([]byte(text), n, true)
		if err != nil || !slices.Equal(got, want[:n]) {
			t.Fatalf("%d numbers: %v", n, err)
		}
		_, skipped, err := ParseAll([]byte(text), n, false)
		if err != nil || string(skipped) != string(rest) {
			t.Fatalf("%d numbers: the rest differs, %v", n, err)
		}
		if n == len(want) && strings.TrimSpace(string(rest)) != "END" {
			t.Errorf("%q is left", rest)
		}
	}
	if _, _, err := ParseAll([]byte(text), len(want)+1, true); err == nil || err.Error() != `"END" is not a number` {
		t.Errorf("one number too many: %v", err)
	}
	for s, want := range map[string]float64{"nan": math.NaN(), "-nan(ind)": math.NaN(), "1.#INF": math.Inf(1), "-inf": math.Inf(-1), "Infinity": math.Inf(1), "+1e3": 1000} {
		if got, ok := AnyNumber([]byte(s)); !ok || got != want && !(got != got && want != want) {
			t.Errorf("%s is read as %g, %v", s, got, ok)
		}
	}
	if _, ok := AnyNumber([]byte("info")); ok {
		t.Error("info is read as a number")
	}
}
