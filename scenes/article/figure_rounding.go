package article

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"runtime"
	"strconv"

	"breakwater/raster/figure"
	"breakwater/sim/dice"
	"breakwater/sim/num"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
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
	threads := [][]string{{"threads", "state of the gas", "sum of shares"}}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for n := 1; n <= 8; n++ {
		runtime.GOMAXPROCS(n)
		state, err := stateHash()
		if err != nil {
			return nil, err
		}
		threads = append(threads, []string{strconv.Itoa(n), state, strconv.FormatFloat(shares(values, n), 'f', 13, 64)})
	}
	return &figure.Plot{Columns: 2, Row: 140, Rows: []float64{100}, Wide: true, Panels: []figure.Panel{
		{Name: "three numbers", Title: "a = 1, b = 0.4ε, c = 0.45ε", Table: three},
		{Name: "many numbers", Title: "random numbers from −½ to ½", Table: many},
		{Name: "threads", Title: "a jet ring and its tracers after ten steps, and the 50,000 numbers", Table: threads},
	}, Caption: "Sums of floating-point numbers depend on their order. Upper left: ε is the distance from 1 to the next number, and every result is rounded. b alone is lost when it is added to 1, and so is c after it. Their sum is not. Upper right: the last digits of the sum of 50,000 numbers. A tree of halves whose leaves depend on the number of threads has other digits for each number. Here leaves have fixed lengths and are added in a fixed order, so the digits are the same on any number of threads. Below: the start of the SHA-256 of all places, velocities and vorticities of a gas, which is the same on any number of threads, and the sum of the numbers if each thread adds a share of them, which is not."}, nil
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

// shares adds numbers in equal shares, and then the sums of the shares.
func shares(x []float64, n int) (sum float64) {
	for k := range n {
		part := 0.
		for _, v := range x[k*len(x)/n : (k+1)*len(x)/n] {
			part += v
		}
		sum += part
	}
	return sum
}

// stateHash returns the start of a hash of all numbers of a gas after ten steps.
func stateHash() (string, error) {
	a := mollified(2)
	s, err := a.solver()
	if err != nil {
		return "", err
	}
	f := jetRing(200)
	s.Stretching = 0.5
	for i, x := range f.Vortons.X {
		if i%2 == 0 {
			f.AddTracer(x, 300, vortex.Blend{Smoke: 1})
		}
	}
	if err := f.Advance(s, plainGas(), 10*s.LongestStep, nil); err != nil {
		return "", err
	}
	h := sha256.New()
	for _, list := range [][]vec.Vec3{f.Vortons.X, f.Vortons.V, f.Vortons.W, f.Tracers.X, f.Tracers.V} {
		if err := binary.Write(h, binary.LittleEndian, list); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil))[:16], nil
}
