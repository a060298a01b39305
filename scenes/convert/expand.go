package convert

import (
	"fmt"
	"math"
	"slices"

	"breakwater/out"
	"breakwater/out/particles"
	"breakwater/raster/grains"
	"breakwater/sim/particle"
)

// Expanded returns the parcels of f, made by Frame, as up to most points each. A parcel
// of two drops or bubbles has two points, and one of many has most, which share its count. They
// lie about its place, within grains.Apart times the spacing d, and have the number of the
// parcel times most, plus 0, 1 and so on. It fails if such a number exceeds 32 bits.
func Expanded(f *out.Frame, most int, d float64) (*out.Frame, error) {
	if most <= 1 {
		return f, nil
	}
	count := f.Fields[slices.IndexFunc(f.Fields, func(g particles.Field) bool { return g.Name == out.ParcelCount })].Scalar
	from := f.Particles
	to := &particle.Set{}
	g := *f
	g.Particles, g.Fields = to, slices.Clone(f.Fields)
	for k := range g.Fields {
		g.Fields[k].Scalar = nil
	}
	for i := range from.Len() {
		points := Points(count[i], most)
		last := uint64(from.ID[i])*uint64(most) + uint64(points-1)
		if last > math.MaxUint32 {
			return nil, fmt.Errorf("parcel %d would have points with numbers up to %d, above %d; use an expand below %d", from.ID[i], last, uint32(math.MaxUint32), most)
		}
		for k := range points {
			x := from.X[i]
			if points > 1 {
				x = x.Add(grains.Offset(uint64(from.ID[i]), k).Mul(grains.Apart * d))
			}
			to.X, to.V, to.Rho = append(to.X, x), append(to.V, from.V[i]), append(to.Rho, from.Rho[i])
			to.ID = append(to.ID, from.ID[i]*uint32(most)+uint32(k))
			for j := range g.Fields {
				v := f.Fields[j].Scalar[i]
				if g.Fields[j].Name == out.ParcelCount {
					v /= float64(points)
				}
				g.Fields[j].Scalar = append(g.Fields[j].Scalar, v)
			}
		}
	}
	return &g, nil
}

// Points returns how many points Expanded makes of a parcel of count drops or bubbles.
func Points(count float64, most int) int {
	return int(max(1, min(float64(most), math.Floor(count))))
}
