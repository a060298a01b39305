package scenes

import (
	"testing"
	"time"
)

func TestPace(t *testing.T) {
	at := func(s float64) time.Time { return time.Unix(0, 0).Add(time.Duration(s * 1e9)) }
	for _, c := range []struct {
		pace pace
		want float64
	}{
		{pace{begun: at(0), frame: at(0), left: 10}, 0},
		{pace{begun: at(0), first: at(2), frame: at(2), made: 1, left: 9}, 18},
		{pace{begun: at(0), first: at(2), frame: at(8), made: 4, left: 6}, 12},
		{pace{begun: at(0), first: at(2), frame: at(8), made: 4}, 0},
	} {
		if got := c.pace.eta(); got != c.want {
			t.Errorf("%+v: %g s left, want %g", c.pace, got, c.want)
		}
	}
}
