package vec

import "math"

// Sym3 is a symmetric 3×3 matrix.
type Sym3 struct{ XX, YY, ZZ, XY, YZ, ZX float64 }

// AddOuter adds s v⊗v to m.
func (m *Sym3) AddOuter(v Vec3, s float64) {
	m.XX += float64(s * v.X * v.X)
	m.YY += float64(s * v.Y * v.Y)
	m.ZZ += float64(s * v.Z * v.Z)
	m.XY += float64(s * v.X * v.Y)
	m.YZ += float64(s * v.Y * v.Z)
	m.ZX += float64(s * v.X * v.Z)
}

// Add returns m+n.
func (m Sym3) Add(n Sym3) Sym3 {
	return Sym3{m.XX + n.XX, m.YY + n.YY, m.ZZ + n.ZZ, m.XY + n.XY, m.YZ + n.YZ, m.ZX + n.ZX}
}

// Scale returns s·m.
func (m Sym3) Scale(s float64) Sym3 {
	return Sym3{float64(s * m.XX), float64(s * m.YY), float64(s * m.ZZ), float64(s * m.XY), float64(s * m.YZ), float64(s * m.ZX)}
}

// Times returns m v.
func (m *Sym3) Times(v Vec3) Vec3 {
	return Vec3{
		float64(m.XX*v.X) + float64(m.XY*v.Y) + float64(m.ZX*v.Z),
		float64(m.XY*v.X) + float64(m.YY*v.Y) + float64(m.YZ*v.Z),
		float64(m.ZX*v.X) + float64(m.YZ*v.Y) + float64(m.ZZ*v.Z),
	}
}

// Rows returns the rows of m.
func (m *Sym3) Rows() [3][3]float64 {
	return [3][3]float64{{m.XX, m.XY, m.ZX}, {m.XY, m.YY, m.YZ}, {m.ZX, m.YZ, m.ZZ}}
}

// Trace returns the sum of the diagonal.
func (m *Sym3) Trace() float64 { return m.XX + m.YY + m.ZZ }

// Square returns the sum of the squares of the nine elements of m.
func (m *Sym3) Square() float64 {
	return float64(m.XX*m.XX) + float64(m.YY*m.YY) + float64(m.ZZ*m.ZZ) + float64(2*(float64(m.XY*m.XY)+float64(m.YZ*m.YZ)+float64(m.ZX*m.ZX)))
}

// Adjugate returns the determinant of m, and the adjugate: the inverse times the
// determinant.
func (m *Sym3) Adjugate() (adj Sym3, det float64) {
	adj = Sym3{
		XX: float64(m.YY*m.ZZ) - float64(m.YZ*m.YZ),
		YY: float64(m.XX*m.ZZ) - float64(m.ZX*m.ZX),
		ZZ: float64(m.XX*m.YY) - float64(m.XY*m.XY),
		XY: float64(m.ZX*m.YZ) - float64(m.XY*m.ZZ),
		YZ: float64(m.XY*m.ZX) - float64(m.XX*m.YZ),
		ZX: float64(m.XY*m.YZ) - float64(m.ZX*m.YY),
	}
	return adj, float64(m.XX*adj.XX) + float64(m.XY*adj.XY) + float64(m.ZX*adj.ZX)
}

// Eigen returns the eigenvalues and unit eigenvectors of m, by Jacobi rotations.
func (m *Sym3) Eigen() (values [3]float64, axes [3]Vec3) {
	a := m.Rows()
	v := [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}} // rows are the axes
	for range 12 {
		off := float64(a[0][1]*a[0][1]) + float64(a[1][2]*a[1][2]) + float64(a[0][2]*a[0][2])
		if off < 1e-24*(float64(a[0][0]*a[0][0])+float64(a[1][1]*a[1][1])+float64(a[2][2]*a[2][2])) {
			break
		}
		for _, pq := range [3][2]int{{0, 1}, {1, 2}, {0, 2}} {
			p, q := pq[0], pq[1]
			if a[p][q] == 0 {
				continue
			}
			theta := (a[q][q] - a[p][p]) / (2 * a[p][q])
			t := math.Copysign(1/(math.Abs(theta)+math.Sqrt(float64(theta*theta)+1)), theta)
			cos := 1 / math.Sqrt(float64(t*t)+1)
			sin := float64(t * cos)
			for k := range 3 {
				a[k][p], a[k][q] = float64(cos*a[k][p])-float64(sin*a[k][q]), float64(sin*a[k][p])+float64(cos*a[k][q])
			}
			for k := range 3 {
				a[p][k], a[q][k] = float64(cos*a[p][k])-float64(sin*a[q][k]), float64(sin*a[p][k])+float64(cos*a[q][k])
				v[p][k], v[q][k] = float64(cos*v[p][k])-float64(sin*v[q][k]), float64(sin*v[p][k])+float64(cos*v[q][k])
			}
		}
	}
	for k := range 3 {
		values[k], axes[k] = a[k][k], Vec3{v[k][0], v[k][1], v[k][2]}
	}
	return values, axes
}

// LargestEigenvalue returns the largest eigenvalue of m in closed form (Smith,
// Eigenvalues of a symmetric 3 × 3 matrix, Commun. ACM 4, 1961).
func (m *Sym3) LargestEigenvalue() float64 {
	mean := m.Trace() / 3
	x, y, z := m.XX-mean, m.YY-mean, m.ZZ-mean
	p2 := (float64(x*x) + float64(y*y) + float64(z*z) + float64(2*(float64(m.XY*m.XY)+float64(m.YZ*m.YZ)+float64(m.ZX*m.ZX)))) / 6
	if p2 == 0 {
		return mean
	}
	det := float64(x*(float64(y*z)-float64(m.YZ*m.YZ))) - float64(m.XY*(float64(m.XY*z)-float64(m.YZ*m.ZX))) + float64(m.ZX*(float64(m.XY*m.YZ)-float64(y*m.ZX)))
	p := math.Sqrt(p2)
	r := max(-1, min(1, det/(2*p*p2)))
	return mean + float64(2*p*math.Cos(math.Acos(r)/3))
}
