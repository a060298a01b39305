package sweep

// All passes sum over the first and over the second neighbours of the couples
// by themselves, and add the two.

// Gradient sets, for each particle i of p,
//
//	out_i = Σ_j (s_i + s_j) f_ij (x_j − x_i) = Σ_j (s_i + s_j) h V ∇W_ij
//
// with f the pair's weight, x the first three of at and s its S; S of out is
// without meaning.
func (p *Pairs) Gradient(out, at []Vec4) { gradient(out, at, p) }

// Divergence sets, for each particle i of p,
//
//	out_i = Σ_j f_ij (v_i − v_j)·(x_j − x_i) = Σ_j (v_i − v_j)·h V ∇W_ij.
func (p *Pairs) Divergence(out []float32, at, v []Vec4) { divergence(out, at, v, p) }

// Diffusion sets, for each particle i of p,
//
//	out_(i−First) = Σ_j f_ij (v_j − v_i);
//
// S of out is without meaning.
func (p *Pairs) Diffusion(out, v []Vec4) { diffusion(out, v, p) }

// Average sets, for each particle i of p,
//
//	out_(i−First) = Σ_j V W_ij (v_j − v_i);
//
// S of out is without meaning. It needs p.W.
func (p *Pairs) Average(out, v []Vec4) { average(out, v, p) }

func gradientGo(out, at []Vec4, p *Pairs) {
	for i := range p.Len() {
		xi, j := &at[p.First+i], p.Base[i]
		var a [2]Vec4
		for _, c := range p.List[p.Start[i]:p.Start[i+1]] {
			for k := range a {
				j += int32(c.Step[k])
				xj, a := &at[j], &a[k]
				f := (xj.S + xi.S) * single[c.F[k]]
				a.X += float32(f * (xj.X - xi.X))
				a.Y += float32(f * (xj.Y - xi.Y))
				a.Z += float32(f * (xj.Z - xi.Z))
			}
		}
		out[p.First+i] = a[0].add(&a[1])
	}
}

func divergenceGo(out []float32, at, v []Vec4, p *Pairs) {
	for i := range p.Len() {
		xi, vi, j := &at[p.First+i], &v[p.First+i], p.Base[i]
		var a [2]Vec4
		for _, c := range p.List[p.Start[i]:p.Start[i+1]] {
			for k := range a {
				j += int32(c.Step[k])
				xj, vj, a, f := &at[j], &v[j], &a[k], single[c.F[k]]
				a.X += float32(f * float32((vi.X-vj.X)*(xj.X-xi.X)))
				a.Y += float32(f * float32((vi.Y-vj.Y)*(xj.Y-xi.Y)))
				a.Z += float32(f * float32((vi.Z-vj.Z)*(xj.Z-xi.Z)))
			}
		}
		s := a[0].add(&a[1])
		out[p.First+i] = s.X + s.Y + s.Z
	}
}

func diffusionGo(out, v []Vec4, p *Pairs) {
	for i := range p.Len() {
		vi, j := &v[p.First+i], p.Base[i]
		var a [2]Vec4
		for _, c := range p.List[p.Start[i]:p.Start[i+1]] {
			for k := range a {
				j += int32(c.Step[k])
				a[k].pull(single[c.F[k]], vi, &v[j])
			}
		}
		out[i] = a[0].add(&a[1])
	}
}

func averageGo(out, v []Vec4, p *Pairs) {
	for i := range p.Len() {
		vi, j := &v[p.First+i], p.Base[i]
		var a [2]Vec4
		for n := p.Start[i]; n < p.Start[i+1]; n++ {
			for k := range a {
				j += int32(p.List[n].Step[k])
				a[k].pull(single[p.W[2*int(n)+k]], vi, &v[j])
			}
		}
		out[i] = a[0].add(&a[1])
	}
}

// pull adds f (vj − vi) to a.
func (a *Vec4) pull(f float32, vi, vj *Vec4) {
	a.X += float32(f * (vj.X - vi.X))
	a.Y += float32(f * (vj.Y - vi.Y))
	a.Z += float32(f * (vj.Z - vi.Z))
}

// add returns a + b, but for S.
func (a *Vec4) add(b *Vec4) Vec4 { return Vec4{X: a.X + b.X, Y: a.Y + b.Y, Z: a.Z + b.Z} }
