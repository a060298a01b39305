package num

import "testing"

func TestWritten(t *testing.T) {
	for n, want := range map[float64]string{0: "0 bytes", 999: "999 bytes", 999.7: "1 kB", 1234: "1.23 kB", 999600: "1 MB", 25.3e9: "25.3 GB", 4e15: "4e+03 TB"} {
		if got := Bytes(n); got != want {
			t.Errorf("%g bytes: %q, want %q", n, got, want)
		}
	}
	if got := Decimals(-1.25, 1); got != "−1.2" {
		t.Errorf("got %q", got)
	}
}

// TestSplitMix64 compares with the first numbers that the authors' program gives
// for the seed 1234567.
func TestSplitMix64(t *testing.T) {
	x := uint64(1234567)
	for _, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423} {
		x += Golden
		if got := SplitMix64(x); got != want {
			t.Errorf("got %d, want %d", got, want)
		}
	}
}

func TestSmoothstep(t *testing.T) {
	for x, want := range map[float64]float64{0: 0, 2: 0, 3: 0.5, 4: 1, 9: 1} {
		if got := Smoothstep(2, 4, x); got != want {
			t.Errorf("at %g: %g, want %g", x, got, want)
		}
	}
}
