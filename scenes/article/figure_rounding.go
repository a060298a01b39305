package article

import (
	"strconv"

	"breakwater/raster/figure"
	"breakwater/sim/dice"
	"breakwater/sim/num"
)

func init() {
	register("rounding", "sums of the same numbers in several orders", "Gourlay 2012, part 12", drawing(rounding))
}

// rounding adds three numbers in both ways, and 50,000 random ones in four orders.
func rounding() (*figure.Plot, error) {
	const eps = 1. / (1 << 52) // the distance from 1 to the next number
	a, b, c := 1., 0.4*eps, 0.45*eps
	over := func(x float64) string {
		if x == 1 {
			return "1"
		}
		return "1 + " + strconv.FormatFloat((x-1)/eps, 'g', -1, 64) + "ε"
	}
	left, right := a+b, b+c
	three := [][]string{
		{"sum", "exact", "computed"},
		{"a + b", "1 + 0.4ε", over(left)},
		{"(a + b) + c", "1 + 0.85ε", over(left + c)},
		{"b + c", "0.85ε", num.Decimals(right/eps, 2) + "ε"},
		{"a + (b + c)", "1 + 0.85ε", over(a + right)},
	}
	d := dice.New(1)
	values := make([]float64, 50_000)
	for i := range values {
		values[i] = d.Float(uint64(i)) - 0.5
	}
	var forward, backward float64
	for i := range values {
		forward += values[i]
		backward += values[len(values)-1-i]
	}
	many := [][]string{{"order of 50,000 numbers", "sum"}}
	for _, row := range []struct {
		name string
		sum  float64
	}{
		{"from the first to the last", forward}, {"from the last to the first", backward},
		{"halves, down to 512 numbers", halves(values, 512)}, {"halves, down to 2 threads' shares", halves(values, 25_000)},
	} {
		many = append(many, []string{row.name, strconv.FormatFloat(row.sum, 'f', 13, 64)})
	}
	return &figure.Plot{Columns: 2, Row: 100, Panels: []figure.Panel{
		{Name: "three numbers", Title: "a = 1, b = 0.4ε, c = 0.45ε", Table: three},
		{Name: "many numbers", Title: "random numbers from −½ to ½", Table: many},
	}, Caption: "Sums of floating-point numbers depend on their order. Left: ε is the distance from 1 to the next number, and every result is rounded. b alone is lost when it is added to 1, and so is c after it. Their sum is not. Right: the last digits of the sum of 50,000 numbers. A tree of halves whose leaves depend on the number of threads has other digits for each number. Here leaves have fixed lengths and are added in a fixed order, so the digits are the same on any number of threads."}, nil
}

// halves adds numbers in a binary tree with leaves of at most the given length.
func halves(x []float64, leaf int) (sum float64) {
	if n := len(x); n > leaf {
		return halves(x[:n/2], leaf) + halves(x[n/2:], leaf)
	}
	for _, v := range x {
		sum += v
	}
	return sum
}
