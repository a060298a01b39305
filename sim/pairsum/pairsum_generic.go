//go:build !amd64 || noasm

package pairsum

func gather(s *Scratch, l *Positions, runs *Runs) { gatherGo(s, l, runs) }

func search(s *Scratch, l *Positions, self int) int { return searchGo(s, l, self) }

func weigh(list []Group, w [][4]uint16, b *buffer, n int, scale float32) (Sums, bool) {
	return weighGo(list, w, b, n, scale)
}

func gradient(out, at []Vec4, p *Pairs)                { gradientGo(out, at, p) }
func divergence(out []float32, at, v []Vec4, p *Pairs) { divergenceGo(out, at, v, p) }
func diffusion(out, v []Vec4, p *Pairs)                { diffusionGo(out, v, p) }
func average(out, v []Vec4, p *Pairs)                  { averageGo(out, v, p) }
func strain(out, at, v []Vec4, p *Pairs)               { strainGo(out, at, v, p) }
func spread(out []float32, at []Vec4, p *Pairs)        { spreadGo(out, at, p) }

func differences(out, k []float32, p *Pairs) { differencesGo(out, k, p) }

func moments(out []Mat3, at []Vec4, p *Pairs)                     { momentsGo(out, at, p) }
func squaredMoments(out, at []Vec4, p *Pairs, turned bool)        { squaredMomentsGo(out, at, p, turned) }
func correctedGradient(out, at []Vec4, m []Mat3, p *Pairs)        { correctedGradientGo(out, at, m, p) }
func pressureGradients(out []Mat3, at []Vec4, m []Mat3, p *Pairs) { pressureGradientsGo(out, at, m, p) }
func correctedDivergence(out []float32, at, v []Vec4, m []Mat3, p *Pairs) {
	correctedDivergenceGo(out, at, v, m, p)
}

func addBySlot(s *SlotSums, slot []uint8, cell []int32, list []Group, j int32) (done int, at int32) {
	return addBySlotGo(s, slot, cell, list, j)
}
