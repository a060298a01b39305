package mesher

import (
	"fmt"
	"math"
	"strings"

	"breakwater/out"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// clean takes the particles out of p that cannot be meshed: those at no place,
// and those at the place of one before. It returns what it took, by index,
// "" if nothing.
func clean(p *out.Particles) string {
	gone := make([]bool, len(p.X))
	lost := mark(gone, func(i int) bool { return !p.X[i].Finite() })
	double := duplicates(p.X, gone)
	var news []string
	if lost.n > 0 {
		news = append(news, lost.say("at no place (NaN or infinite)"))
	}
	if double.n > 0 {
		news = append(news, double.say("at the place of one before"))
	}
	if lost.n+double.n == 0 {
		return ""
	}
	p.X = without(p.X, gone)
	for k := range p.Fields {
		f := &p.Fields[k]
		f.Scalar, f.Vector = without(f.Scalar, gone), without(f.Vector, gone)
	}
	return strings.Join(news, "; ")
}

// left are particles that are left out: how many, and the first few.
type left struct {
	n     int
	first []int
}

func (l *left) add(i int) {
	if l.n++; len(l.first) < 3 {
		l.first = append(l.first, i)
	}
}

func (l *left) say(why string) string {
	var which []string
	for _, i := range l.first {
		which = append(which, fmt.Sprint(i))
	}
	more := ""
	if l.n > len(l.first) {
		more = ", …"
	}
	what := "particles"
	if l.n == 1 {
		what = "particle"
	}
	return fmt.Sprintf("left out %d %s %s: %s%s", l.n, what, why, strings.Join(which, ", "), more)
}

// mark sets gone where is, and returns where that was.
func mark(gone []bool, is func(i int) bool) (l left) {
	some := par.Max(len(gone), 0, func(lo, hi int) float64 {
		n := 0.
		for i := lo; i < hi; i++ {
			if is(i) {
				gone[i], n = true, 1
			}
		}
		return n
	})
	if some > 0 {
		for i, g := range gone {
			if g {
				l.add(i)
			}
		}
	}
	return l
}

// duplicates marks in gone the particles at the very place of one before, of
// those that are not gone yet.
//
// Particles are dealt by a hash of their place into parts, which are small
// enough for a core's cache, and each part is looked through by itself.
func duplicates(x []vec.Vec3, gone []bool) (l left) {
	const parts = 64
	n := len(x)
	hashes := make([]uint32, n)
	const chunk = 1 << 13
	chunks := (n + chunk - 1) / chunk
	counts := make([][parts]int32, chunks+1)
	par.Each(chunks, func(c int) {
		for i := c * chunk; i < min(n, (c+1)*chunk); i++ {
			hashes[i] = hash(x[i])
			counts[c+1][hashes[i]%parts]++
		}
	})
	var starts [parts + 1]int32
	for p := range parts {
		at := starts[p]
		for c := range counts[1:] {
			counts[c][p], at = at, at+counts[c+1][p]
		}
		starts[p+1] = at
	}
	order := make([]int32, n)
	par.Each(chunks, func(c int) {
		for i := c * chunk; i < min(n, (c+1)*chunk); i++ {
			at := &counts[c][hashes[i]%parts]
			order[*at] = int32(i)
			*at++
		}
	})
	found := make([]bool, parts)
	par.Each(parts, func(p int) {
		all := order[starts[p]:starts[p+1]]
		size := 8
		for size < 2*len(all) {
			size *= 2
		}
		slots := make([]int32, size) // index + 1
		for _, i := range all {
			if gone[i] {
				continue
			}
			at := int(hashes[i]/parts) & (size - 1)
			for slots[at] != 0 && x[slots[at]-1] != x[i] {
				at = (at + 1) & (size - 1)
			}
			if slots[at] != 0 {
				gone[i], found[p] = true, true
				continue
			}
			slots[at] = i + 1
		}
	})
	for p, some := range found {
		if !some {
			continue
		}
		for _, i := range order[starts[p]:starts[p+1]] {
			if gone[i] && x[i].Finite() {
				l.n++
			}
		}
	}
	if l.n > 0 {
		for i, g := range gone {
			if g && x[i].Finite() {
				if l.first = append(l.first, i); len(l.first) == 3 {
					break
				}
			}
		}
	}
	return l
}

// hash mixes the bits of a place (the finalizer of MurmurHash3, Appleby 2011).
// −0 is 0.
func hash(x vec.Vec3) uint32 {
	h := math.Float64bits(x.X+0)*0x9e3779b97f4a7c15 ^ math.Float64bits(x.Y+0)*0xc2b2ae3d27d4eb4f ^ math.Float64bits(x.Z+0)*0x165667b19e3779f9
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return uint32(h >> 32)
}

// without returns what of s is not gone, in its memory.
func without[T any](s []T, gone []bool) []T {
	n := 0
	for i := range s {
		if !gone[i] {
			s[n] = s[i]
			n++
		}
	}
	return s[:n]
}
