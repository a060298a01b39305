package multipole

// lanes is the number that the length of an expansion is rounded up to.
const lanes = 8

// applyGo adds the map m, n columns of the length stride, of the expansions of the three
// components from to the components of into.
func applyGo(into, from, m []float32, n, stride int) {
	for c := range 3 {
		y := into[c*stride : (c+1)*stride]
		for k, x := range from[c*stride : c*stride+n] {
			for r, v := range m[k*stride : (k+1)*stride] {
				y[r] += float32(v * x)
			}
		}
	}
}
