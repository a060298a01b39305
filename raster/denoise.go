package raster

import (
	"breakwater/sim/par"
)

// Parameters of the denoising of slow motion.
const (
	denoiseWindow = 3   // px, to each side of a pixel: how far a mean reaches
	denoisePatch  = 1   // px, to each side: the patches compared
	denoiseDamp   = 0.6 // how many standard errors two pixels may differ by
)

// smoothed returns the picture whose pixels are means over looks instants. Fast motion
// is smoothed along its streaks, and slow motion is denoised.
func smoothed(sum []rgb, seen []tally, looks []int32, streaks []streak, ways []way, w, h int) []rgb {
	pix := drawOut(sum, streaks, ways, w, h)
	denoise(pix, sum, seen, looks, w, h, func(i int) bool { n := ways[i].len(); return n > fast && n <= slow })
	return pix
}

// denoise replaces the pixels that at selects by weighted means over the pixels around
// them (non-local means with the variances of the samples, Rousselle, Knaus and Zwicker
// 2012). The view through moving liquid does not move with the liquid's surface, so its
// grain cannot be smoothed along that motion. A pixel's weight depends on how well its
// neighbourhood agrees with the neighbourhood of the replaced pixel, given the variances
// of both. Lines and edges remain, whichever way they run.
func denoise(pix, sum []rgb, seen []tally, looks []int32, w, h int, at func(i int) bool) {
	level, variance := make([]float64, w*h), make([]float64, w*h)
	selected := make([]bool, h) // rows with such a pixel
	par.Each(h, func(y int) {
		for i := y * w; i < (y+1)*w; i++ {
			if n := int(looks[i]); n > 1 {
				level[i] = float64(seen[i].sum) / float64(n)
				d := seen[i].doubt(n)
				variance[i] = d * d
			}
			selected[y] = selected[y] || at(i)
		}
	})
	// Few samples may agree by chance, so a pixel is as unsure as those about it.
	blur(variance, w, h, 1, 0)
	par.Each(h, func(y int) {
		for x := 0; selected[y] && x < w; x++ {
			i := y*w + x
			if !at(i) {
				continue
			}
			mean, taken := rgb{}, 0.0
			for v := max(0, y-denoiseWindow); v <= min(h-1, y+denoiseWindow); v++ {
				for u := max(0, x-denoiseWindow); u <= min(w-1, x+denoiseWindow); u++ {
					share := decay(max(0, unlike(level, variance, w, h, x, y, u, v)))
					mean, taken = mean.add(sum[v*w+u].scale(share)), taken+share
				}
			}
			pix[i] = mean.scale(1 / taken)
		}
	})
}

// unlike returns how much the patches about (x, y) and (u, v) differ beyond their
// variances, in squared standard errors relative to denoiseDamp.
func unlike(level, variance []float64, w, h, x, y, u, v int) float64 {
	d, n := 0.0, 0.0
	for b := max(-denoisePatch, -y, -v); b <= min(denoisePatch, h-1-y, h-1-v); b++ {
		for a := max(-denoisePatch, -x, -u); a <= min(denoisePatch, w-1-x, w-1-u); a++ {
			p, q := (y+b)*w+x+a, (v+b)*w+u+a
			e := level[p] - level[q]
			d += (e*e - variance[p] - min(variance[p], variance[q])) / (1e-8 + denoiseDamp*denoiseDamp*(variance[p]+variance[q]))
			n++
		}
	}
	return d / n
}
