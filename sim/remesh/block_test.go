package remesh

import (
	"testing"

	"breakwater/sim/vec"
)

// TestBlock counts the nodes of blocks around boxes, whole and in parts.
func TestBlock(t *testing.T) {
	l := Lattice{Edge: 0.5, Low: [3]int{-4, -4, -4}, N: [3]int{10, 11, 12}}
	box := vec.Box{Min: vec.New(-0.2, 0, 0.1), Max: vec.New(0.3, 0.5, 0.4)} // nodes −1 to 1, 0 to 1, 0 to 1
	for _, c := range []struct {
		name string
		b    Block
		want int
	}{
		{"all", l.All(), 10 * 11 * 12},
		{"around a box", l.Around(box, 0), 3 * 2 * 2},
		{"and two more", l.Around(box, 2), 7 * 6 * 6},
		{"grown", l.Grown(l.Around(box, 0), 2), 7 * 6 * 6},
		{"beyond the lattice", l.Around(box, 100), 10 * 11 * 12},
		{"outside of it", l.Around(vec.Box{Min: vec.New(9, 9, 9), Max: vec.New(10, 10, 10)}, 1), 0},
		{"nothing", l.Around(vec.Empty(), 3), 0},
		{"nothing grown", l.Grown(Block{}, 3), 0},
		{"two", l.Around(box, 0).Union(l.Around(vec.Box{Min: vec.New(1, 0, 0), Max: vec.New(1, 0, 0)}, 0)), 4 * 2 * 2},
		{"one and nothing", l.Around(box, 0).Union(Block{}), 3 * 2 * 2},
	} {
		seen := map[int]int{}
		for from := 0; from < l.Len(); from += 97 { // parts that end within rows
			last := -1
			l.Rows(c.b, from, min(from+97, l.Len()), func(p, q int) {
				if p <= last || p < from || q > from+97 {
					t.Errorf("%s: nodes %d to %d after %d, of %d to %d", c.name, p, q, last, from, from+97)
				}
				for ; p < q; p++ {
					seen[p]++
					last = p
					i := [3]int{p % l.N[0], p / l.N[0] % l.N[1], p / (l.N[0] * l.N[1])}
					for a := range i {
						if i[a] < c.b.Lo[a] || i[a] >= c.b.Hi[a] {
							t.Errorf("%s: node %v is outside of %v", c.name, i, c.b)
						}
					}
				}
			})
		}
		if len(seen) != c.want {
			t.Errorf("%s: %d nodes, want %d", c.name, len(seen), c.want)
		}
	}
	l.Period[1] = 1
	if l.Around(box, 0) != l.All() {
		t.Error("where nodes repeat, a block leaves some out")
	}
}
