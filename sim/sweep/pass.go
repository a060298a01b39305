package sweep

// Gradient sets, for each particle i of p,
//
//	out_i = Σ_j (s_i + s_j) G_ij
//
// with G the first three of the pair's weight; S of out is without meaning.
func (p *Pairs) Gradient(out []Vec4, s []float32) { gradient(out, s, p) }

// Divergence sets, for each particle i of p,
//
//	out_i = Σ_j (v_i − v_j)·G_ij.
func (p *Pairs) Divergence(out []float32, v []Vec4) { divergence(out, v, p) }

// Diffusion sets, for each particle i of p,
//
//	out_i = Σ_j (v_i − v_j) F_ij
//
// with F ≤ 0 the last of the pair's weight; S of out is without meaning.
func (p *Pairs) Diffusion(out, v []Vec4) { diffusion(out, v, p) }

// Average sets, for each particle i of p,
//
//	out_i = Σ_j (v_j − v_i) W_ij;
//
// S of out is without meaning. It needs p.W.
func (p *Pairs) Average(out, v []Vec4) { average(out, v, p) }

func gradientGo(out []Vec4, s []float32, p *Pairs) {
	for i := range p.Len() {
		si := s[p.First+i]
		var a Vec4
		near, w := p.Of(i)
		for k, j := range near {
			x, y, z, _ := w[k].Float()
			f := si + s[j]
			a.X += float32(f * x)
			a.Y += float32(f * y)
			a.Z += float32(f * z)
		}
		out[p.First+i] = a
	}
}

func divergenceGo(out []float32, v []Vec4, p *Pairs) {
	for i := range p.Len() {
		vi := v[p.First+i]
		var a Vec4
		near, w := p.Of(i)
		for k, j := range near {
			x, y, z, _ := w[k].Float()
			vj := &v[j]
			a.X += float32((vi.X - vj.X) * x)
			a.Y += float32((vi.Y - vj.Y) * y)
			a.Z += float32((vi.Z - vj.Z) * z)
		}
		out[p.First+i] = a.X + a.Y + a.Z
	}
}

func diffusionGo(out, v []Vec4, p *Pairs) {
	for i := range p.Len() {
		vi := v[p.First+i]
		var a Vec4
		near, w := p.Of(i)
		for k, j := range near {
			_, _, _, f := w[k].Float()
			vj := &v[j]
			a.X += float32((vi.X - vj.X) * f)
			a.Y += float32((vi.Y - vj.Y) * f)
			a.Z += float32((vi.Z - vj.Z) * f)
		}
		out[p.First+i] = a
	}
}

func averageGo(out, v []Vec4, p *Pairs) {
	for i := range p.Len() {
		vi := v[p.First+i]
		var a Vec4
		for k := p.Start[i]; k < p.Start[i+1]; k++ {
			f, vj := single[p.W[k]], &v[p.J[k]]
			a.X += float32((vj.X - vi.X) * f)
			a.Y += float32((vj.Y - vi.Y) * f)
			a.Z += float32((vj.Z - vi.Z) * f)
		}
		out[p.First+i] = a
	}
}
