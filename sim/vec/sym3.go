package vec

import "math"

// Sym3 is a symmetric 3×3 matrix.
type Sym3 struct{ XX, YY, ZZ, XY, YZ, ZX float64 }

// AddOuter adds s v⊗v to m.
func (m *Sym3) AddOuter(v Vec3, s float64) {
	m.XX += s * v.X * v.X
	m.YY += s * v.Y * v.Y
	m.ZZ += s * v.Z * v.Z
	m.XY += s * v.X * v.Y
	m.YZ += s * v.Y * v.Z
	m.ZX += s * v.X * v.Z
}

// Add returns m+n.
func (m Sym3) Add(n Sym3) Sym3 {
	return Sym3{m.XX + n.XX, m.YY + n.YY, m.ZZ + n.ZZ, m.XY + n.XY, m.YZ + n.YZ, m.ZX + n.ZX}
}

// Scale returns s·m.
func (m Sym3) Scale(s float64) Sym3 {
	return Sym3{s * m.XX, s * m.YY, s * m.ZZ, s * m.XY, s * m.YZ, s * m.ZX}
}

// Times returns m v.
func (m *Sym3) Times(v Vec3) Vec3 {
	return Vec3{
		m.XX*v.X + m.XY*v.Y + m.ZX*v.Z,
		m.XY*v.X + m.YY*v.Y + m.YZ*v.Z,
		m.ZX*v.X + m.YZ*v.Y + m.ZZ*v.Z,
	}
}

// Rows returns the rows of m.
func (m *Sym3) Rows() [3][3]float64 {
	return [3][3]float64{{m.XX, m.XY, m.ZX}, {m.XY, m.YY, m.YZ}, {m.ZX, m.YZ, m.ZZ}}
}

// Trace returns the sum of the diagonal.
func (m *Sym3) Trace() float64 { return m.XX + m.YY + m.ZZ }

// Adjugate returns the determinant of m, and the adjugate: the inverse times the
// determinant.
func (m *Sym3) Adjugate() (adj Sym3, det float64) {
	adj = Sym3{
		XX: m.YY*m.ZZ - m.YZ*m.YZ,
		YY: m.XX*m.ZZ - m.ZX*m.ZX,
		ZZ: m.XX*m.YY - m.XY*m.XY,
		XY: m.ZX*m.YZ - m.XY*m.ZZ,
		YZ: m.XY*m.ZX - m.XX*m.YZ,
		ZX: m.XY*m.YZ - m.ZX*m.YY,
	}
	return adj, m.XX*adj.XX + m.XY*adj.XY + m.ZX*adj.ZX
}

// Eigen returns the eigenvalues and unit eigenvectors of m, by Jacobi rotations.
func (m *Sym3) Eigen() (values [3]float64, axes [3]Vec3) {
	a := m.Rows()
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
		values[k], axes[k] = a[k][k], Vec3{v[k][0], v[k][1], v[k][2]}
	}
	return values, axes
}

// LargestEigenvalue returns the largest eigenvalue of m in closed form (Smith,
// Eigenvalues of a symmetric 3 × 3 matrix, Commun. ACM 4, 1961).
func (m *Sym3) LargestEigenvalue() float64 {
	mean := m.Trace() / 3
	x, y, z := m.XX-mean, m.YY-mean, m.ZZ-mean
	p2 := (x*x + y*y + z*z + 2*(m.XY*m.XY+m.YZ*m.YZ+m.ZX*m.ZX)) / 6
	if p2 == 0 {
		return mean
	}
	det := x*(y*z-m.YZ*m.YZ) - m.XY*(m.XY*z-m.YZ*m.ZX) + m.ZX*(m.XY*m.YZ-y*m.ZX)
	p := math.Sqrt(p2)
	r := max(-1, min(1, det/(2*p*p2)))
	return mean + 2*p*math.Cos(math.Acos(r)/3)
}
