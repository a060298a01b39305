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
