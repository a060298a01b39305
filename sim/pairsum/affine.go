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

// Moments sets, for each particle i of p, with d = x_j − x_i, x and s the first three of
// at and its S, the columns of out_i to
//
//	Σ_j f_ij d = Σ_j h V ∇W_ij, and S is Σ_j f_ij,
//	Σ_j f_ij (d_x², d_y², d_z²), and S is Σ_j f_ij (s_j − s_i), as of Differences,
//	Σ_j f_ij (d_x d_y, d_y d_z, d_z d_x), and S is without meaning.
func (p *Pairs) Moments(out []Mat3, at []Vec4) { moments(out, at, p) }

// SquaredMoments sets square_(i−First) and across_(i−First) to the second and the third
// column of Moments with the squares of f; S of both is without meaning.
func (p *Pairs) SquaredMoments(square, across, at []Vec4) {
	squaredMoments(square, at, p, false)
	squaredMoments(across, at, p, true)
}

// CorrectedGradient sets, for each particle i of p, with d = x_j − x_i,
//
//	out_i = Σ_j f_ij m_j d;
//
// S of out is without meaning.
func (p *Pairs) CorrectedGradient(out, at []Vec4, m []Mat3) { correctedGradient(out, at, m, p) }

// PressureGradients sets, for each particle i of p, the columns of out_i to
//
//	Σ_j f_ij m_j d, as CorrectedGradient,
//	Σ_j (s_i + s_j) f_ij d, as Gradient,
//	Σ_j q_j f_ij d,
//
// with s and q the S of at and of the first column of m; S of all three is without meaning.
func (p *Pairs) PressureGradients(out []Mat3, at []Vec4, m []Mat3) {
	pressureGradients(out, at, m, p)
}

// CorrectedDivergence sets, for each particle i of p,
//
//	out_i = Σ_j f_ij (v_i − v_j)·(m_i (x_j − x_i)).
func (p *Pairs) CorrectedDivergence(out []float32, at, v []Vec4, m []Mat3) {
	correctedDivergence(out, at, v, m, p)
}

func momentsGo(out []Mat3, at []Vec4, p *Pairs) {
	for i := range p.Len() {
		xi, j := &at[p.First+i], p.Base[i]
		var g, a, b [4]Vec4
		for _, c := range p.List[p.Start[i]:p.Start[i+1]] {
			for k := range a {
				j += int32(c.Step[k])
				xj, f := &at[j], single[c.F[k]]
				x, y, z := xj.X-xi.X, xj.Y-xi.Y, xj.Z-xi.Z
				fx, fy, fz := float32(f*x), float32(f*y), float32(f*z)
				g[k].X, g[k].Y, g[k].Z, g[k].S = g[k].X+fx, g[k].Y+fy, g[k].Z+fz, g[k].S+f
				a[k].X += float32(fx * x)
				a[k].Y += float32(fy * y)
				a[k].Z += float32(fz * z)
				a[k].S += float32(f * (xj.S - xi.S))
				b[k].X += float32(fx * y)
				b[k].Y += float32(fy * z)
				b[k].Z += float32(fz * x)
			}
		}
		out[p.First+i] = Mat3{fold4(&g), fold4(&a), fold4(&b)}
	}
}

func squaredMomentsGo(out, at []Vec4, p *Pairs, turned bool) {
	for i := range p.Len() {
		xi, j := &at[p.First+i], p.Base[i]
		var a [4]Vec4
		for _, c := range p.List[p.Start[i]:p.Start[i+1]] {
			for k := range a {
				j += int32(c.Step[k])
				xj, f := &at[j], single[c.F[k]]
				f = float32(f * f)
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

func correctedGradientGo(out, at []Vec4, m []Mat3, p *Pairs) {
	for i := range p.Len() {
		xi, j := &at[p.First+i], p.Base[i]
		var a [4]Vec4
		for _, c := range p.List[p.Start[i]:p.Start[i+1]] {
			for k := range a {
				j += int32(c.Step[k])
				xj, f := &at[j], single[c.F[k]]
				y := m[j].Of(xj.X-xi.X, xj.Y-xi.Y, xj.Z-xi.Z)
				a[k].X += float32(f * y.X)
				a[k].Y += float32(f * y.Y)
				a[k].Z += float32(f * y.Z)
			}
		}
		out[p.First+i] = fold4(&a)
	}
}

func pressureGradientsGo(out []Mat3, at []Vec4, m []Mat3, p *Pairs) {
	for i := range p.Len() {
		xi, j := &at[p.First+i], p.Base[i]
		var a, b, e [4]Vec4
		for _, c := range p.List[p.Start[i]:p.Start[i+1]] {
			for k := range a {
				j += int32(c.Step[k])
				xj, f := &at[j], single[c.F[k]]
				x, y, z := xj.X-xi.X, xj.Y-xi.Y, xj.Z-xi.Z
				s, q := float32(f*(xj.S+xi.S)), float32(f*m[j].X.S)
				u := m[j].Of(x, y, z)
				a[k].X += float32(f * u.X)
				a[k].Y += float32(f * u.Y)
				a[k].Z += float32(f * u.Z)
				b[k].X += float32(s * x)
				b[k].Y += float32(s * y)
				b[k].Z += float32(s * z)
				e[k].X += float32(q * x)
				e[k].Y += float32(q * y)
				e[k].Z += float32(q * z)
			}
		}
		out[p.First+i] = Mat3{fold4(&a), fold4(&b), fold4(&e)}
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
