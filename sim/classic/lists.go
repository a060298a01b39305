package classic

import (
	"slices"

	"breakwater/sim/neighbor"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// lists are the points closer than a radius to each point, itself among them,
// ascending.
type lists struct {
	chunk [][]int32 // the lists of 256 points each, one after the other
	end   []int32   // where each point's list ends in its chunk
}

const listChunk = 256

// find lists the neighbours of all points by any search.
func (l *lists) find(f neighbor.Finder, pos []vec.Vec3, r float64) {
	f.Build(pos, r)
	chunks := (len(pos) + listChunk - 1) / listChunk
	for len(l.chunk) < chunks {
		l.chunk = append(l.chunk, nil)
	}
	l.end = slices.Grow(l.end[:0], len(pos))[:len(pos)]
	par.Each(chunks, func(c int) {
		list := l.chunk[c][:0]
		for i := c * listChunk; i < min(len(pos), (c+1)*listChunk); i++ {
			list = f.Near(list, pos[i])
			l.end[i] = int32(len(list))
		}
		l.chunk[c] = list
	})
}

// of returns the neighbours of point i.
func (l *lists) of(i int) []int32 {
	from := int32(0)
	if i%listChunk > 0 {
		from = l.end[i-1]
	}
	return l.chunk[i/listChunk][from:l.end[i]]
}
