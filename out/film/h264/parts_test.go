package h264

import (
	"bytes"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// bitReader reads back the output of bitWriter, bit by bit.
type bitReader struct {
	b  []byte
	at int
}

func (r *bitReader) u(n int) (v uint32) {
	for range n {
		v = v<<1 | uint32(r.b[r.at>>3]>>(7-r.at&7)&1)
		r.at++
	}
	return v
}

func (r *bitReader) ue() uint32 {
	n := 0
	for r.u(1) == 0 {
		n++
	}
	return 1<<n - 1 + r.u(n)
}

func (r *bitReader) se() int {
	v := int(r.ue())
	if v&1 == 1 {
		return (v + 1) / 2
	}
	return -v / 2
}

func TestBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	w, all := &bitWriter{}, &bitWriter{}
	type item struct{ kind, n, v int }
	var items []item
	for range 3000 {
		it := item{rng.IntN(3), 1 + rng.IntN(32), int(rng.Uint32() >> rng.IntN(32))}
		switch it.kind {
		case 0:
			it.v &= 1<<it.n - 1
			w.u(uint(it.n), uint32(it.v))
		case 1:
			it.v >>= 1
			before := w.len()
			w.ue(uint32(it.v))
			if n := w.len() - before; n != ueLen(uint32(it.v)) {
				t.Errorf("ue(%d) takes %d bits, ueLen is %d", it.v, n, ueLen(uint32(it.v)))
			}
		case 2:
			it.v = it.v>>2 - 1<<28
			before := w.len()
			w.se(it.v)
			if n := w.len() - before; n != seLen(it.v) {
				t.Errorf("se(%d) takes %d bits, seLen is %d", it.v, n, seLen(it.v))
			}
		}
		items = append(items, it)
	}
	all.u(3, 5)
	all.append(w)
	n := w.len()
	w.whole()
	for _, lo := range []int{0, 1, 7, 8, 33} { // any part of it
		part := &bitWriter{}
		part.copyBits(w.bytes, lo, n-lo)
		part.whole()
		r, from := bitReader{b: part.bytes}, bitReader{w.bytes, lo}
		for i := range n - 2*lo {
			if r.u(1) != from.u(1) {
				t.Fatalf("bits %d …: bit %d differs", lo, i)
			}
		}
	}
	r := bitReader{b: all.end()}
	r.u(3)
	for i, it := range items {
		var got int
		switch it.kind {
		case 0:
			got = int(r.u(it.n))
		case 1:
			got = int(r.ue())
		case 2:
			got = r.se()
		}
		if got != it.v {
			t.Fatalf("item %d: %d, want %d", i, got, it.v)
		}
	}
	if r.u(1) != 1 || len(all.bytes)*8-r.at > 7 {
		t.Error("the payload has no proper end")
	}
}

// A unit does not contain a start code, and removing the escape bytes gives the written
// bits.
func TestUnitBytes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	payload := make([]byte, 5000)
	for i := range payload {
		payload[i] = byte(rng.IntN(5) * rng.IntN(2))
	}
	u := appendUnit(nil, 0x65, payload)
	for i := range len(u) - 2 {
		if u[i] == 0 && u[i+1] == 0 && u[i+2] < 3 {
			t.Fatalf("a start code at byte %d", i)
		}
	}
	if got := bytes.ReplaceAll(u[1:], []byte{0, 0, 3}, []byte{0, 0}); !bytes.Equal(got, payload) {
		t.Error("the payload is another")
	}
}

// The codes of each table are distinguishable, and leave no more room than the
// standard's.
func TestCodes(t *testing.T) {
	for name, table := range map[string][][]code{"coeff_token": coeffToken, "coeff_token of DC": coeffTokenDC,
		"total_zeros": totalZeros, "total_zeros of DC": totalZerosDC, "run_before": runBefore} {
		for r, row := range table {
			used := 0.0
			for i, a := range row {
				if a.n == 0 {
					continue
				}
				used += 1 / float64(uint64(1)<<a.n)
				for j, b := range row {
					if i != j && b.n >= a.n && b.bits>>(b.n-a.n) == a.bits {
						t.Errorf("%s, row %d: code %d starts with code %d", name, r, j, i)
					}
				}
			}
			if used < 0.9 || used > 1 {
				t.Errorf("%s, row %d: %.3f of the codes are used", name, r, used)
			}
		}
	}
	for p := range uint8(48) {
		if patternsIntra[codeIntra[p]] != p || patternsInter[codeInter[p]] != p {
			t.Errorf("pattern %d has no code", p)
		}
	}
}

// fillExtremes fills blocks with the largest differences, or random values, or all 0.
func fillExtremes(rng *rand.Rand, blocks ...[]byte) {
	kind := rng.IntN(3)
	for i := range blocks[0] {
		for _, b := range blocks {
			switch kind {
			case 0:
				b[i] = byte(rng.IntN(2) * 255)
			case 1:
				b[i] = byte(rng.IntN(256))
			case 2:
				b[i] = byte(rng.IntN(2) * rng.IntN(256))
			}
		}
	}
}

// The loops over samples compute their definitions, in plain Go and in assembly.
func TestDifferences(t *testing.T) {
	hadamard := func(d [16]int) (sum int) { // by definition
		for u := range 4 {
			for v := range 4 {
				c := 0
				for y := range 4 {
					for x := range 4 {
						c += d[4*y+x] * (1 - 2*(bits.OnesCount(uint(x&u))&1)) * (1 - 2*(bits.OnesCount(uint(y&v))&1))
					}
				}
				sum += max(c, -c)
			}
		}
		return sum
	}
	each(func(name string) {
		rng := rand.New(rand.NewPCG(1, 1))
		for range 200 {
			const stride = 24
			a, b := make([]byte, 15*stride+16), make([]byte, 15*stride+16)
			fillExtremes(rng, a, b)
			w, h := 8+8*rng.IntN(2), 8+8*rng.IntN(2)
			wantSAD, wantSATD := 0, 0
			for y := range 16 {
				for x := range 16 {
					d := int(a[y*stride+x]) - int(b[y*stride+x])
					wantSAD += max(d, -d)
				}
			}
			for y := 0; y < h; y += 4 {
				for x := 0; x < w; x += 4 {
					var d [16]int
					var others [12][16]byte
					var costs [12]int32
					for i := range d {
						at := (y+i/4)*stride + x + i%4
						d[i] = int(a[at]) - int(b[at])
						for k := range 9 {
							others[k][i] = b[at]
						}
						others[5][i] = a[at]
					}
					wantSATD += hadamard(d)
					satd4(&costs, a[y*stride+x:], stride, &others, 9)
					for k, got := range costs[:9] {
						if want := hadamard(d) / 2; int(got) != want && k != 5 || k == 5 && got != 0 {
							t.Fatalf("%s: satd4 of block %d: %d, want %d, and 0 of block 5", name, k, got, want)
						}
					}
				}
			}
			if got := sad(a, stride, b, stride, 1<<30); got != wantSAD {
				t.Fatalf("%s: sad: %d, want %d", name, got, wantSAD)
			}
			if got := satd(a, stride, b, stride, w, h, 1<<30); got != wantSATD/2 {
				t.Fatalf("%s: satd: %d, want %d", name, got, wantSATD/2)
			}
			to := make([]byte, 256)
			mean(to, a, b, stride, w, h)
			for i := range w * h {
				x, y := i%w, i/w
				if want := (int(a[y*stride+x]) + int(b[y*stride+x]) + 1) / 2; int(to[16*y+x]) != want {
					t.Fatalf("%s: mean: %d, want %d", name, to[16*y+x], want)
				}
			}
		}
		var a, b samples
		for range 20 {
			fillExtremes(rng, a.luma[:], b.luma[:])
			fillExtremes(rng, a.chroma[0][:], a.chroma[1][:], b.chroma[0][:], b.chroma[1][:])
			want := 0
			for _, pair := range [][2][]byte{{a.luma[:], b.luma[:]}, {a.chroma[0][:], b.chroma[0][:]}, {a.chroma[1][:], b.chroma[1][:]}} {
				for i, v := range pair[0] {
					d := int(v) - int(pair[1][i])
					want += d * d
				}
			}
			if got := ssd(&a, &b); got != want {
				t.Fatalf("%s: ssd: %d, want %d", name, got, want)
			}
		}
	})
}

// The parts copied from the previous reference equal the output of the filters.
func TestStillSamples(t *testing.T) {
	const width, height = 160, 112
	e, err := New(Settings{Width: width, Height: height, Rate: 30, Per: 1, QP: 24, KeyEvery: 100})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 6 { // a patch moves over a background at rest
		p, patch := testPicture("still", 0, width, height), testPicture("motion", i, width, height)
		for y := range 40 {
			at := p.luma.at(2*i, 9+y)
			copy(p.luma.pix[at:at+40], patch.luma.pix[at:])
		}
		e.Add(p)
	}
	for n := 0; len(e.queue) > 0; n++ {
		e.first()
		same := 0
		for y := range e.rows {
			for x := range e.columns {
				if e.next.same(x, y, e.still) {
					same++
				}
			}
		}
		if n > 0 && (same == 0 || same == e.rows*e.columns) {
			t.Errorf("picture %d: %d macroblocks are taken over", n, same)
		}
		whole := newReference(width, height)
		copy(whole.luma[0].pix, e.ref.luma[0].pix)
		whole.finish(nil, func(_, _ int) bool { return false })
		for k := range whole.luma {
			for y := -halfMargin; y < height+halfMargin; y++ {
				at, end := whole.luma[k].at(-halfMargin, y), whole.luma[k].at(width+halfMargin, y)
				if !bytes.Equal(e.ref.luma[k].pix[at:end], whole.luma[k].pix[at:end]) {
					t.Fatalf("picture %d: row %d of plane %d differs", n, y, k)
				}
			}
		}
	}
}

// Chroma between samples is the mean that clause 8.4.2.2.2 has, and nothing
// beside the block is written.
func TestBilinear(t *testing.T) {
	each(func(name string) {
		rng := rand.New(rand.NewPCG(1, 1))
		for range 300 {
			const stride = 11
			from, to := make([]byte, 8*stride+9), make([]byte, 64)
			fillExtremes(rng, from)
			w, h, fx, fy := 4+4*rng.IntN(2), 4+4*rng.IntN(2), rng.IntN(8), rng.IntN(8)
			bilinear(to, from, stride, w, h, &[4]int{(8 - fx) * (8 - fy), fx * (8 - fy), (8 - fx) * fy, fx * fy})
			for i, got := range to {
				x, y := i%8, i/8
				want := 0
				if x < w && y < h {
					at := y*stride + x
					a, b, c, d := int(from[at]), int(from[at+1]), int(from[at+stride]), int(from[at+stride+1])
					want = ((8-fx)*(8-fy)*a + fx*(8-fy)*b + (8-fx)*fy*c + fx*fy*d + 32) / 64
				}
				if int(got) != want {
					t.Fatalf("%s: %d×%d, (%d, %d) by %d and %d: %d, want %d", name, w, h, x, y, fx, fy, got, want)
				}
			}
		}
	})
}

// Motion compensation equals the formulas of clause 8.4.2.2.1 on clamped
// coordinates, at all quarters and outside the picture.
func TestPrediction(t *testing.T) {
	each(func(name string) { testPrediction(t, name) })
}

func testPrediction(t *testing.T, name string) {
	const width, height = 32, 48
	rng := rand.New(rand.NewPCG(1, 1))
	r := newReference(width, height)
	sample := make([]byte, width*height)
	for i := range sample {
		sample[i] = byte(rng.IntN(2) * rng.IntN(256))
		r.luma[0].pix[r.luma[0].at(i%width, i/width)] = sample[i]
	}
	r.finish(nil, func(_, _ int) bool { return false })
	g := func(x, y int) int {
		return int(sample[max(0, min(y, height-1))*width+max(0, min(x, width-1))])
	}
	six := func(f func(i int) int) int { return f(-2) - 5*f(-1) + 20*f(0) + 20*f(1) - 5*f(2) + f(3) }
	b1 := func(x, y int) int { return six(func(i int) int { return g(x+i, y) }) }
	h1 := func(x, y int) int { return six(func(i int) int { return g(x, y+i) }) }
	round := func(v, shift int) int { return max(0, min(255, (v+1<<(shift-1))>>shift)) }
	b := func(x, y int) int { return round(b1(x, y), 5) }
	h := func(x, y int) int { return round(h1(x, y), 5) }
	j := func(x, y int) int { return round(six(func(i int) int { return b1(x, y+i) }), 10) }
	avg := func(a, b int) int { return (a + b + 1) / 2 }
	want := [16]func(x, y int) int{ // a to s of Figure 8-4
		g,
		func(x, y int) int { return avg(g(x, y), b(x, y)) },
		b,
		func(x, y int) int { return avg(g(x+1, y), b(x, y)) },
		func(x, y int) int { return avg(g(x, y), h(x, y)) },
		func(x, y int) int { return avg(b(x, y), h(x, y)) },
		func(x, y int) int { return avg(b(x, y), j(x, y)) },
		func(x, y int) int { return avg(b(x, y), h(x+1, y)) },
		h,
		func(x, y int) int { return avg(h(x, y), j(x, y)) },
		j,
		func(x, y int) int { return avg(j(x, y), h(x+1, y)) },
		func(x, y int) int { return avg(h(x, y), g(x, y+1)) },
		func(x, y int) int { return avg(h(x, y), b(x, y+1)) },
		func(x, y int) int { return avg(j(x, y), b(x, y+1)) },
		func(x, y int) int { return avg(h(x+1, y), b(x, y+1)) },
	}
	var to [256]byte
	for q, f := range want {
		for _, at := range [][2]int{{8, 8}, {-20, -20}, {width + 4, height + 4}, {0, height}} {
			v := vector{q & 3, q >> 2}
			r.predictLuma(to[:], at[0], at[1], v, 16, 16)
			for i, got := range to {
				if x, y := at[0]+i%16, at[1]+i/16; int(got) != f(x, y) {
					t.Fatalf("%s: quarter %d at (%d, %d): %d, want %d", name, q, x, y, got, f(x, y))
				}
			}
		}
	}
}

// The quantiser removes the forward transform's gain: the result is off by less than a
// step. Assembly has the bits of plain Go.
func TestTransform(t *testing.T) {
	each(func(name string) {
		rng := rand.New(rand.NewPCG(1, 1))
		for qp := LowestQP; qp < 52; qp++ {
			q := &quantisers[qp]
			step := float64(uint(10)<<(qp/6)) / 16 // Qstep, about
			for n := range 60 {
				var src, pred, got, want samples
				if n < 30 {
					for i := range src.luma {
						src.luma[i], pred.luma[i] = byte(64+rng.IntN(128)), byte(64+rng.IntN(128))
					}
				} else {
					fillExtremes(rng, src.luma[:], pred.luma[:])
					fillExtremes(rng, src.chroma[0][:], src.chroma[1][:], pred.chroma[0][:], pred.chroma[1][:])
				}
				k := rng.IntN(6)
				a, _, stride := strip(&src, k)
				b, _, _ := strip(&pred, k)
				bias := []int32{q.inter, q.intra}[rng.IntN(2)]
				var blocks, wantBlocks [6]block
				transform(&blocks, &src, &pred, k, q, bias)
				transformGo(&wantBlocks, &src, &pred, k, q, bias)
				if blocks != wantBlocks {
					t.Fatalf("%s: QP %d, strip %d: %v, want %v", name, qp, k, blocks, wantBlocks)
				}
				var dc *[2]int32
				if rng.IntN(2) == 0 {
					dc = &[2]int32{int32(blocks[0].level[0]) * q.step[0], int32(blocks[1].level[0]) * q.step[0]}
					blocks[0].level[0], blocks[1].level[0] = 99, -99
				}
				to, _, _ := strip(&got, k)
				wantTo, _, _ := strip(&want, k)
				rebuild(to, b, stride, (*[2]block)(blocks[:]), q, dc)
				rebuildGo(wantTo, b, stride, (*[2]block)(wantBlocks[:]), q, nil)
				if got != want {
					t.Fatalf("%s: QP %d, strip %d: rebuilt %v, want %v", name, qp, k, got, want)
				}
				for i := range 4 {
					for x := range 8 {
						at := i*stride + x
						if e := float64(a[at]) - float64(to[at]); n < 30 && k < 4 && e*e > 6.25*step*step*4+4 {
							t.Fatalf("%s: QP %d: off by %g, the step is %g", name, qp, e, step)
						}
					}
				}
				if k > 3 {
					continue
				}
				one, alone := block{}, [16]byte{}
				for i := range alone {
					alone[i] = b[16*(i/4)+i%4]
				}
				transform4(&one, a, &alone, q, bias)
				if one != wantBlocks[0] {
					t.Fatalf("%s: QP %d: one block %v, want %v", name, qp, one, wantBlocks[0])
				}
				var rec [64]byte
				rebuild4(rec[:], &alone, &one, q)
				for i, v := range rec {
					if want := wantTo[i]; i%16 < 4 && v != want || i%16 >= 4 && v != 0 {
						t.Fatalf("%s: QP %d: one block's sample %d is %d, want %d, and 0 beside it", name, qp, i, v, want)
					}
				}
			}
		}
	})
}

// The contents of the parameter sets.
func TestParameterSets(t *testing.T) {
	e, err := New(Settings{Width: 333, Height: 181, Rate: 30000, Per: 1001, QP: 20, KeyEvery: 90})
	if err != nil {
		t.Fatal(err)
	}
	r := bitReader{b: bytes.ReplaceAll(e.Sequence, []byte{0, 0, 3}, []byte{0, 0})}
	for _, c := range []struct {
		what string
		n    int // bits; 0 for ue
		want uint32
	}{
		{"unit", 8, 0x67}, {"profile", 8, 66}, {"constraints", 8, 0xc0}, {"level", 8, 13}, {"number", 0, 0}, {"bits of frame_num", 0, 4},
		{"order", 0, 2}, {"references", 0, 1}, {"gaps", 1, 0}, {"width", 0, 20}, {"height", 0, 11}, {"frames", 1, 1}, {"direct", 1, 1},
		{"cropping", 1, 1}, {"left", 0, 0}, {"right", 0, 1}, {"top", 0, 0}, {"bottom", 0, 5},
		{"VUI", 1, 1}, {"aspect", 1, 1}, {"square", 8, 1}, {"overscan", 1, 0}, {"signal", 1, 1}, {"format", 3, 5}, {"full range", 1, 0},
		{"colour", 1, 1}, {"primaries", 8, 1}, {"transfer", 8, 1}, {"matrix", 8, 1}, {"chroma", 1, 1}, {"top", 0, 0}, {"bottom", 0, 0},
		{"timing", 1, 1}, {"tick", 32, 1001}, {"scale", 32, 60000}, {"fixed", 1, 1},
	} {
		got := uint32(0)
		if c.n == 0 {
			got = r.ue()
		} else {
			got = r.u(c.n)
		}
		if got != c.want {
			t.Fatalf("%s: %d, want %d", c.what, got, c.want)
		}
	}
}

// The waves cover every macroblock once, after those that it needs.
func TestWavefront(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {1, 7}, {9, 1}, {5, 4}, {13, 9}} {
		done := make([]bool, size[0]*size[1])
		at := func(x, y int) bool { return x < 0 || y < 0 || x >= size[0] || done[y*size[0]+x] }
		n := make(chan bool, 1) // a lock
		wavefront(size[0], size[1], func(x, y int) {
			n <- true
			if !at(x-1, y) || !at(x, y-1) || !at(x+1, y-1) || at(x, y) {
				t.Errorf("%v: (%d, %d) is too early", size, x, y)
			}
			done[y*size[0]+x] = true
			<-n
		})
		for i, ok := range done {
			if !ok {
				t.Error(fmt.Sprint(size), i, "is left out")
			}
		}
	}
}
