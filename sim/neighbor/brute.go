package neighbor

import "breakwater/sim/vec"

func init() {
	Finders.Add("brute", "tests every pair: slow, for verification of the others", "", func() Finder { return new(Brute) })
}

// Brute tests every point. It is what the other finders are tested against.
type Brute struct {
	pos []vec.Vec3
	r2  float64
}

// Build implements Finder.
func (b *Brute) Build(pos []vec.Vec3, r float64) { b.pos, b.r2 = pos, r*r }

// Near implements Finder.
func (b *Brute) Near(dst []int32, x vec.Vec3) []int32 {
	for j, y := range b.pos {
		if d := x.Sub(y); d.Dot(d) < b.r2 {
			dst = append(dst, int32(j))
		}
	}
	return dst
}
