package body

import "slices"

// Keyed returns the value and its rate at time t between keyframes, whose times ascend.
// It is a cubic Hermite interpolation with the slopes of Fritsch and Butland (SIAM J.
// Sci. Stat. Comput. 5, 1984), which is smooth, never overshoots, and starts and ends at
// rest.
func Keyed(times []float64, t float64, value func(k int) float64) (x, rate float64) {
	last := len(times) - 1
	switch {
	case t <= times[0]:
		return value(0), 0
	case t >= times[last]:
		return value(last), 0
	}
	k, found := slices.BinarySearch(times, t)
	if !found {
		k--
	}
	span := times[k+1] - times[k]
	u := (t - times[k]) / span
	a, b := value(k), value(k+1)
	va, vb := float64(keySlope(times, k, value)*span), float64(keySlope(times, k+1, value)*span)
	c2, c3 := float64(3*(b-a))-float64(2*va)-vb, float64(2*(a-b))+va+vb
	return a + float64(u*(va+float64(u*(c2+float64(u*c3))))), (va + float64(u*(float64(2*c2)+float64(3*u*c3)))) / span
}

// keySlope returns the rate at keyframe k: none at the ends and where the
// course turns back.
func keySlope(times []float64, k int, value func(k int) float64) float64 {
	if k == 0 || k == len(times)-1 {
		return 0
	}
	h0, h1 := times[k]-times[k-1], times[k+1]-times[k]
	s0, s1 := (value(k)-value(k-1))/h0, (value(k+1)-value(k))/h1
	if s0*s1 <= 0 {
		return 0
	}
	return 3 * (h0 + h1) / ((float64(2*h1)+h0)/s0 + (h1+float64(2*h0))/s1)
}
