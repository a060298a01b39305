package article

import (
	"runtime"
	"testing"
)

// BenchmarkColumnTimes reports the parts of a step of the falling column as the
// figure article-times has them, on one thread.
func BenchmarkColumnTimes(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var ms [5]float64
	var err error
	for b.Loop() {
		if ms, err = columnTimes(); err != nil {
			b.Fatal(err)
		}
	}
	for k, part := range []string{"search", "density", "pressure", "diffusion", "total"} {
		b.ReportMetric(ms[k], part+"-ms/step")
	}
}
