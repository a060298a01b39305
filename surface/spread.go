package surface

import (
	"math"

	"breakwater/sim/vec"
)

// spread says how particles are spread around a place, each weighted by
// 1 − (r/reach)³ (Yu and Turk 2013, eq. 11).
type spread struct {
	n    int
	mean vec.Vec3   // from the place, m
	dd   [6]float64 // Σ w (d − mean)⊗(d − mean) / Σ w: xx, yy, zz, xy, yz, zx
}

// spreadAround returns how those of the particles in rows are spread that are
// closer than reach to x.
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
			s.dd[0] += w * d.X * d.X
			s.dd[1] += w * d.Y * d.Y
			s.dd[2] += w * d.Z * d.Z
			s.dd[3] += w * d.X * d.Y
			s.dd[4] += w * d.Y * d.Z
			s.dd[5] += w * d.Z * d.X
		}
	}
	s.mean = s.mean.Mul(1 / sum)
	for k, m := range [6]float64{s.mean.X * s.mean.X, s.mean.Y * s.mean.Y, s.mean.Z * s.mean.Z, s.mean.X * s.mean.Y, s.mean.Y * s.mean.Z, s.mean.Z * s.mean.X} {
		s.dd[k] = s.dd[k]/sum - m
	}
	return s
}

// axes returns the directions in which the particles are spread, perpendicular to
// each other and of unit length, and the mean squares of how far, m².
func (s *spread) axes() (values [3]float64, axes [3]vec.Vec3) { return eigen(s.dd) }

// eigen returns the eigenvalues and unit eigenvectors of the symmetric matrix
// with the elements xx, yy, zz, xy, yz, zx, by Jacobi's rotations.
func eigen(m [6]float64) (values [3]float64, axes [3]vec.Vec3) {
	a := [3][3]float64{{m[0], m[3], m[5]}, {m[3], m[1], m[4]}, {m[5], m[4], m[2]}}
	v := [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}} // rows are the axes
	for range 12 {
		off := a[0][1]*a[0][1] + a[1][2]*a[1][2] + a[0][2]*a[0][2]
		if off < 1e-24*(a[0][0]*a[0][0]+a[1][1]*a[1][1]+a[2][2]*a[2][2]) {
			break
		}
		for _, pq := range [3][2]int{{0, 1}, {1, 2}, {0, 2}} {
			p, q := pq[0], pq[1]
			if a[p][q] == 0 {
				continue
			}
			theta := (a[q][q] - a[p][p]) / (2 * a[p][q])
			t := math.Copysign(1/(math.Abs(theta)+math.Sqrt(theta*theta+1)), theta)
			cos := 1 / math.Sqrt(t*t+1)
			sin := t * cos
			for k := range 3 {
				a[k][p], a[k][q] = cos*a[k][p]-sin*a[k][q], sin*a[k][p]+cos*a[k][q]
			}
			for k := range 3 {
				a[p][k], a[q][k] = cos*a[p][k]-sin*a[q][k], sin*a[p][k]+cos*a[q][k]
				v[p][k], v[q][k] = cos*v[p][k]-sin*v[q][k], sin*v[p][k]+cos*v[q][k]
			}
		}
	}
	for k := range 3 {
		values[k], axes[k] = a[k][k], vec.New(v[k][0], v[k][1], v[k][2])
	}
	return values, axes
}
