package pairsum

// All passes sum over the first neighbours of the groups, over the second, the
// third and the fourth by themselves, and then add the four as fold4 does.

// Gradient sets, for each particle i of p,
//
//	out_i = Σ_j (s_i + s_j) f_ij (x_j − x_i) = Σ_j (s_i + s_j) h V ∇W_ij
//
// with f the pair's weight, x the first three of at and s its S; S of out is
// Σ_j (s_i + s_j)² f_ij.
func (p *Pairs) Gradient(out, at []Vec4) { gradient(out, at, p) }

// Divergence sets, for each particle i of p,
//
//	out_i = Σ_j f_ij (v_i − v_j)·(x_j − x_i) = Σ_j (v_i − v_j)·h V ∇W_ij.
func (p *Pairs) Divergence(out []float32, at, v []Vec4) { divergence(out, at, v, p) }

// Diffusion sets, for each particle i of p,
//
//	out_(i−First) = Σ_j f_ij (v_j − v_i),
//
// for S too, as Differences.
func (p *Pairs) Diffusion(out, v []Vec4) { diffusion(out, v, p) }

// Average sets, for each particle i of p,
//
//	out_(i−First) = Σ_j V W_ij (v_j − v_i);
//
// S of out is without meaning. It needs p.W.
func (p *Pairs) Average(out, v []Vec4) { average(out, v, p) }

// Differences sets, for each particle i of p,
//
//	out_i = Σ_j f_ij (k_j − k_i):
//
// half of h² times the Laplacian of k (Morris, Fox and Zhu, Modeling low Reynolds number
// incompressible flows using SPH, J. Comput. Phys. 136, 1997, eq. 22).
func (p *Pairs) Differences(out, k []float32) { differences(out, k, p) }

func differencesGo(out, k []float32, p *Pairs) {
	for i := range p.Len() {
		ki, j := k[p.First+i], p.Base[i]
		var a [4]float32
		for _, c := range p.List[p.Start[i]:p.Start[i+1]] {
			for m := range a {
				j += int32(c.Step[m])
				a[m] += float32(single[c.F[m]] * (k[j] - ki))
			}
		}
		out[p.First+i] = (a[0] + a[2]) + (a[1] + a[3])
	}
}

func gradientGo(out, at []Vec4, p *Pairs) {
	for i := range p.Len() {
		xi, j := &at[p.First+i], p.Base[i]
		var a [4]Vec4
		for _, c := range p.List[p.Start[i]:p.Start[i+1]] {
			for k := range a {
				j += int32(c.Step[k])
				xj, a := &at[j], &a[k]
				s := xj.S + xi.S
				f := s * single[c.F[k]]
				a.X += float32(f * (xj.X - xi.X))
				a.Y += float32(f * (xj.Y - xi.Y))
				a.Z += float32(f * (xj.Z - xi.Z))
				a.S += float32(f * s)
			}
		}
		out[p.First+i] = fold4(&a)
	}
}

func divergenceGo(out []float32, at, v []Vec4, p *Pairs) {
	for i := range p.Len() {
		xi, vi, j := &at[p.First+i], &v[p.First+i], p.Base[i]
		var a [4]Vec4
		for _, c := range p.List[p.Start[i]:p.Start[i+1]] {
			for k := range a {
				j += int32(c.Step[k])
				xj, vj, a, f := &at[j], &v[j], &a[k], single[c.F[k]]
				a.X += float32(f * float32((vi.X-vj.X)*(xj.X-xi.X)))
				a.Y += float32(f * float32((vi.Y-vj.Y)*(xj.Y-xi.Y)))
				a.Z += float32(f * float32((vi.Z-vj.Z)*(xj.Z-xi.Z)))
			}
		}
		s := fold4(&a)
		out[p.First+i] = s.X + s.Y + s.Z
	}
}

func diffusionGo(out, v []Vec4, p *Pairs) {
	for i := range p.Len() {
		vi, j := &v[p.First+i], p.Base[i]
		var a [4]Vec4
		for _, c := range p.List[p.Start[i]:p.Start[i+1]] {
			for k := range a {
				j += int32(c.Step[k])
				f, vj := single[c.F[k]], &v[j]
				a[k].pull(f, vi, vj)
				a[k].S += float32(f * (vj.S - vi.S))
			}
		}
		out[i] = fold4(&a)
	}
}

func averageGo(out, v []Vec4, p *Pairs) {
	for i := range p.Len() {
		vi, j := &v[p.First+i], p.Base[i]
		var a [4]Vec4
		for n := p.Start[i]; n < p.Start[i+1]; n++ {
			for k := range a {
				j += int32(p.List[n].Step[k])
				a[k].pull(single[p.W[n][k]], vi, &v[j])
			}
		}
		out[i] = fold4(&a)
	}
}

// pull adds f (vj − vi) to a, but for S.
func (a *Vec4) pull(f float32, vi, vj *Vec4) {
	a.X += float32(f * (vj.X - vi.X))
	a.Y += float32(f * (vj.Y - vi.Y))
	a.Z += float32(f * (vj.Z - vi.Z))
}

// fold4 returns (a₀ + a₂) + (a₁ + a₃).
func fold4(a *[4]Vec4) Vec4 {
	return Vec4{
		X: (a[0].X + a[2].X) + (a[1].X + a[3].X),
		Y: (a[0].Y + a[2].Y) + (a[1].Y + a[3].Y),
		Z: (a[0].Z + a[2].Z) + (a[1].Z + a[3].Z),
		S: (a[0].S + a[2].S) + (a[1].S + a[3].S),
	}
}

// AddScaled adds f times the vectors of b to a. It leaves S.
func AddScaled(a, b []Vec4, f float32) {
	for i := range a {
		a, b := &a[i], &b[i]
		a.X += float32(f * b.X)
		a.Y += float32(f * b.Y)
		a.Z += float32(f * b.Z)
	}
}
