package h264

// Thresholds of the filter for each QP, Table 8-16: of the step across an edge, and of
// the steps beside it.
var (
	alphas = [52]uint8{
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 5, 6, 7, 8, 9, 10, 12, 13,
		15, 17, 20, 22, 25, 28, 32, 36, 40, 45, 50, 56, 63, 71, 80, 90, 101, 113, 127, 144, 162, 182, 203, 226, 255, 255,
	}
	betas = [52]uint8{
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4,
		6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15, 16, 16, 17, 17, 18, 18,
	}
	// bounds are t′C0 for strengths of 1, 2 and 3, Table 8-17.
	bounds = [52][3]uint8{
		17: {0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 1, 1}, {0, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1},
		{1, 1, 1}, {1, 1, 2}, {1, 1, 2}, {1, 1, 2}, {1, 1, 2}, {1, 2, 3}, {1, 2, 3}, {2, 2, 3}, {2, 2, 4}, {2, 3, 4},
		{2, 3, 4}, {3, 3, 5}, {3, 4, 6}, {3, 4, 6}, {4, 5, 7}, {4, 5, 8}, {4, 6, 9}, {5, 7, 10}, {6, 8, 11}, {6, 8, 13},
		{7, 10, 14}, {8, 11, 16}, {9, 12, 18}, {10, 13, 20}, {11, 15, 23}, {13, 17, 25},
	}
)

// deblock filters the edges of the blocks of the macroblock at (x, y), clause
// 8.7, once all macroblocks before it are done.
func (e *Encoder) deblock(x, y int) {
	i := y*e.columns + x
	at := &e.macros[i]
	if x > 0 {
		e.edge(at, &e.macros[i-1], x, y, 0, true)
	}
	inner := at.kind != skipped
	for k := 1; k < 4 && inner; k++ {
		e.edge(at, at, x, y, k, true)
	}
	if y > 0 {
		e.edge(at, &e.macros[i-e.columns], x, y, 0, false)
	}
	for k := 1; k < 4 && inner; k++ {
		e.edge(at, at, x, y, k, false)
	}
}

// edge filters the edge before column or row k of the blocks of macroblock q. The blocks
// before the edge belong to p, which is q if k > 0.
func (e *Encoder) edge(q, p *macro, x, y, k int, upright bool) {
	var strength [4]uint8
	some := false
	for i := range strength {
		b, a := 4*i+k, 4*i+(k+3)&3 // blocks of q and p
		if !upright {
			b, a = 4*k+i, 4*((k+3)&3)+i
		}
		switch {
		case q.kind.intra() || p.kind.intra():
			strength[i] = 3
			if k == 0 {
				strength[i] = 4
			}
		case q.count[b]|p.count[a] != 0:
			strength[i] = 2
		case apart(q.mv[b>>3<<1|b>>1&1], p.mv[a>>3<<1|a>>1&1]):
			strength[i] = 1
		}
		some = some || strength[i] > 0
	}
	if !some {
		return
	}
	r := e.next
	luma := &r.luma[0]
	across, along := 1, luma.stride
	at := luma.at(16*x+4*k, 16*y)
	if !upright {
		across, along = along, across
		at = luma.at(16*x, 16*y+4*k)
	}
	qp := (int(q.qp) + int(p.qp) + 1) >> 1
	filterLuma(luma.pix, at, across, along, qp, &strength)
	if k&1 != 0 {
		return // chroma has half as many edges
	}
	qp = (int(chromaQP[q.qp]) + int(chromaQP[p.qp]) + 1) >> 1
	for c := range r.chroma {
		p := &r.chroma[c]
		across, along := 1, p.stride
		at := p.at(8*x+2*k, 8*y)
		if !upright {
			across, along = along, across
			at = p.at(8*x, 8*y+2*k)
		}
		filterChroma(p.pix, at, across, along, qp, &strength)
	}
}

// apart reports whether two motions differ by a whole sample.
func apart(a, b vector) bool {
	return a != b && (max(a.x-b.x, b.x-a.x) >= 4 || max(a.y-b.y, b.y-a.y) >= 4)
}

// filterLuma filters 16 places along an edge, clause 8.7.2.
func filterLuma(pix []byte, at, across, along, qp int, strength *[4]uint8) {
	alpha, beta := int32(alphas[qp]), int32(betas[qp])
	if alpha == 0 {
		return
	}
	for i := range 16 {
		s := strength[i>>2]
		if s == 0 {
			continue
		}
		o := at + i*along
		v := pix[o-4*across:]
		v = v[: 7*across+1 : 7*across+1]
		p0, q0 := int32(v[3*across]), int32(v[4*across])
		p1, q1 := int32(v[2*across]), int32(v[5*across])
		if abs(p0-q0) >= alpha || abs(p1-p0) >= beta || abs(q1-q0) >= beta {
			continue
		}
		p2, q2 := int32(v[across]), int32(v[6*across])
		smoothP, smoothQ := abs(p2-p0) < beta, abs(q2-q0) < beta
		if s == 4 {
			small := abs(p0-q0) < alpha>>2+2
			if small && smoothP {
				p3 := int32(v[0])
				v[3*across] = byte((p2 + 2*p1 + 2*p0 + 2*q0 + q1 + 4) >> 3)
				v[2*across] = byte((p2 + p1 + p0 + q0 + 2) >> 2)
				v[across] = byte((2*p3 + 3*p2 + p1 + p0 + q0 + 4) >> 3)
			} else {
				v[3*across] = byte((2*p1 + p0 + q1 + 2) >> 2)
			}
			if small && smoothQ {
				q3 := int32(v[7*across])
				v[4*across] = byte((q2 + 2*q1 + 2*q0 + 2*p0 + p1 + 4) >> 3)
				v[5*across] = byte((q2 + q1 + q0 + p0 + 2) >> 2)
				v[6*across] = byte((2*q3 + 3*q2 + q1 + q0 + p0 + 4) >> 3)
			} else {
				v[4*across] = byte((2*q1 + q0 + p1 + 2) >> 2)
			}
			continue
		}
		bound := int32(bounds[qp][s-1])
		tc := bound
		mean := (p0 + q0 + 1) >> 1
		if smoothP {
			tc++
			v[2*across] = byte(p1 + max(-bound, min(bound, (p2+mean-2*p1)>>1)))
		}
		if smoothQ {
			tc++
			v[5*across] = byte(q1 + max(-bound, min(bound, (q2+mean-2*q1)>>1)))
		}
		d := max(-tc, min(tc, (4*(q0-p0)+p1-q1+4)>>3))
		v[3*across], v[4*across] = clip(p0+d), clip(q0-d)
	}
}

// filterChroma filters 8 places along an edge.
func filterChroma(pix []byte, at, across, along, qp int, strength *[4]uint8) {
	alpha, beta := int32(alphas[qp]), int32(betas[qp])
	if alpha == 0 {
		return
	}
	for i := range 8 {
		s := strength[i>>1]
		if s == 0 {
			continue
		}
		v := pix[at+i*along-2*across:]
		p1, p0, q0, q1 := int32(v[0]), int32(v[across]), int32(v[2*across]), int32(v[3*across])
		if abs(p0-q0) >= alpha || abs(p1-p0) >= beta || abs(q1-q0) >= beta {
			continue
		}
		if s == 4 {
			v[across], v[2*across] = byte((2*p1+p0+q1+2)>>2), byte((2*q1+q0+p1+2)>>2)
			continue
		}
		tc := int32(bounds[qp][s-1]) + 1
		d := max(-tc, min(tc, (4*(q0-p0)+p1-q1+4)>>3))
		v[across], v[2*across] = clip(p0+d), clip(q0-d)
	}
}

func abs(v int32) int32 { return max(v, -v) }
