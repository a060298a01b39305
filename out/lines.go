package out

import (
	"io"
	"math"
	"strconv"
	"sync"

	"breakwater/sim/par"
)

// writeLines writes n lines, which line appends to b, from several goroutines
// and in no order.
func writeLines(w io.Writer, n int, line func(b []byte, i int) []byte) error {
	const chunk = 4096 // lines, some 150 kB
	pages := pagePool.Get().(*[16][]byte)
	defer pagePool.Put(pages)
	for from := 0; from < n; from += chunk * len(pages) {
		count := min(len(pages), (n-from+chunk-1)/chunk)
		par.Each(count, func(k int) {
			b := pages[k][:0]
			for i := from + k*chunk; i < min(n, from+(k+1)*chunk); i++ {
				b = line(b, i)
			}
			pages[k] = b
		})
		for _, b := range pages[:count] {
			if _, err := w.Write(b); err != nil {
				return err
			}
		}
	}
	return nil
}

// pagePool keeps the memory of writeLines.
var pagePool = sync.Pool{New: func() any { return new([16][]byte) }}

// textNumber appends v as a float32 in the fewest digits that distinguish it from others.
func textNumber(b []byte, v float64) []byte {
	format := byte('f')
	if a := math.Abs(v); a != 0 && (a < 1e-5 || a >= 1e9) {
		format = 'e'
	}
	return strconv.AppendFloat(b, float64(float32(v)), format, -1, 32)
}
