package pairsum

import "slices"

func equal(p, q *Pairs) bool {
	return slices.Equal(p.Start, q.Start) && slices.Equal(p.Base, q.Base) && slices.Equal(p.List, q.List) && slices.Equal(p.W, q.W)
}
