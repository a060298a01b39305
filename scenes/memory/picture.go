package memory

const (
	pictureBase    = 40e6 // once pictures are drawn
	leastPicture   = 32e6 // likewise, if the collector frees memory more often
	bytesPerPixel  = 165  // the buffers of a picture, for the looks that take the most
	blurredPixel   = 210  // likewise, of a picture with motion blur
	gasPixel       = 121  // likewise, of a picture of a gas
	draftBase      = 29e6 // once drafts are drawn
	draftPixel     = 290  // the buffers of a draft: 100 of them for colours, which each picture makes anew
	ballPixel      = 320  // likewise, of a picture of balls
	ballDraftPixel = 110  // likewise, at draft
	leastPixel     = 150  // likewise, if the collector frees memory more often

	// The shares of the bytes allocated for a picture that are in use or garbage at the peak: of
	// those for each pixel, and of the others.
	pixelPeak = 0.86
	restPeak  = 0.92
)

// Picture is what the memory of a picture by itself depends on.
type Picture struct {
	Pixels  float64
	Balls   bool // whether particles are drawn
	Draft   bool // of the quality draft
	Blurred bool // by motion
	Gas     bool // whether it shows a gas

	// Allocated returns the bytes of memory that a picture of the most in a film allocates for its
	// pixels, and those that it allocates besides. It is
	// nil if that is not known.
	Allocated func(film Load) (pixels, rest float64)
}

// peak returns the memory for the pictures of a film below a limit of the collector, 0 if it is not
// known what they allocate.
func (p Picture) peak(film Load, limit float64) float64 {
	if p.Allocated == nil {
		return 0
	}
	pixels, rest := p.Allocated(film)
	return min(limit, Base+float64(pixelPeak*pixels)+float64(restPeak*rest))
}

// LeastPicture returns the bytes of memory without which a picture cannot be drawn.
func LeastPicture(pixels float64) float64 { return leastPicture + float64(pixels*leastPixel) }

// bytes returns the bytes of memory that p takes by itself below a limit of the collector.
func (p Picture) bytes(limit float64) float64 {
	base, each := float64(pictureBase), float64(bytesPerPixel)
	switch {
	case p.Gas && !p.Draft:
		each = gasPixel
	case p.Balls && p.Draft:
		each = ballDraftPixel
	case p.Balls:
		each = ballPixel
	case p.Draft:
		base, each = draftBase, draftPixel
	case p.Blurred:
		each = blurredPixel
	}
	return max(LeastPicture(p.Pixels), min(limit, base+float64(p.Pixels*each)))
}
