package texture

import (
	"math"

	"breakwater/raster/color"
	"breakwater/sim/num"
	"breakwater/sim/vec"
)

// Paving is the material of the floor. Its colour is computed at each point, and filtered
// by the ray's footprint, so that distant floors do not flicker.
type Paving string

const (
	Slabs    Paving = "slabs"    // grey slabs with fine joints
	Checker  Paving = "checker"  // squares, light and dark
	Concrete Paving = "concrete" // blotched, with a joint here and there
	Planks   Paving = "planks"   // dark oak boards
	Gradient Paving = "gradient" // nothing at all: a seamless backdrop
	Black    Paving = "black"    // the same, nearly black
)

// Pavings lists all pavings.
var Pavings = [...]Paving{Slabs, Checker, Concrete, Planks, Gradient, Black}

var (
	slabColor     = color.New(0.125, 0.128, 0.132)
	jointColor    = color.New(0.035, 0.036, 0.038)
	lightSquare   = color.New(0.30, 0.30, 0.297)
	darkSquare    = color.New(0.12, 0.123, 0.128)
	concreteColor = color.New(0.225, 0.22, 0.212)
	gradientColor = color.New(0.17, 0.175, 0.185)
	blackColor    = color.New(0.016, 0.017, 0.019)
	plankColor    = color.New(0.150, 0.098, 0.062)
)

const jointWidth = 0.016 // of a slab's side

// Mean returns the floor's colour from far away.
func (p Paving) Mean() color.RGB {
	switch p {
	case Checker:
		return lightSquare.Lerp(darkSquare, 0.5)
	case Concrete:
		return concreteColor
	case Gradient:
		return gradientColor
	case Black:
		return blackColor
	case Planks:
		return plankColor
	}
	bare := (1 - jointWidth) * (1 - jointWidth)
	return jointColor.Lerp(slabColor, bare)
}

// Color returns the mean colour over fu × fv slabs about (u, v).
func (p Paving) Color(u, v, fu, fv float64) color.RGB {
	f := max(fu, fv)
	switch p {
	case Checker:
		return lightSquare.Lerp(darkSquare, 0.5-float64(0.5*stripes(u, fu)*stripes(v, fv)))
	case Concrete:
		// Blotches of all sizes down to the footprint, and pores.
		tone, size := 0.0, 1.0
		for k := range 7 {
			tone += float64(0.055 * num.Pow(size, 0.35) * (noise(u/size+float64(17*float64(k)), v/size) - 0.5) * num.Smoothstep(1, 0.3, f/size))
			size *= 0.45
		}
		bare := float64((1 - float64(0.6*joint(float64(u/4), float64(fu/4)))) * (1 - float64(0.6*joint(float64(v/4), float64(fv/4)))))
		return concreteColor.Scale(float64((1 + float64(2*tone)) * bare))
	case Gradient:
		return gradientColor
	case Black:
		return blackColor
	case Planks:
		return planks(u, v, fu, fv)
	}
	bare := float64((1 - joint(u, fu)) * (1 - joint(v, fv)))
	// Slabs differ a little in tone while they are large enough in the picture.
	tone := float64((num.Hash(int(math.Floor(u)), int(math.Floor(v))) - 0.5) * 0.07 * num.Smoothstep(1, 0.3, f))
	return jointColor.Lerp(slabColor.Scale(1+tone), bare)
}

// planks returns the mean colour of boards along u, a slab wide and eight slabs long. Each
// is sawn from another place of a trunk.
func planks(u, v, fu, fv float64) color.RGB {
	const length = 8.0
	board := func(row float64) (along, seed float64) {
		along = u + float64(length*num.Hash(int(row), 5)) // the ends are not in line
		return along, num.Hash(int(math.Floor(float64(along/length))), int(row))
	}
	f := max(fu, fv)
	low, high := math.Floor(v-float64(fv/2)), math.Floor(v+float64(fv/2))
	_, a := board(low)
	_, b := board(high)
	share := 1.0 // of the footprint that lies on the higher board
	if high > low {
		share = min(1, (v+float64(fv/2)-high)/fv)
	}
	tone := 1 + float64(0.30*(a+float64((b-a)*share)-0.5)*num.Smoothstep(2, 0.5, f))
	u, seed := board(math.Floor(v))
	grain := Wood(vec.Vec3{X: v + float64(3*seed), Y: u + float64(40*seed), Z: float64(0.02 * seed)}, 0.018+float64(0.01*seed), f)
	gap := max(gaps(v, fv, jointWidth), gaps(float64(u/length), float64(fu/length), jointWidth/length))
	return plankColor.Scale(float64(tone * grain * (1 - float64(0.8*gap))))
}

// joint returns the share of [x-f/2, x+f/2] that lies in joints, which are
// centred on the integers.
func joint(x, f float64) float64 { return gaps(x, f, jointWidth) }

// gaps is joint for joints of any width.
func gaps(x, f, width float64) float64 {
	f = max(f, 1e-9)
	sum := func(x float64) float64 { // ∫ from 0
		x += float64(width / 2)
		n := math.Floor(x)
		return float64(n*width) + min(x-n, width)
	}
	return (sum(x+float64(f/2)) - sum(x-float64(f/2))) / f
}

// stripes returns the mean over [x-f/2, x+f/2] of a wave that is 1 between an
// even integer and the next, and -1 between an odd one and the next.
func stripes(x, f float64) float64 {
	f = max(f, 1e-9)
	sum := func(x float64) float64 { // ∫ from 0: rises to 1 and falls back
		x = float64(x / 2)
		return 1 - math.Abs(float64(2*(x-math.Floor(x)))-1)
	}
	return (sum(x+float64(f/2)) - sum(x-float64(f/2))) / f
}

// noise returns a smooth function with values in [0, 1] and cells of side 1.
func noise(x, y float64) float64 {
	i, j := math.Floor(x), math.Floor(y)
	u, v := num.Smoothstep(0, 1, x-i), num.Smoothstep(0, 1, y-j)
	n := func(di, dj int) float64 { return num.Hash(int(i)+di, int(j)+dj) }
	a, b := n(0, 0)+float64(u*(n(1, 0)-n(0, 0))), n(0, 1)+float64(u*(n(1, 1)-n(0, 1)))
	return a + float64(v*(b-a))
}
