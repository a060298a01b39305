package surface

import "testing"

// TestCasesAgreeOnFaces puts every pair of cubes beside each other that share
// their four corners: the outline one leaves on the shared face must be the
// other's, run backwards.
func TestCasesAgreeOnFaces(t *testing.T) {
	outline := func(odd, inside, axis, side int) map[[2]int8]bool {
		on := func(e int8) bool {
			return edgeEnds[e][0]>>axis&1 == side && edgeEnds[e][1]>>axis&1 == side
		}
		out := map[[2]int8]bool{}
		for _, tri := range cases[odd][inside] {
			for k := range tri {
				a, b := tri[k], tri[(k+1)%3]
				if !on(a) || !on(b) {
					continue
				}
				if out[[2]int8{b, a}] {
					t.Fatalf("case %08b: side %d-%d is inner to a face", inside, a, b)
				}
				out[[2]int8{a, b}] = true
			}
		}
		return out
	}
	across := func(e int8, axis int) int8 { // the same edge seen from the next cube
		return edgeBetween(edgeEnds[e][0]^1<<axis, edgeEnds[e][1]^1<<axis)
	}
	for axis := range 3 {
		var high [256]int // corners of the face at 1, moved to 0
		for c := range 256 {
			for b := range 8 {
				if b>>axis&1 == 1 && c>>b&1 == 1 {
					high[c] |= 1 << (b ^ 1<<axis)
				}
			}
		}
		for k := range 8 * 256 {
			odd, c := k/256, k%256
			mine := outline(odd, c, axis, 1)
			for d := range 256 {
				low := 0
				for b := range 8 {
					if b>>axis&1 == 0 {
						low |= d & (1 << b)
					}
				}
				if high[c] != low {
					continue
				}
				theirs := outline(odd^1<<axis, d, axis, 0)
				if len(mine) != len(theirs) {
					t.Fatalf("axis %d, cases %08b and %08b: %d segments against %d", axis, c, d, len(mine), len(theirs))
				}
				for s := range mine {
					if !theirs[[2]int8{across(s[1], axis), across(s[0], axis)}] {
						t.Fatalf("axis %d, cases %08b and %08b: segment %v has no partner", axis, c, d, s)
					}
				}
			}
		}
	}
}

// TestCasesCrossTheRightEdges checks that a case's vertices are the edges with
// one end inside, each used, and that triangles face outwards.
func TestCasesCrossTheRightEdges(t *testing.T) {
	for k := range 8 * 256 {
		odd, inside := k/256, k%256
		tris := cases[odd][inside]
		used := map[int8]bool{}
		for _, tri := range tris {
			for _, e := range tri {
				used[e] = true
			}
		}
		for e, ends := range edgeEnds {
			crossed := inside>>ends[0]&1 != inside>>ends[1]&1
			if crossed != used[int8(e)] {
				t.Errorf("odd at %03b, case %08b: edge %d is crossed: %v, used: %v", odd, inside, e, crossed, used[int8(e)])
			}
		}
		if len(tris) > 5 {
			t.Errorf("case %08b has %d triangles", inside, len(tris))
		}
	}
	// One corner inside: the normal points away from it.
	mid := func(e int8) (p [3]float64) {
		for a := range p {
			p[a] = float64(edgeEnds[e][0]>>a&1+edgeEnds[e][1]>>a&1) / 2
		}
		return p
	}
	tri := cases[0][1][0]
	a, b, c := mid(tri[0]), mid(tri[1]), mid(tri[2])
	var det float64
	for k := range 3 {
		i, j := (k+1)%3, (k+2)%3
		det += a[k] * (b[i]*c[j] - b[j]*c[i])
	}
	if det <= 0 {
		t.Errorf("corner 0 inside: triangle %v faces inwards", tri)
	}
}
