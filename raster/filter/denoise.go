// Package filter removes the noise of pictures whose pixels are means over few samples.
//
//	stats.go    the mean of a pixel's samples and its error
//	streak.go   fast motion, smoothed along itself
//	denoise.go  slow motion
//	blur.go     Gaussian blur
package filter

import (
	"breakwater/raster/color"
	"breakwater/sim/num"
	"breakwater/sim/par"
)

// Parameters of the denoising of slow motion.
const (
	denoiseWindow = 3   // px, to each side of a pixel: how far a mean reaches
	denoisePatch  = 1   // px, to each side: the patches compared
	denoiseDamp   = 0.6 // how many standard errors two pixels may differ by
	// hopeless is a sum of differences above which two patches have nothing in common: the mean of
	// the nine pairs of pixels is then above 25, and the weight below 2e-11, even if the last six pairs
	// take 1/denoiseDamp² each off the sum, which is the most that a pair can.
	hopeless = 9*25 + 6/(denoiseDamp*denoiseDamp)
)

// Reconstruct returns the picture whose pixels are means over the given numbers of samples. Fast motion
// is smoothed along its streaks, and slow motion is denoised.
func Reconstruct(sum []color.RGB, seen []Stats, samples []int32, streaks []Streak, displacements []Displacement, w, h int) []color.RGB {
	pix := smoothStreaks(sum, streaks, displacements, w, h)
	denoise(pix, sum, seen, samples, w, h, func(i int) bool { n := displacements[i].Len(); return n > StreakLimit && n <= DenoiseLimit })
	return pix
}

// denoise replaces the pixels that at selects by weighted means over the pixels around
// them (non-local means with the variances of the samples, Rousselle, Knaus and Zwicker
// 2012). The view through moving liquid does not move with the liquid's surface, so its
// grain cannot be smoothed along that motion. A pixel's weight depends on how well its
// neighbourhood agrees with the neighbourhood of the replaced pixel, given the variances
// of both. Lines and edges remain, whichever way they run.
func denoise(pix, sum []color.RGB, seen []Stats, samples []int32, w, h int, at func(i int) bool) {
	level, variance := make([]float64, w*h), make([]float64, w*h)
	selected := make([]bool, h) // rows with such a pixel
	par.Each(h, func(y int) {
		for i := y * w; i < (y+1)*w; i++ {
			n := int(samples[i])
			if n > 0 {
				level[i] = float64(seen[i].Mean(n)[0])
			}
			if n > 1 {
				d := float64(seen[i].StandardError(n)[0])
				variance[i] = d * d
			}
			selected[y] = selected[y] || at(i)
		}
	})
	// Few samples may agree by chance, so the variance is averaged over neighbouring
	// pixels.
	Blur(variance, w, h, 1, 0)
	par.Each(h, func(y int) {
		for x := 0; selected[y] && x < w; x++ {
			i := y*w + x
			if !at(i) {
				continue
			}
			mean, taken := color.RGB{}, 0.0
			for v := max(0, y-denoiseWindow); v <= min(h-1, y+denoiseWindow); v++ {
				for u := max(0, x-denoiseWindow); u <= min(w-1, x+denoiseWindow); u++ {
					far := patchDistance(level, variance, w, h, x, y, u, v)
					if far >= hopeless {
						continue
					}
					share := num.Decay(max(0, far))
					mean, taken = mean.Add(sum[v*w+u].Scale(share)), taken+share
				}
			}
			pix[i] = mean.Scale(1 / taken)
		}
	})
}

// patchDistance returns how much the patches about (x, y) and (u, v) differ beyond their
// variances, in squared standard errors relative to denoiseDamp.
func patchDistance(level, variance []float64, w, h, x, y, u, v int) float64 {
	d, n := 0.0, 0.0
	for b := max(-denoisePatch, -y, -v); b <= min(denoisePatch, h-1-y, h-1-v); b++ {
		if d > hopeless { // the rest cannot make up for it
			return hopeless
		}
		for a := max(-denoisePatch, -x, -u); a <= min(denoisePatch, w-1-x, w-1-u); a++ {
			p, q := (y+b)*w+x+a, (v+b)*w+u+a
			e := level[p] - level[q]
			d += (float64(e*e) - variance[p] - min(variance[p], variance[q])) / (1e-8 + float64(denoiseDamp*denoiseDamp*(variance[p]+variance[q])))
			n++
		}
	}
	return d / n
}
