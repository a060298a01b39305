package h264

import "breakwater/sim/par"

// chunk is how many macroblocks of a row are done in one go.
const chunk = 4

// wavefront calls f for every macroblock, each after those on its left, above
// and above on the right. Chunks of which none waits for another lie on a
// line two rows down for one to the left, and are done in parallel.
func wavefront(columns, rows int, f func(x, y int)) {
	n := (columns + chunk - 1) / chunk
	for line := range n + 2*(rows-1) {
		first := max(0, (line-n+2)/2) // rows whose chunk on this line exists
		last := min(rows-1, line/2)
		par.Each(last-first+1, func(i int) {
			y := first + i
			lo := (line - 2*y) * chunk
			for x := lo; x < min(lo+chunk, columns); x++ {
				f(x, y)
			}
		})
	}
}
