package pairsum

// Mat3 is a matrix by its columns; S of those is without meaning.
type Mat3 struct{ X, Y, Z Vec4 }

// Of returns m (x, y, z).
func (m *Mat3) Of(x, y, z float32) Vec4 {
	return Vec4{
		X: (float32(x*m.X.X) + float32(y*m.Y.X)) + float32(z*m.Z.X),
		Y: (float32(x*m.X.Y) + float32(y*m.Y.Y)) + float32(z*m.Z.Y),
		Z: (float32(x*m.X.Z) + float32(y*m.Y.Z)) + float32(z*m.Z.Z),
	}
}

// Moments sets, for each particle i of p, with d = x_j − x_i, x the first three
// of at,
//
//	square_(i−First) = Σ_j f_ij (d_x², d_y², d_z²),
//	across_(i−First) = Σ_j f_ij (d_x d_y, d_y d_z, d_z d_x),
//
// or the same with the squares of f; S of both is without meaning.
func (p *Pairs) Moments(square, across, at []Vec4, squared bool) {
	moments(square, at, p, false, squared)
	moments(across, at, p, true, squared)
}

// CorrectedGradient sets, for each particle i of p,
//
//	out_i = Σ_j f_ij M_j d
//
// with x_j − x_i for d and M_j the matrix of the columns mx, my and mz; S of out
// is without meaning.
func (p *Pairs) CorrectedGradient(out, at, mx, my, mz []Vec4) {
	correctedGradient(out, at, mx, my, mz, p)
}

// CorrectedDivergence sets, for each particle i of p,
//
//	out_i = Σ_j f_ij (v_i − v_j)·(m_i (x_j − x_i)).
func (p *Pairs) CorrectedDivergence(out []float32, at, v []Vec4, m []Mat3) {
	correctedDivergence(out, at, v, m, p)
}

func momentsGo(out, at []Vec4, p *Pairs, turned, squared bool) {
	for i := range p.Len() {
		xi, j := &at[p.First+i], p.Base[i]
		var a [4]Vec4
		for _, c := range p.List[p.Start[i]:p.Start[i+1]] {
			for k := range a {
				j += int32(c.Step[k])
				xj, f := &at[j], single[c.F[k]]
				if squared {
					f = f * f
				}
				x, y, z := xj.X-xi.X, xj.Y-xi.Y, xj.Z-xi.Z
				b := Vec4{X: x, Y: y, Z: z}
				if turned {
					b = Vec4{X: y, Y: z, Z: x}
				}
				a[k].X += float32(float32(f*x) * b.X)
				a[k].Y += float32(float32(f*y) * b.Y)
				a[k].Z += float32(float32(f*z) * b.Z)
			}
		}
		out[i] = fold4(&a)
	}
}

func correctedGradientGo(out, at, mx, my, mz []Vec4, p *Pairs) {
	for i := range p.Len() {
		xi, j := &at[p.First+i], p.Base[i]
		var a [4]Vec4
		for _, c := range p.List[p.Start[i]:p.Start[i+1]] {
			for k := range a {
				j += int32(c.Step[k])
				xj, f := &at[j], single[c.F[k]]
				m := Mat3{mx[j], my[j], mz[j]}
				y := m.Of(xj.X-xi.X, xj.Y-xi.Y, xj.Z-xi.Z)
				a[k].X += float32(f * y.X)
				a[k].Y += float32(f * y.Y)
				a[k].Z += float32(f * y.Z)
			}
		}
		out[p.First+i] = fold4(&a)
	}
}

func correctedDivergenceGo(out []float32, at, v []Vec4, m []Mat3, p *Pairs) {
	for i := range p.Len() {
		xi, vi, m, j := &at[p.First+i], &v[p.First+i], &m[p.First+i], p.Base[i]
		var a [4]Vec4
		for _, c := range p.List[p.Start[i]:p.Start[i+1]] {
			for k := range a {
				j += int32(c.Step[k])
				xj, vj, f := &at[j], &v[j], single[c.F[k]]
				y := m.Of(xj.X-xi.X, xj.Y-xi.Y, xj.Z-xi.Z)
				a[k].X += float32(f * float32((vi.X-vj.X)*y.X))
				a[k].Y += float32(f * float32((vi.Y-vj.Y)*y.Y))
				a[k].Z += float32(f * float32((vi.Z-vj.Z)*y.Z))
			}
		}
		s := fold4(&a)
		out[p.First+i] = s.X + s.Y + s.Z
	}
}
