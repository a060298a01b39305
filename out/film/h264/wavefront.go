package h264

import (
	"runtime"
	"sync/atomic"

	"breakwater/sim/par"
)

// chunk is how many macroblocks of a row are done in one go. Moving parts lie together,
// and there rows wait for longer chunks. By the times of macroblocks in a dam break of
// 720p, eight cores gain 5.3 times with 2, 3.3 with 4, 2.1 with 8.
const chunk = 2

// wavefront calls f for every macroblock, each after those on its left, above
// and above on the right. Rows are taken from the top down, and each follows a
// chunk behind the row above; so a row only ever waits for one that is taken.
func wavefront(columns, rows int, f func(x, y int)) {
	n := (columns + chunk - 1) / chunk
	done := make([]chan struct{}, rows) // the chunks of each row
	for y := range done {
		done[y] = make(chan struct{}, n)
	}
	var next atomic.Int64
	par.Each(min(runtime.GOMAXPROCS(0), rows), func(int) {
		for y := int(next.Add(1)) - 1; y < rows; y = int(next.Add(1)) - 1 {
			above := 0 // chunks
			for c := range n {
				for ; y > 0 && above < min(c+2, n); above++ {
					<-done[y-1]
				}
				for x := c * chunk; x < min((c+1)*chunk, columns); x++ {
					f(x, y)
				}
				done[y] <- struct{}{}
			}
		}
	})
}
