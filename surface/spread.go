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
			w := 1 - r2*math.Sqrt(r2)
			sum += w
			s.n++
			s.mean = s.mean.Add(d.Mul(w))
			s.dd.XX += w * d.X * d.X
			s.dd.YY += w * d.Y * d.Y
			s.dd.ZZ += w * d.Z * d.Z
			s.dd.XY += w * d.X * d.Y
			s.dd.YZ += w * d.Y * d.Z
			s.dd.ZX += w * d.Z * d.X
		}
	}
	s.mean = s.mean.Mul(1 / sum)
	m := s.mean
	s.dd = vec.Sym3{
		XX: s.dd.XX/sum - m.X*m.X,
		YY: s.dd.YY/sum - m.Y*m.Y,
		ZZ: s.dd.ZZ/sum - m.Z*m.Z,
		XY: s.dd.XY/sum - m.X*m.Y,
		YZ: s.dd.YZ/sum - m.Y*m.Z,
		ZX: s.dd.ZX/sum - m.Z*m.X,
	}
	return s
}
