package h264

// plane is one component of a picture: whole macroblocks, and around them a
// border that repeats the outermost samples, as far as prediction reads
// (clause 8.4.2.2.1 clamps the coordinates instead).
type plane struct {
	pix           []byte
	width, height int // without the border
	stride        int
	origin        int // index of the sample (0, 0)
}

func newPlane(width, height, border int) plane {
	stride := width + 2*border
	return plane{
		pix:   make([]byte, stride*(height+2*border)),
		width: width, height: height,
		stride: stride, origin: border*stride + border,
	}
}

// at returns the index of the sample (x, y).
func (p *plane) at(x, y int) int { return p.origin + y*p.stride + x }

// extend fills the border beside rows [lo, hi), and that above or below them
// where the picture ends there.
func (p *plane) extend(lo, hi int) {
	border := p.origin % p.stride
	for y := lo; y < hi; y++ {
		row := p.pix[p.at(-border, y):][:p.stride]
		for x := range border {
			row[x] = row[border]
			row[border+p.width+x] = row[border+p.width-1]
		}
	}
	copyRow := func(to, from int) { copy(p.pix[p.at(-border, to):][:p.stride], p.pix[p.at(-border, from):]) }
	for y := 1; y <= border; y++ {
		if lo == 0 {
			copyRow(-y, 0)
		}
		if hi == p.height {
			copyRow(p.height-1+y, p.height-1)
		}
	}
}

// Picture is a picture to encode: luma, and chroma of half its width and height, in the
// limited range of ITU-R BT.709.
type Picture struct {
	width, height int   // shown
	luma, cb, cr  plane // of whole macroblocks
}

// NewPicture returns a picture of the given size, which must be positive.
func NewPicture(width, height int) *Picture {
	w, h := (width+15)&^15, (height+15)&^15
	return &Picture{width, height, newPlane(w, h, 0), newPlane(w/2, h/2, 0), newPlane(w/2, h/2, 0)}
}

// SetRGB fills the picture from rows of pixels, 3 bytes each. Beyond its
// edges, to whole macroblocks, the outermost pixels go on.
func (p *Picture) SetRGB(rgb []byte) {
	// Sums over two rows of the pixels, and one more on the left. Chroma lies
	// on the left pixel of each pair, halfway between the rows
	// (chroma_sample_loc_type 0, clause E.2.1): weights 1 2 1 and 1 1.
	sum := make([]int32, 3*(p.luma.width+1))
	for y := 0; y < p.luma.height; y += 2 {
		for i := range 2 {
			row := rgb[3*p.width*min(y+i, p.height-1):][:3*p.width]
			to := p.luma.pix[p.luma.at(0, y+i):][:p.luma.width]
			for x := range to {
				k := 3 * min(x, p.width-1)
				px := row[k : k+3 : k+3]
				r, g, b := int32(px[0]), int32(px[1]), int32(px[2])
				// 219/255 of 0.2126 R + 0.7152 G + 0.0722 B, in 1/65536
				to[x] = byte((11966*r + 40254*g + 4064*b + 16<<16 + 1<<15) >> 16)
				s := sum[3*x+3 : 3*x+6 : 3*x+6]
				if i == 0 {
					s[0], s[1], s[2] = r, g, b
				} else {
					s[0], s[1], s[2] = s[0]+r, s[1]+g, s[2]+b
				}
			}
		}
		copy(sum[:3], sum[3:6])
		cb := p.cb.pix[p.cb.at(0, y/2):][:p.cb.width]
		cr := p.cr.pix[p.cr.at(0, y/2):][:len(cb)]
		for x := range cb {
			s := sum[6*x : 6*x+9 : 6*x+9]
			r, g, b := s[0]+2*s[3]+s[6], s[1]+2*s[4]+s[7], s[2]+2*s[5]+s[8]
			// 224/255 of (B − Y) / 1.8556 and (R − Y) / 1.5748, in 1/65536 of an eighth
			cb[x] = byte((-6596*r - 22189*g + 28785*b + 128<<19 + 1<<18) >> 19)
			cr[x] = byte((28785*r - 26145*g - 2640*b + 128<<19 + 1<<18) >> 19)
		}
	}
}
