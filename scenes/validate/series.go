package validate

import (
	"embed"
	"encoding/csv"
	"fmt"
	"math"
	"strconv"
)

//go:embed data
var data embed.FS

// published returns the first column of a file of published numbers and column y, from 0.
// The head of the file says where they are from.
func published(name string, y int) *series {
	f, err := data.Open("data/" + name + ".csv")
	if err != nil {
		panic(fmt.Sprintf("validate: %v", err))
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment = '#'
	rows, err := r.ReadAll()
	if err != nil {
		panic(fmt.Sprintf("validate: %s: %v", name, err))
	}
	s := &series{}
	for _, row := range rows[1:] {
		a, errA := strconv.ParseFloat(row[0], 64)
		b, errB := strconv.ParseFloat(row[y], 64)
		if errA != nil || errB != nil {
			panic(fmt.Sprintf("validate: %s: %v: no numbers", name, row))
		}
		s.add(a, b)
	}
	return s
}

// series is a quantity over time or place, x ascending.
type series struct{ x, y []float64 }

func (s *series) add(x, y float64) { s.x, s.y = append(s.x, x), append(s.y, y) }

func (s *series) last() float64 { return s.y[len(s.y)-1] }

// at returns the value at x between the nearest two, or the value of the nearer end.
func (s *series) at(x float64) float64 {
	last := len(s.x) - 1
	if x >= s.x[last] {
		return s.y[last]
	}
	i := 0
	for i < last && s.x[i+1] <= x {
		i++
	}
	if x <= s.x[i] {
		return s.y[i]
	}
	t := (x - s.x[i]) / (s.x[i+1] - s.x[i])
	return s.y[i] + float64(t*(s.y[i+1]-s.y[i]))
}

// rms returns how far s, moved by shift along x, is from the points of want: the root of
// the mean square, relative to the root mean square of want.
func (s *series) rms(want *series, shift float64) float64 {
	var off, all float64
	for i, x := range want.x {
		d := s.at(x-shift) - want.y[i]
		off, all = off+float64(d*d), all+float64(want.y[i]*want.y[i])
	}
	return math.Sqrt(off / all)
}

// bestShift returns the shift, up to most either way, for which s is closest
// to want.
func (s *series) bestShift(want *series, most float64) (shift, rms float64) {
	const n = 400
	shift, rms = 0, s.rms(want, 0)
	for k := -n; k <= n; k++ {
		try := most * float64(k) / n
		if e := s.rms(want, try); e < rms {
			shift, rms = try, e
		}
	}
	return shift, rms
}

// shifted returns s moved by shift along x.
func (s *series) shifted(shift float64) []float64 {
	x := make([]float64, len(s.x))
	for i := range x {
		x[i] = s.x[i] + shift
	}
	return x
}

// between returns the part of s from lo to hi.
func (s *series) between(lo, hi float64) *series {
	part := &series{}
	for i, x := range s.x {
		if x >= lo && x <= hi {
			part.add(x, s.y[i])
		}
	}
	return part
}

// first returns where s first comes to y, +Inf if it never does.
func (s *series) first(y float64) float64 {
	for i, v := range s.y {
		if v >= y {
			return s.x[i]
		}
	}
	return math.Inf(1)
}

// period returns the period of s, which swings about 0: twice the mean time
// between its zeros after the start, +Inf if there are fewer than two.
func (s *series) period() float64 {
	var zeros []float64
	for i := 2; i < len(s.x); i++ {
		if a, b := s.y[i-1], s.y[i]; (a < 0) != (b < 0) {
			zeros = append(zeros, s.x[i-1]+(s.x[i]-s.x[i-1])*a/(a-b))
		}
	}
	n := len(zeros)
	if n < 2 {
		return math.Inf(1)
	}
	return 2 * (zeros[n-1] - zeros[0]) / float64(n-1)
}

// average returns the mean over x, which may be unevenly spaced.
func (s *series) average() float64 {
	var sum float64
	for i := 1; i < len(s.x); i++ {
		sum += float64((s.x[i] - s.x[i-1]) * (s.y[i] + s.y[i-1]) / 2)
	}
	return sum / (s.x[len(s.x)-1] - s.x[0])
}

// mean returns s with each value the mean over the given width of x.
func (s *series) mean(width float64) *series {
	out := &series{}
	for i, x := range s.x {
		sum, n := 0., 0.
		for j := i; j >= 0 && s.x[j] >= x-float64(width/2); j-- {
			sum, n = sum+s.y[j], n+1
		}
		for j := i + 1; j < len(s.x) && s.x[j] <= x+float64(width/2); j++ {
			sum, n = sum+s.y[j], n+1
		}
		out.add(x, sum/n)
	}
	return out
}

func highest(y []float64) float64 {
	m := math.Inf(-1)
	for _, v := range y {
		m = max(m, v)
	}
	return m
}

// line returns the slope and the start of the line with the least squares.
func (s *series) line() (slope, start float64) {
	var x, y, xx, xy float64
	n := float64(len(s.x))
	for i := range s.x {
		x, y, xx, xy = x+s.x[i], y+s.y[i], xx+float64(s.x[i]*s.x[i]), xy+float64(s.x[i]*s.y[i])
	}
	slope = (float64(n*xy) - float64(x*y)) / (float64(n*xx) - float64(x*x))
	return slope, (y - float64(slope*x)) / n
}

// power returns the exponent of y as a power of x − origin.
func (s *series) power(origin float64) float64 {
	var l series
	for i, x := range s.x {
		l.add(math.Log(x-origin), math.Log(s.y[i]))
	}
	exponent, _ := l.line()
	return exponent
}
