package grains

import (
	"math"
	"slices"

	"breakwater/sim/num"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// Screen is a picture that grains are splatted on, without rays.
type Screen struct {
	Width, Height int
	// Project returns the pixel coordinates of a point, and how far it is before the eye.
	Project func(x vec.Vec3) (px, py, depth float64)
	Depth   []float32 // of the pixels: distance from the eye at which grains are hidden, m
	Color   func(k Kind, d vec.Vec3) vec.Vec3
}

// Splats are the grains on the pixels of a screen.
type Splats struct {
	Cover []float32  // share of the pixel
	Light []vec.Vec3 // times the cover
}

// splat is a grain on a screen.
type splat struct {
	x, y, radius float64 // px
	cover        float64 // in its middle
	depth        float32 // from the eye, m
	color        vec.Vec3
}

// band is the number of rows that are drawn together.
const band = 16

// Splat draws the parcels of some kinds on s. Where several meet, each has a part of the
// light by its cover, so their order does not matter. Mist is drawn as wide soft balls.
func (p *Parcels) Splat(v View, s *Screen, kinds ...Kind) *Splats {
	out := &Splats{Cover: make([]float32, s.Width*s.Height), Light: make([]vec.Vec3, s.Width*s.Height)}
	blocks := p.blocks()
	parts := make([]splatBlock, blocks*len(kinds))
	par.Each(len(parts), func(k int) { parts[k] = p.splatBlock(k%blocks, v, s, kinds[k/blocks]) })
	weight := make([]float32, s.Width*s.Height)
	par.Each(s.bands(), func(b int) {
		lo, hi := b*band, min(s.Height, (b+1)*band)
		for k := range parts {
			part := &parts[k]
			for _, i := range part.order[part.start[b]:part.start[b+1]] {
				out.add(s, &part.list[i], weight, lo, hi)
			}
		}
		for i := lo * s.Width; i < hi*s.Width; i++ {
			if w := weight[i]; w > 0 {
				out.Cover[i] = 1 - float32(num.Decay(float64(out.Cover[i])))
				out.Light[i] = out.Light[i].Mul(float64(out.Cover[i] / w))
			}
		}
	})
	return out
}

// bands returns the number of bands of s.
func (s *Screen) bands() int { return (s.Height + band - 1) / band }

// splatBlock has the splats of a block of parcels.
type splatBlock struct {
	list  []splat
	start []int32 // of each band in order, and its end
	order []int32 // indices of the splats in each band
}

// splatBlock returns the splats of the parcels of a kind in a block.
func (p *Parcels) splatBlock(block int, v View, s *Screen, k Kind) (out splatBlock) {
	near := p.spreadBlock(block, v, math.Inf(1), k)
	out.list = make([]splat, 0, len(near))
	for _, a := range near {
		x, y, ahead := s.Project(a.x)
		to := a.x.Sub(v.Eye)
		far := to.Len()
		if ahead <= 0 || far == 0 {
			continue
		}
		width := v.Spread * far
		radius := max(a.r, wide*width)
		if k == Mist {
			radius = max(radius, p.Spacing)
		}
		out.list = append(out.list, splat{
			x: x, y: y, radius: radius / width, cover: min(0.98, several(min(1, 2*a.r*a.r/(radius*radius)), a.n)),
			depth: float32(far), color: s.Color(k, to.Mul(1/far)),
		})
	}
	bands := s.bands()
	out.start = make([]int32, bands+1)
	rows := func(a *splat) (lo, hi int) {
		return max(0, int(math.Floor((a.y-a.radius)/band))), min(bands-1, int(math.Floor((a.y+a.radius)/band)))
	}
	for i := range out.list {
		for b, hi := rows(&out.list[i]); b <= hi; b++ {
			out.start[b+1]++
		}
	}
	for b := range bands {
		out.start[b+1] += out.start[b]
	}
	out.order = make([]int32, out.start[bands])
	next := slices.Clone(out.start)
	for i := range out.list {
		for b, hi := rows(&out.list[i]); b <= hi; b++ {
			out.order[next[b]] = int32(i)
			next[b]++
		}
	}
	return out
}

// add adds a to the rows from lo to hi: to Cover its part of an optical depth.
func (o *Splats) add(s *Screen, a *splat, weight []float32, lo, hi int) {
	for y := max(lo, int(math.Ceil(a.y-a.radius-0.5))); y < hi && float64(y)+0.5 < a.y+a.radius; y++ {
		for x := max(0, int(math.Ceil(a.x-a.radius-0.5))); x < s.Width && float64(x)+0.5 < a.x+a.radius; x++ {
			i := y*s.Width + x
			dx, dy := float64(x)+0.5-a.x, float64(y)+0.5-a.y
			k := 1 - (float64(dx*dx)+float64(dy*dy))/(a.radius*a.radius)
			if k <= 0 || a.depth >= s.Depth[i] {
				continue
			}
			cover := a.cover * k
			o.Cover[i] -= float32(math.Log1p(-cover))
			o.Light[i] = o.Light[i].Add(a.color.Mul(cover))
			weight[i] += float32(cover)
		}
	}
}

// Glow returns the light that grains scatter once, by the direction of the ray that sees
// it, where nothing shades them.
func (l *Light) Glow() func(d vec.Vec3) vec.Vec3 {
	g := newGlow(l)
	sun := l.Sun(vec.Vec3{Y: math.Inf(1)})
	return func(d vec.Vec3) vec.Vec3 {
		cos := d.Dot(l.ToSun)
		p := vec.Vec3{X: l.Phase[0].At(cos), Y: l.Phase[1].At(cos), Z: l.Phase[2].At(cos)}
		return times(g.along(d).Add(times(p, sun)), l.Color).Add(l.Emission)
	}
}
