package surface

import (
	"math"

	"breakwater/sim/vec"
)

// spread says how particles are spread around a place, each weighted by
// 1 − (r/reach)³ (Yu and Turk 2013, eq. 11).
type spread struct {
	n    int
	mean vec.Vec3 // from the place, m
	dd   vec.Sym3 // Σ w (d − mean)⊗(d − mean) / Σ w
}

// spreadAround returns the spread of the particles in rows that are closer than reach to
// x.
func spreadAround(x vec.Vec3, particles []vec.Vec3, reach float64, rows *[9][2]int32) (s spread) {
	var sum float64
	for _, r := range rows {
		for j := r[0]; j < r[1]; j++ {
			d := particles[j].Sub(x)
			r2 := d.Dot(d) / (reach * reach)
			if r2 >= 1 {
				continue
			}
			w := 1 - float64(r2*math.Sqrt(r2))
			sum += w
			s.n++
			s.mean = s.mean.Add(d.Mul(w))
			s.dd.XX += float64(w * d.X * d.X)
			s.dd.YY += float64(w * d.Y * d.Y)
			s.dd.ZZ += float64(w * d.Z * d.Z)
			s.dd.XY += float64(w * d.X * d.Y)
			s.dd.YZ += float64(w * d.Y * d.Z)
			s.dd.ZX += float64(w * d.Z * d.X)
		}
	}
	s.mean = s.mean.Mul(1 / sum)
	m := s.mean
	s.dd = vec.Sym3{
		XX: s.dd.XX/sum - float64(m.X*m.X),
		YY: s.dd.YY/sum - float64(m.Y*m.Y),
		ZZ: s.dd.ZZ/sum - float64(m.Z*m.Z),
		XY: s.dd.XY/sum - float64(m.X*m.Y),
		YZ: s.dd.YZ/sum - float64(m.Y*m.Z),
		ZX: s.dd.ZX/sum - float64(m.Z*m.X),
	}
	return s
}
