package numbers

import (
	"bytes"
	"fmt"
	"math"
	"strings"

	"breakwater/sim/par"
)

// TextChunk is how many bytes of a text one goroutine reads at a time.
const TextChunk = 1 << 16

// TextError is a fault at a place of a text.
type TextError struct {
	At   int // bytes from the start of the text that was read
	Text string
}

func (e *TextError) Error() string { return e.Text }

// OnLine returns err with its line of data added, if it is a TextError of a text that
// begins at the byte from of data.
func OnLine(err error, data []byte, from int) error {
	if e, ok := err.(*TextError); ok {
		return fmt.Errorf("line %d: %s", 1+bytes.Count(data[:min(len(data), from+e.At)], []byte{'\n'}), e.Text)
	}
	return err
}

// ParseAll reads n numbers, which white space divides, from the start of
// text, and returns what comes after them. If keep is false it only passes
// over them.
func ParseAll(text []byte, n int, keep bool) (v []float64, rest []byte, err error) {
	if n > len(text)/2+1 {
		return nil, nil, &TextError{len(text), fmt.Sprintf("cut short: %d numbers do not fit in the remaining %d bytes", n, len(text))}
	}
	if keep {
		v = make([]float64, n)
	}
	const together = 256 // chunks
	starts := make([]int, together)
	errs := make([]error, together)
	at := 0
	for done := 0; done < n; {
		if at >= len(text) {
			return nil, nil, &TextError{len(text), fmt.Sprintf("cut short: %d of %d numbers", done, n)}
		}
		chunks := min(together, (len(text)-at+TextChunk-1)/TextChunk)
		bounds := func(k int) (lo, hi int) { return at + k*TextChunk, min(len(text), at+(k+1)*TextChunk) }
		par.Each(chunks, func(k int) {
			lo, hi := bounds(k)
			starts[k] = wordStarts(text, lo, hi)
		})
		end := -1 // of the last number, once it is found
		for k := range chunks {
			first := done
			done += starts[k]
			starts[k] = first
		}
		if keep || done >= n {
			ends := make([]int, chunks)
			par.Each(chunks, func(k int) {
				lo, hi := bounds(k)
				errs[k], ends[k] = nil, -1
				if starts[k] < n && (keep || k == chunks-1 || starts[k+1] >= n) {
					ends[k], errs[k] = readWords(text, lo, hi, v, starts[k], n)
				}
			})
			for k, e := range errs[:chunks] {
				if e != nil {
					return nil, nil, e
				}
				if ends[k] >= 0 {
					end = ends[k]
				}
			}
		}
		if done >= n {
			return v, text[end:], nil
		}
		_, at = bounds(chunks - 1)
	}
	return v, text, nil
}

// wordStarts returns how many words begin in text[lo:hi].
func wordStarts(text []byte, lo, hi int) (n int) {
	space := lo == 0 || text[lo-1] <= ' '
	for _, c := range text[lo:hi] {
		s := c <= ' '
		if space && !s {
			n++
		}
		space = s
	}
	return n
}

// readWords reads the words that begin in text[lo:hi], the first as number i of
// v, up to number n, unless v is nil. It returns where the last word ends.
func readWords(text []byte, lo, hi int, v []float64, i, n int) (end int, err error) {
	at := lo
	if lo > 0 {
		for at < hi && text[at-1] > ' ' {
			at++
		}
	}
	for ; i < n; i++ {
		for at < hi && text[at] <= ' ' {
			at++
		}
		if at >= hi {
			break
		}
		begin := at
		for at < len(text) && text[at] > ' ' {
			at++
		}
		if v == nil {
			continue
		}
		x, ok := AnyNumber(text[begin:at])
		if !ok {
			return 0, &TextError{begin, fmt.Sprintf("%.30q is not a number", text[begin:at])}
		}
		v[i] = x
	}
	return at, nil
}

// AnyNumber returns the number that b writes, which may be infinite or none.
func AnyNumber(b []byte) (v float64, ok bool) {
	if v, err := Parse(b); err == nil {
		return v, true
	}
	switch s := strings.TrimLeft(strings.ToLower(string(b)), "+-"); {
	case s == "nan", strings.HasPrefix(s, "nan("), strings.HasPrefix(s, "1.#ind"), strings.HasPrefix(s, "1.#qnan"): // as C libraries write them
		return math.NaN(), true
	case s == "inf", s == "infinity", strings.HasPrefix(s, "1.#inf"):
		if b[0] == '-' {
			return math.Inf(-1), true
		}
		return math.Inf(1), true
	}
	return 0, false
}
