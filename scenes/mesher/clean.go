package mesher

import (
	"fmt"
	"math"
	"strings"

	"breakwater/out/particles"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// reason says why a particle is left out.
type reason uint8

const (
	kept reason = iota
	nowhere
	outside
	double
)

// reasons are the texts for the user.
var reasons = [...]string{nowhere: "with positions that are not finite", outside: "outside the box", double: "at the position of an earlier one"}

// Clean takes the particles out of p that cannot be meshed, and describes them, or
// returns "" if it keeps all.
func Clean(p *particles.Cloud) string { return clean(p, nil) }

// clean removes the particles from p that cannot be meshed: particles without a finite
// position, particles outside the box within, if it is set, and duplicates of an earlier
// one. It returns a list of them, by index, "" if it keeps all.
func clean(p *particles.Cloud, within *vec.Box) string {
	why := make([]reason, len(p.X))
	par.For(len(why), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			switch x := p.X[i]; {
			case !x.Finite():
				why[i] = nowhere
			case within != nil && !within.Contains(x):
				why[i] = outside
			}
		}
	})
	duplicates(p.X, why)
	var notices []string
	for r, says := range reasons {
		if l := list(why, reason(r)); r > 0 && l.n > 0 {
			notices = append(notices, "left out "+l.say(says))
		}
	}
	if len(notices) == 0 {
		return ""
	}
	p.X = without(p.X, why)
	for k := range p.Fields {
		f := &p.Fields[k]
		f.Scalar, f.Vector = without(f.Scalar, why), without(f.Vector, why)
	}
	return strings.Join(notices, "; ")
}

// Mend sets velocities that are not finite to zero, and returns a list of their
// particles, "" without any.
func Mend(v []vec.Vec3) string {
	why := make([]reason, len(v))
	par.For(len(v), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if !v[i].Finite() {
				v[i], why[i] = vec.Vec3{}, nowhere
			}
		}
	})
	if l := list(why, nowhere); l.n > 0 {
		return "set to rest: " + l.say("with velocities that are not finite")
	}
	return ""
}

// listed are particles that something is said of: how many, and the first few.
type listed struct {
	n     int
	first []int
}

// list returns the particles with the reason r.
func list(why []reason, r reason) (l listed) {
	for i, w := range why {
		if w == r {
			if l.n++; len(l.first) < 3 {
				l.first = append(l.first, i)
			}
		}
	}
	return l
}

func (l *listed) say(why string) string {
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
	return fmt.Sprintf("%d %s %s: %s%s", l.n, what, why, strings.Join(which, ", "), more)
}

// duplicates marks the particles at the very place of an earlier one, among the particles
// kept so far.
//
// Particles are dealt by a hash of their place into parts, which are small
// enough for a core's cache, and each part is looked through by itself.
func duplicates(x []vec.Vec3, why []reason) {
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
	par.Each(parts, func(p int) {
		all := order[starts[p]:starts[p+1]]
		size := 8
		for size < 2*len(all) {
			size *= 2
		}
		slots := make([]int32, size) // index + 1
		for _, i := range all {
			if why[i] != kept {
				continue
			}
			at := int(hashes[i]/parts) & (size - 1)
			for slots[at] != 0 && x[slots[at]-1] != x[i] {
				at = (at + 1) & (size - 1)
			}
			if slots[at] != 0 {
				why[i] = double
				continue
			}
			slots[at] = i + 1
		}
	})
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

// without returns the kept items of s, in its memory.
func without[T any](s []T, why []reason) []T {
	n := 0
	for i := range s {
		if why[i] == kept {
			s[n] = s[i]
			n++
		}
	}
	return s[:n]
}
