package fft

// vector returns the first Lanes numbers of a.
func vector(a []float32) *[Lanes]float32 { return (*[Lanes]float32)(a) }

// numbers are the real and imaginary parts of a vector's three components, and of a
// divergence if there is one, at Lanes wave numbers.
type numbers [8]*[Lanes]float32

// curlGo replaces the components of w, and the divergence d, by g i (k×w − k d), for wave
// numbers along x and z and Lanes of them along y.
func curlGo(at *numbers, dy, green *[Lanes]float32, dx, dz float32) {
	for l, g := range green {
		dy := dy[l]
		ar, ai, br, bi, cr, ci := at[0][l], at[1][l], at[2][l], at[3][l], at[4][l], at[5][l]
		ur, ui := float32(dy*cr)-float32(dz*br), float32(dy*ci)-float32(dz*bi)
		vr, vi := float32(dz*ar)-float32(dx*cr), float32(dz*ai)-float32(dx*ci)
		wr, wi := float32(dx*br)-float32(dy*ar), float32(dx*bi)-float32(dy*ai)
		if at[6] != nil {
			er, ei := at[6][l], at[7][l]
			ur, ui = ur-float32(dx*er), ui-float32(dx*ei)
			vr, vi = vr-float32(dy*er), vi-float32(dy*ei)
			wr, wi = wr-float32(dz*er), wi-float32(dz*ei)
		}
		at[0][l], at[1][l] = -g*ui, g*ur
		at[2][l], at[3][l] = -g*vi, g*vr
		at[4][l], at[5][l] = -g*wi, g*wr
	}
}

// complexLanes points to the real and imaginary parts of Lanes numbers.
type complexLanes [2]*[Lanes]float32

// splitGo sets the transforms A and B of two real rows, of which the second follows the
// first in re and im, from the transform Z of A + iB: z is at a wave number and y at its
// negative. A = (Z + conj Y)/2 and B = (Z − conj Y)/2i. Without B, re and im hold only A.
func splitGo(z, y *complexLanes, re, im []float32) {
	for c := range Lanes {
		re[c], im[c] = 0.5*(z[0][c]+y[0][c]), 0.5*(z[1][c]-y[1][c])
		if len(re) > Lanes {
			re[Lanes+c], im[Lanes+c] = 0.5*(z[1][c]+y[1][c]), 0.5*(y[0][c]-z[0][c])
		}
	}
}

// joinGo is the inverse of splitGo.
func joinGo(z, y *complexLanes, re, im []float32) {
	for c := range Lanes {
		ar, ai, br, bi := re[c], im[c], float32(0), float32(0)
		if len(re) > Lanes {
			br, bi = re[Lanes+c], im[Lanes+c]
		}
		y[0][c], y[1][c] = ar+bi, br-ai
		z[0][c], z[1][c] = ar-bi, ai+br
	}
}

// move copies a vector.
func move(to, from []float32) {
	v := *vector(from)
	*vector(to) = v
}

// strides are the distances between the rows of a block of Lanes rows of Lanes numbers, and
// between blocks.
type strides struct{ row, block int }

// last returns the index of the last number of n blocks.
func (b strides) last(n int) int { return (n-1)*b.block + (Lanes-1)*(b.row+1) }

// transposeGo transposes n blocks.
func transposeGo(to, from []float32, n int, into, of strides) {
	for b := range n {
		for r := range Lanes {
			t := vector(to[b*into.block+r*into.row:])
			for c := range t {
				t[c] = from[b*of.block+c*of.row+r]
			}
		}
	}
}

// turnIn copies Lanes rows of n numbers, whose starts are stride apart, to lines.
func turnIn(to, from []float32, n, stride int) {
	transpose(to, from, n/Lanes, strides{Lanes, Lanes * Lanes}, strides{stride, Lanes})
	for k := n - n%Lanes; k < n; k++ {
		for lane := range Lanes {
			to[k*Lanes+lane] = from[lane*stride+k]
		}
	}
}

// turnOut copies lines back to rows.
func turnOut(to, from []float32, n, stride int) {
	transpose(to, from, n/Lanes, strides{stride, Lanes}, strides{Lanes, Lanes * Lanes})
	for k := n - n%Lanes; k < n; k++ {
		for lane := range Lanes {
			to[lane*stride+k] = from[k*Lanes+lane]
		}
	}
}
