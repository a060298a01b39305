package grains

// mixGo sets to to the mean of the light at the nodes whose numbers are in at, with the weights
// w. A number below 0 is of no node. The assembly reads the twelve numbers of a shine in one row.
func mixGo(to *shine, of []shine, at *[8]int32, w *[8]float32) {
	var s shine
	all := float32(0)
	for k, n := range at {
		if n < 0 {
			continue
		}
		a, w := &of[n], w[k]
		all += w
		for c := range 3 {
			s.sun[c] += float32(w * a.sun[c])
			s.open[c] += float32(w * a.open[c])
			s.multi[c] += float32(w * a.multi[c])
			s.lean[c] += float32(w * a.lean[c])
		}
	}
	if all > 0 {
		k := 1 / all
		for c := range 3 {
			s.sun[c], s.open[c], s.multi[c], s.lean[c] = s.sun[c]*k, s.open[c]*k, s.multi[c]*k, s.lean[c]*k
		}
	}
	*to = s
}
