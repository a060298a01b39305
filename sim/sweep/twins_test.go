package sweep

import "slices"

func equal(p, q *Pairs) bool {
	return slices.Equal(p.Start, q.Start) && slices.Equal(p.J, q.J) && slices.Equal(p.G, q.G) && slices.Equal(p.W, q.W)
}
