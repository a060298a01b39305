package color

// viridis is a colour map whose lightness rises evenly, also for colour-blind viewers
// (Smith and van der Walt 2015): every sixteenth of its 256 colours in sRGB. Linear
// interpolation between them is accurate to 6 levels of 255.
var viridis = [...]uint32{
	0x440154, 0x48186a, 0x472d7b, 0x424086, 0x3b528b, 0x33638d, 0x2c728e, 0x26828e, 0x21918c,
	0x1f9f88, 0x27ad81, 0x3dbc74, 0x5cc863, 0x81d34d, 0xaadc32, 0xd5e21a, 0xfde725,
}

// Viridis returns the sRGB colour of x, from 0 to 1, on viridis.
func Viridis(x float64) RGB {
	x = float64(min(1, max(0, x)) * float64(len(viridis)-1))
	i := min(int(x), len(viridis)-2)
	return Hex(viridis[i]).Lerp(Hex(viridis[i+1]), x-float64(i))
}

// Hex returns the sRGB colour 0xRRGGBB, each part from 0 to 1.
func Hex(x uint32) RGB {
	return RGB{float64(x >> 16), float64(x >> 8 & 255), float64(x & 255)}.Scale(1.0 / 255)
}
