package sky

import (
	"math"

	"breakwater/raster/color"
	"breakwater/sim/num"
	"breakwater/sim/vec"
)

// preetham is the clear sky of Preetham, Shirley and Smits 1999, A practical analytic
// model for daylight. Its three quantities are the luminance and the chromaticities x and
// y. Each is a function of the height times a function of the angle to the sun. Both are
// kept in tables.
type preetham struct {
	toSun  vec.Vec3
	height [skyCells + 1][3]float64 // by the square root of the cosine to the zenith
	toward [skyCells + 1][3]float64 // by the angle to the sun
}

const skyCells = 256

// candela is the radiance of 1 kcd/m²: a fine day comes out about as bright as
// the studio.
const candela = 0.040

func newPreetham(toSun vec.Vec3, t float64) *preetham {
	p := &preetham{toSun: toSun}
	// Table 2 of the paper: Perez' coefficients for Y, x and y.
	perez := [3][5]float64{
		{float64(0.1787*t) - 1.4630, float64(-0.3554*t) + 0.4275, float64(-0.0227*t) + 5.3251, float64(0.1206*t) - 2.5771, float64(-0.0670*t) + 0.3703},
		{float64(-0.0193*t) - 0.2592, float64(-0.0665*t) + 0.0008, float64(-0.0004*t) + 0.2125, float64(-0.0641*t) - 0.8989, float64(-0.0033*t) + 0.0452},
		{float64(-0.0167*t) - 0.2608, float64(-0.0950*t) + 0.0092, float64(-0.0079*t) + 0.2102, float64(-0.0441*t) - 1.6537, float64(-0.0109*t) + 0.0529},
	}
	s := math.Acos(min(1, toSun.Y)) // the sun's angle from the zenith
	chi := (4.0/9 - t/120) * (math.Pi - float64(2*s))
	s2, s3 := s*s, s*s*s
	zenith := [3]float64{
		float64((float64(4.0453*t)-4.9710)*math.Tan(chi)) - float64(0.2155*t) + 2.4192,
		float64(t*t*(float64(0.00166*s3)-float64(0.00375*s2)+float64(0.00209*s))) + float64(t*(float64(-0.02903*s3)+float64(0.06377*s2)-float64(0.03202*s)+0.00394)) + float64(0.11693*s3) - float64(0.21196*s2) + float64(0.06052*s) + 0.25886,
		float64(t*t*(float64(0.00275*s3)-float64(0.00610*s2)+float64(0.00317*s))) + float64(t*(float64(-0.04214*s3)+float64(0.08970*s2)-float64(0.04153*s)+0.00516)) + float64(0.15346*s3) - float64(0.26756*s2) + float64(0.06670*s) + 0.26688,
	}
	low := func(c [5]float64, cos float64) float64 { return 1 + float64(c[0]*num.Exp(c[1]/max(cos, 1e-3))) }
	near := func(c [5]float64, a float64) float64 {
		return 1 + float64(c[2]*num.Exp(c[3]*a)) + float64(c[4]*math.Cos(a)*math.Cos(a))
	}
	for k, c := range perez {
		norm := zenith[k] / (low(c, 1) * near(c, s))
		for i := range skyCells + 1 {
			x := float64(i) / skyCells
			p.height[i][k] = low(c, x*x) * norm
			p.toward[i][k] = near(c, math.Pi*x)
		}
	}
	return p
}

func (p *preetham) radiance(d vec.Vec3) color.RGB {
	a := math.Acos(max(-1, min(1, d.Dot(p.toSun))))
	h, s := cell(&p.height, math.Sqrt(max(0, d.Y))), cell(&p.toward, a/math.Pi)
	lum, x, y := float64(h[0]*s[0]*candela), float64(h[1]*s[1]), float64(h[2]*s[2])
	// From CIE xyY to linear Rec. 709.
	X, Z := lum*x/y, lum*(1-x-y)/y
	c := color.New(
		max(0, float64(3.2406*X)-float64(1.5372*lum)-float64(0.4986*Z)),
		max(0, float64(-0.9689*X)+float64(1.8758*lum)+float64(0.0415*Z)),
		max(0, float64(0.0557*X)-float64(0.2040*lum)+float64(1.0570*Z)),
	)
	// Near the horizon the model turns pink, which no measured sky does (Zotti,
	// Wilkie and Purgathofer 2007, A critical review of the Preetham skylight
	// model): there, grey.
	if grey := math.Sqrt(float64(c.R * c.B)); c.G < grey {
		c.G += float64((grey - c.G) * num.Smoothstep(0.5, 0, d.Y))
	}
	return c
}

// cell returns the table's value at x in [0, 1].
func cell(table *[skyCells + 1][3]float64, x float64) (v [3]float64) {
	x = float64(x * skyCells)
	i := min(skyCells-1, int(x))
	f := x - float64(i)
	for k := range v {
		v[k] = table[i][k] + float64(f*(table[i+1][k]-table[i][k]))
	}
	return v
}

// sunColor returns the transmittance of sunlight to the ground, relative to green light
// of a sun at 45° on a fine day. It accounts for Rayleigh scattering and aerosols by
// appendix A.1 of the paper.
func sunColor(sin, turbidity float64) color.RGB {
	left := func(lambda, sin, t float64) float64 { // lambda in µm
		elevation := math.Asin(sin) * 180 / math.Pi
		m := 1 / (sin + float64(0.15*num.Pow(elevation+3.885, -1.253))) // air mass
		beta := float64(0.04608365822050*t) - 0.04586025928522
		return num.Exp(float64(-0.008735*num.Pow(lambda, -4.08)*m) - float64(beta*num.Pow(lambda, -1.3)*m))
	}
	norm := left(0.55, math.Sqrt(0.5), 3)
	return color.New(left(0.61, sin, turbidity)/norm, left(0.55, sin, turbidity)/norm, left(0.465, sin, turbidity)/norm)
}
