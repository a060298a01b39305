package neighbor

import (
	"slices"

	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// Block is how many consecutive points share a block of Lists: enough work to
// hand out at once, few enough to balance over many cores.
const Block = 256

// Lists holds the neighbours of every point of a set. They lie in blocks, each
// filled by one goroutine in one piece of memory, so that filling needs no
// second pass and the result does not depend on the number of cores. The zero
// value is ready for Build.
type Lists struct {
	n      int
	blocks []block
}

type block struct {
	start [Block + 1]int32 // where each point's neighbours start in index
	index []int32
}

// Build finds for each point of pos the others that f finds near it. f must
// have been built on pos.
func (l *Lists) Build(f Finder, pos []vec.Vec3) {
	l.n = len(pos)
	count := (l.n + Block - 1) / Block
	for len(l.blocks) < count {
		l.blocks = append(l.blocks, block{})
	}
	par.Each(count, func(b int) {
		blk := &l.blocks[b]
		blk.index = blk.index[:0]
		for i := b * Block; i < min(l.n, (b+1)*Block); i++ {
			from := len(blk.index)
			blk.index = f.Near(blk.index, pos[i])
			if self, ok := slices.BinarySearch(blk.index[from:], int32(i)); ok {
				blk.index = slices.Delete(blk.index, from+self, from+self+1)
			}
			blk.start[i-b*Block+1] = int32(len(blk.index))
		}
	})
}

// Len returns the number of points.
func (l *Lists) Len() int { return l.n }

// Of returns the neighbours of point i, ascending, without i itself.
func (l *Lists) Of(i int) []int32 {
	lo, hi := l.Range(i)
	return l.blocks[i/Block].index[lo:hi]
}

// Range returns where the neighbours of point i lie among those of its block:
// what a caller needs that keeps a value for each pair.
func (l *Lists) Range(i int) (lo, hi int) {
	s := &l.blocks[i/Block].start
	return int(s[i%Block]), int(s[i%Block+1])
}

// Index returns the neighbours of all points of block b, one point's after
// the other's.
func (l *Lists) Index(b int) []int32 { return l.blocks[b].index }
