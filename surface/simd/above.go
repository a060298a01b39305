package simd

// Above sets bit x of rows[z·Side + y] where node (x, y, z) of f is above t.
func Above(rows *[Side * Side]uint16, f *Block, t float32) { above(rows, f, t) }

func aboveGo(rows *[Side * Side]uint16, f *Block, t float32) {
	for r := range rows {
		var bits uint16
		for x, v := range f[r*Side : (r+1)*Side] {
			if v > t {
				bits |= 1 << x
			}
		}
		rows[r] = bits
	}
}
