package num

import "math"

// The functions of this file give the same bits on all processors. Those of package math use
// fused multiply-adds where the processor has them, which round once instead of twice.

// ln 2 in two parts, of which the first has so few bits that its products with the exponents
// of numbers are exact.
const (
	ln2High = 6.93147180369123816490e-01
	ln2Low  = 1.90821492927058770002e-10
)

// Exp returns e to the power of x, with an error below one unit in the last place. It is
// the rational approximation of FDLIBM (Sun Microsystems 1993, e_exp.c): with x = k ln 2 + r
// and |r| ≤ ½ ln 2, e^r is 1 + r + r c/(2 − c), where c = r − r²(P1 + r²(P2 + …)).
func Exp(x float64) float64 {
	const p1, p2, p3, p4, p5 = 1.66666666666666657415e-01, -2.77777777770155933842e-03, 6.61375632143793436117e-05, -1.65339022054652515390e-06, 4.13813679705723846039e-08
	switch {
	case math.IsNaN(x):
		return x
	case x > 709.782712893384:
		return math.Inf(1)
	case x < -745.13321910194122:
		return 0
	}
	k := math.Floor(float64(x*math.Log2E) + 0.5)
	high, low := x-float64(k*ln2High), float64(k*ln2Low)
	r := high - low
	t := float64(r * r)
	c := p4 + float64(t*p5)
	c = p3 + float64(t*c)
	c = p2 + float64(t*c)
	c = p1 + float64(t*c)
	c = r - float64(t*c)
	y := 1 - ((low - float64(r*c)/(2-c)) - high)
	if k > -1022 && k < 1024 {
		return float64(y * math.Float64frombits(uint64(1023+int(k))<<52))
	}
	return math.Ldexp(y, int(k))
}

// Pow returns x to the power of y. Its relative error is below 1e-15 times 1 + |y ln x|.
// Powers that are not whole exist for x ≥ 0 only; for others it returns NaN.
func Pow(x, y float64) float64 {
	const mostFactors = 64
	if n := math.Abs(y); n == math.Floor(n) && n <= mostFactors {
		p := 1.
		for f, k := x, int(n); k > 0; k >>= 1 {
			if k&1 != 0 {
				p *= f
			}
			f *= f
		}
		if y < 0 {
			return 1 / p
		}
		return p
	}
	if x == 0 && y > 0 {
		return 0
	}
	if x < 0 && y == math.Floor(y) {
		p := Exp(y * math.Log(-x))
		if math.Mod(y, 2) != 0 {
			return -p
		}
		return p
	}
	return Exp(y * math.Log(x))
}

// erfcTail are the coefficients of a polynomial in (x − 3)/(x + 3) that is x e^{x²} erfc(x) to
// 1e-17 for x from 1.25 to 6, by interpolation at Chebyshev's nodes.
var erfcTail = [...]float64{
	0.53700345354416985146, 0.09530622695922809208, -0.14658304803289125437, 0.1398805476017468856,
	-0.095469750306593982406, 0.046350263333380415901, -0.014019825627655202073, 0.00091082260470563513411,
	0.0012428761761812150289, -0.00041254200731330682475, -0.000084607869991120889523, 0.000068959205237517043459,
	6.4535810761341052481e-6, -0.000010980724381070096998, -8.9955859463095166674e-7, 1.5042609501273331996e-6,
}

// Erf returns the error function of x, with an error below 2e-16.
func Erf(x float64) float64 {
	switch a := math.Abs(x); {
	case a >= 6:
		return math.Copysign(1, x)
	case a >= 1.25:
		t, p := (a-3)/(a+3), 0.
		for k := len(erfcTail) - 1; k >= 0; k-- {
			p = float64(p*t) + erfcTail[k]
		}
		return math.Copysign(1-Exp(-a*a)*p/a, x)
	default: // here math.Erf has no exponential function
		return math.Erf(x)
	}
}

// Hyperbolic returns the hyperbolic sine and cosine of x.
func Hyperbolic(x float64) (sinh, cosh float64) {
	up, down := Exp(x), Exp(-x)
	return (up - down) / 2, (up + down) / 2
}
