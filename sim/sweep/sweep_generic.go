//go:build !amd64 || noasm

package sweep

func search(b *buffer, l *Lane, runs *Runs, self int) int { return searchGo(b, l, runs, self) }

func weigh(j []int32, g []Weight, w []uint16, b *buffer, scale float32) Sums {
	return weighGo(j, g, w, b, scale)
}

func gradient(out []Vec4, s []float32, p *Pairs)   { gradientGo(out, s, p) }
func divergence(out []float32, v []Vec4, p *Pairs) { divergenceGo(out, v, p) }
func diffusion(out, v []Vec4, p *Pairs)            { diffusionGo(out, v, p) }
func average(out, v []Vec4, p *Pairs)              { averageGo(out, v, p) }
