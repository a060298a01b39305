package film

import (
	"cmp"
	"image"
	"slices"
	"sync/atomic"
)

// rgb is a colour of 8 bits per channel.
type rgb [3]uint8

// channelWeights are how visible a difference in each channel is: about the square of
// its share of luma (BT.601). Blue has more, since it would be too noisy.
var channelWeights = [3]int{2, 4, 3}

// histogram counts the colours of pictures, in bins of 5 bits per channel.
type histogram [1 << 15]struct {
	n   int
	sum [3]int
}

func (h *histogram) count(img *image.RGBA) {
	for y := range img.Rect.Dy() {
		row := img.Pix[y*img.Stride:][:4*img.Rect.Dx()]
		for x := 0; x < len(row); x += 4 {
			p := row[x : x+3 : x+3]
			b := &h[int(p[0]>>3)<<10|int(p[1]>>3)<<5|int(p[2]>>3)]
			b.n++
			b.sum[0] += int(p[0])
			b.sum[1] += int(p[1])
			b.sum[2] += int(p[2])
		}
	}
}

func (h *histogram) add(g *histogram) {
	for i := range h {
		h[i].n += g[i].n
		for c := range 3 {
			h[i].sum[c] += g[i].sum[c]
		}
	}
}

// tint is the mean colour of a bin, and how many pixels it has.
type tint struct {
	c [3]float64
	n float64
}

// palette returns at most n colours for the pictures that were counted, by
// variance-based splitting and then Lloyd's iteration. See Wan, Prusinkiewicz, Wong,
// "Variance-based color image quantization for frame buffer display", Color Research &
// Application 1990.
func (h *histogram) palette(n int) []rgb {
	var all []tint
	for i := range h {
		if b := &h[i]; b.n > 0 {
			t := tint{n: float64(b.n)}
			for c := range t.c {
				t.c[c] = float64(b.sum[c]) / t.n
			}
			all = append(all, t)
		}
	}
	boxes := []tintBox{newTintBox(all)}
	for len(boxes) < n {
		worst := 0
		for i := range boxes {
			if boxes[i].error[boxes[i].axis] > boxes[worst].error[boxes[worst].axis] {
				worst = i
			}
		}
		a, b, ok := boxes[worst].split()
		if !ok {
			break
		}
		boxes[worst] = a
		boxes = append(boxes, b)
	}
	means := make([][3]float64, len(boxes))
	for i, b := range boxes {
		means[i] = b.mean
	}
	const rounds = 6 // after which hardly a colour moves
	for range rounds {
		sums := make([]tint, len(means))
		for _, t := range all {
			s := &sums[nearestMean(means, t.c)]
			s.n += t.n
			for c := range s.c {
				s.c[c] += float64(t.n * t.c[c])
			}
		}
		for i, s := range sums {
			for c := range s.c {
				if s.n > 0 {
					means[i][c] = s.c[c] / s.n
				}
			}
		}
	}
	list := make([]rgb, len(means))
	for i, m := range means {
		for c := range m {
			list[i][c] = uint8(m[c] + 0.5)
		}
	}
	slices.SortFunc(list, func(a, b rgb) int { return cmp.Or(a.luma()-b.luma(), slices.Compare(a[:], b[:])) })
	return slices.Compact(list)
}

func nearestMean(means [][3]float64, t [3]float64) (best int) {
	least := 1e9
	for i, m := range means {
		d := 0.0
		for c := range t {
			d += float64(float64(channelWeights[c]) * (m[c] - t[c]) * (m[c] - t[c]))
		}
		if d < least {
			best, least = i, d
		}
	}
	return best
}

// tintBox is a set of tints that may share a colour.
type tintBox struct {
	tints []tint
	mean  [3]float64
	error [3]float64 // weighted sum of squared errors of the channels
	axis  int        // channel of the largest error
}

func newTintBox(tints []tint) tintBox {
	b := tintBox{tints: tints}
	n := 0.0
	for _, t := range tints {
		n += t.n
		for c := range t.c {
			b.mean[c] += float64(t.n * t.c[c])
		}
	}
	for c := range b.mean {
		b.mean[c] /= max(n, 1)
	}
	for _, t := range tints {
		for c := range t.c {
			d := t.c[c] - b.mean[c]
			b.error[c] += float64(float64(channelWeights[c]) * t.n * d * d)
		}
	}
	for c := range b.error {
		if b.error[c] > b.error[b.axis] {
			b.axis = c
		}
	}
	return b
}

// split cuts the box at its mean.
func (b *tintBox) split() (low, high tintBox, ok bool) {
	var parts [2][]tint
	for _, t := range b.tints {
		side := 0
		if t.c[b.axis] > b.mean[b.axis] {
			side = 1
		}
		parts[side] = append(parts[side], t)
	}
	if len(parts[0]) == 0 || len(parts[1]) == 0 {
		return low, high, false
	}
	return newTintBox(parts[0]), newTintBox(parts[1]), true
}

// luma is how light a colour looks, times 1000 (BT.601).
func (c rgb) luma() int { return 299*int(c[0]) + 587*int(c[1]) + 114*int(c[2]) }

// mixer shows pictures in few colours. Each colour of the pictures is a mix of eight,
// of which a pixel takes one by its place (Knoll, "Pattern dithering", US patent
// 6606166, expired 2019). What does not change in a film does not change in its mix, as
// it would if errors were passed on to neighbours.
type mixer struct {
	colours []rgb
	mixes   []atomic.Uint64 // by the colour in 6 bits per channel: eight indices, from dark to light; 0 if it is not known yet
}

func newMixer(colours []rgb) *mixer { return &mixer{colours, make([]atomic.Uint64, 1<<18)} }

// picture returns img in the mixer's colours, counted from 1.
func (m *mixer) picture(img *image.RGBA) *image.Paletted {
	p := image.NewPaletted(img.Rect, nil)
	for y := range img.Rect.Dy() {
		from := img.Pix[y*img.Stride:][:4*img.Rect.Dx()]
		to := p.Pix[y*p.Stride:]
		for x := range img.Rect.Dx() {
			c := from[4*x : 4*x+3 : 4*x+3]
			at := &m.mixes[int(c[0]>>2)<<12|int(c[1]>>2)<<6|int(c[2]>>2)]
			mix := at.Load()
			if mix == 0 {
				mix = m.mix([3]int{six(c[0]), six(c[1]), six(c[2])})
				at.Store(mix)
			}
			to[x] = uint8(mix >> (8 * (bayer[y&7][x&7] >> 3)))
		}
	}
	return p
}

// six returns c as it is when it has 6 bits.
func six(c uint8) int { return int(c>>2) * 255 / 63 }

// mix returns the indices, from 1, of eight colours whose mean is near c.
func (m *mixer) mix(c [3]int) (packed uint64) {
	var list [8]uint8
	var off [3]int // of the sum of those before, from what it should be
	for k := range list {
		var want [3]int
		for i := range want {
			// Half of the error: all of it would bring in colours that are far off.
			want[i] = c[i] + off[i]/2
		}
		best, least := 0, 1<<30
		for i, p := range m.colours {
			dr, dg, db := int(p[0])-want[0], int(p[1])-want[1], int(p[2])-want[2]
			if d := channelWeights[0]*dr*dr + channelWeights[1]*dg*dg + channelWeights[2]*db*db; d < least {
				best, least = i, d
			}
		}
		list[k] = uint8(best)
		for i := range off {
			off[i] += c[i] - int(m.colours[best][i])
		}
	}
	slices.Sort(list[:]) // the colours are sorted by luma
	for k, i := range list {
		packed |= uint64(i+1) << (8 * k)
	}
	return packed
}

// bayer is an order of the places in 8×8 pixels in which each is far from
// those just before it (Bayer 1973).
var bayer = func() (b [8][8]uint8) {
	for y := range 8 {
		for x := range 8 {
			v := 0
			for bit := range 3 {
				v = v<<2 | ((x^y)>>bit&1)<<1 | y>>bit&1
			}
			b[y][x] = uint8(v)
		}
	}
	return b
}()
