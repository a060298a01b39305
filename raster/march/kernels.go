package march

// addRowGo adds a puff's kernel times its quantities to a row of voxels along z. The first voxel
// is z away from the puff's place. See [puff.along] for c and b; a is A_zz.
func addRowGo(to *[Side][Channels]float32, of *[Channels]float32, c, b, a, z, edge float32) {
	for k := range to {
		dz := float32(float32(k)*edge) + z
		w := max(0, 1-(float32((float32(a*dz)+b)*dz)+c))
		w = float32(float32(w*w) * w)
		v := &to[k]
		v[0] += float32(w * of[0])
		v[1] += float32(w * of[1])
		v[2] += float32(w * of[2])
		v[3] += float32(w * of[3])
	}
}

// point returns the weights of the k-th point after from along each axis, and the number of the
// first node around it. Points are in voxels from the first node of a brick.
func point(from, step *[4]float32, k int) (f [3]float32, at int) {
	for a, stride := range [3]int{strideX, strideY, 1} {
		x := min(Side, max(0, from[a]+float32(float32(k)*step[a])))
		i := min(Side-1, int(x))
		f[a] = x - float32(i)
		at += i * stride
	}
	return f, at
}

// mixed returns the number of b between the nodes from at on, with the weights f along each axis.
func mixed(b *[brickNodes]float32, f *[3]float32, at int) float32 {
	v := b[at : at+strideX+strideY+2]
	v0, v1 := v[0]+float32(f[0]*(v[strideX]-v[0])), v[1]+float32(f[0]*(v[strideX+1]-v[1]))
	w0, w1 := v[strideY]+float32(f[0]*(v[strideX+strideY]-v[strideY])), v[strideY+1]+float32(f[0]*(v[strideX+strideY+1]-v[strideY+1]))
	v0 += float32(f[1] * (w0 - v0))
	v1 += float32(f[1] * (w1 - v1))
	return v0 + float32(f[2]*(v1-v0))
}

// samplesGo returns the sum of n values of b, linear between the nodes, at from and at points a
// step apart. Points are in voxels from the first node; their last number is 0.
func samplesGo(b *[brickNodes]float32, from, step *[4]float32, n int) (sum float32) {
	for k := range n {
		f, at := point(from, step, k)
		sum += mixed(b, &f, at)
	}
	return sum
}

// lightsGo sets to to the light at from and at points a step apart, and to the extinction there,
// linear between the nodes; see samplesGo.
func lightsGo(to [][5]float32, lit *[brickNodes][4]float32, sigma *[brickNodes]float32, from, step *[4]float32) {
	for k := range to {
		f, at := point(from, step, k)
		to[k][4] = mixed(sigma, &f, at)
		v := lit[at : at+strideX+strideY+2]
		for q := range 4 {
			near := func(i int) float32 { return v[i][q] + float32(f[0]*(v[i+strideX][q]-v[i][q])) }
			v0, v1, w0, w1 := near(0), near(1), near(strideY), near(strideY+1)
			v0 += float32(f[1] * (w0 - v0))
			v1 += float32(f[1] * (w1 - v1))
			to[k][q] = v0 + float32(f[2]*(v1-v0))
		}
	}
}

// sweepRowGo follows the light through a row of cells from the slice before, of which near and far
// are two rows, to the slice now, and adds a share of it to the mean radiance of the cells. The
// cells are step apart in sum, sent, left and path; see crossing.
func sweepRowGo(now, near, far, sum, sent [][4]float32, left, path []float32, step int, w *[4]float32, share float32) {
	k := 0
	for i := range now {
		a, b, c, d := &near[i], &near[i+1], &far[i], &far[i+1]
		h, p := left[k], path[k]
		for q := range now[i] {
			in := float32(w[0]*a[q]) + float32(w[1]*b[q]) + float32(w[2]*c[q]) + float32(w[3]*d[q])
			light := float32(p * sent[k][q])
			middle := float32(h*in) + light
			sum[k][q] += float32(share * middle)
			now[i][q] = float32(h*middle) + light
		}
		k += step
	}
}
