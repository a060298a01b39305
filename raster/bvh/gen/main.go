// Gen writes the assembly of package bvh and its Go stubs, with avo. The plain Go twins
// in cast.go and build.go define each function.
//
// Constraints on every line here: no fused multiply-add, no estimates, and
// the order of operations of the twin, so that the bits are the same.
package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"breakwater/sim/asm"
)

// Sizes and offsets of the structures in bvh.go, in bytes.
const (
	nodeSize  = 224
	nodeChild = 192
	leafSize  = 160
	leafID    = 144

	queryO      = 0
	queryD      = 24
	queryNodes  = 48
	queryLeaves = 56
	queryO32    = 64
	queryInv    = 76
	queryNear   = 88
	queryFar    = 100
	queryRoot   = 112
	queryTri    = 116
	queryT      = 120
	queryU      = 128
	queryV      = 136
	queryWays   = 144
	queryWhen   = 152
	querySize   = 160
	waySize     = 144

	boxSize  = 32
	boxUpper = 16
	boxBin   = 28

	stack   = 449 // of cast.go
	abreast = 16  // rays under way at once
	bins    = 16  // of build.go
	hair    = 1e-9
)

func main() {
	ConstraintExpr("!noasm")
	four := asm.Dwords("four", 4)
	c := &limits{constant("lower", -hair), constant("upper", 1+hair), constant("one", 1)}
	cast(four, c)
	castMany(four, c)
	middles()
	fill()
	sweep()
	divide()
	Generate()
}

func constant(name string, v float64) Mem {
	m := GLOBL(name, RODATA|NOPTR)
	for i := range 4 {
		DATA(8*i, U64(math.Float64bits(v)))
	}
	return m
}

// ray is one on its way, while its nodes and leaves are tested.
type ray struct {
	q, sp reg.Register // its query, and the end of its stack
	at    reg.GPVirtual
	best  reg.GPVirtual // bits of the distance of its nearest hit
	near  Mem           // room: where it enters the children of a node
	found Mem           // room: t, u, v of the triangles of a leaf
}

// lanes is how a ray is loaded for tests of boxes.
type lanes struct {
	side   [6]reg.GPVirtual // offsets of the near and of the far sides
	o, inv [3]reg.VecVirtual
	best   reg.VecVirtual
}

func (r *ray) sides(l *lanes) {
	for k := range 6 {
		l.side[k] = GP64()
		MOVL(Mem{Base: r.q, Disp: queryNear + 4*k}, l.side[k].As32())
	}
}

// load fills the registers of l, which are there, but for the sides.
func (r *ray) load(l *lanes) {
	x := XMM()
	VXORPS(x, x, x)
	VCVTSD2SS(Mem{Base: r.q, Disp: queryT}, x, x)
	VMOVD(x, r.best.As32())
	VPBROADCASTD(x, l.best)
	for k := range 3 {
		VBROADCASTSS(Mem{Base: r.q, Disp: queryO32 + 4*k}, l.o[k])
		VBROADCASTSS(Mem{Base: r.q, Disp: queryInv + 4*k}, l.inv[k])
	}
}

func newLanes() *lanes {
	l := &lanes{best: YMM()}
	for k := range 3 {
		l.o[k], l.inv[k] = YMM(), YMM()
	}
	return l
}

// pop takes what to visit next: a node, which comes next in the code, or a leaf.
func (r *ray) pop() {
	begin := GP64()
	SUBQ(Imm(8), r.sp)
	MOVQ(Mem{Base: r.sp}, begin)
	MOVLQSX(begin.As32(), r.at)
	SHRQ(Imm(32), begin)
	CMPL(begin.As32(), r.best.As32())
	JG(LabelRef("next"))
	TESTL(r.at.As32(), r.at.As32())
	JS(LabelRef("leaf"))
}

// node tests the boxes of a node and pushes the children that the ray meets.
func (r *ray) node(l *lanes, four Mem, then string) {
	q, sp, at := r.q, r.sp, r.at
	IMUL3Q(Imm(nodeSize), at, at)
	ADDQ(Mem{Base: q, Disp: queryNodes}, at)
	t0, t1, t, mask := YMM(), YMM(), YMM(), GP64()
	for k := range 3 {
		VMOVUPS(Mem{Base: at, Index: l.side[k], Scale: 1}, t)
		VSUBPS(l.o[k], t, t)
		if k == 0 {
			VMULPS(l.inv[k], t, t0)
		} else {
			VMULPS(l.inv[k], t, t)
			VPMAXSD(t, t0, t0)
		}
	}
	VPXOR(t, t, t)
	VPMAXSD(t, t0, t0)
	VMOVDQA(l.best, t1)
	for k := range 3 {
		VMOVUPS(Mem{Base: at, Index: l.side[k+3], Scale: 1}, t)
		VSUBPS(l.o[k], t, t)
		VMULPS(l.inv[k], t, t)
		VPMINSD(t, t1, t1)
	}
	VPADDD(four, t1, t1)
	VPCMPGTD(t1, t0, t1)
	VMOVMSKPS(t1, mask.As32())
	XORL(Imm(255), mask.As32())
	JZ(LabelRef("next"))
	VMOVDQU(t0, r.near)
	first, key, other, k, i := GP64(), GP64(), GP64(), GP64(), GP64()
	MOVQ(sp, first)
	Label("child")
	TZCNTQ(mask, i)
	BLSRQ(mask, mask)
	MOVL(r.near.Idx(i, 4), key.As32())
	SHLQ(Imm(32), key)
	MOVL(Mem{Base: at, Index: i, Scale: 4, Disp: nodeChild}, other.As32())
	ORQ(other, key)
	// Prefetch the nodes that are visited later.
	MOVLQSX(other.As32(), k)
	TESTL(other.As32(), other.As32())
	JS(LabelRef("fetchleaf"))
	IMUL3Q(Imm(nodeSize), k, k)
	ADDQ(Mem{Base: q, Disp: queryNodes}, k)
	for i := 0; i < nodeSize; i += 64 {
		PREFETCHT0(Mem{Base: k, Disp: i})
	}
	JMP(LabelRef("fetched"))
	Label("fetchleaf")
	NOTQ(k)
	IMUL3Q(Imm(leafSize), k, k)
	ADDQ(Mem{Base: q, Disp: queryLeaves}, k)
	for i := 0; i < leafSize; i += 64 {
		PREFETCHT0(Mem{Base: k, Disp: i})
	}
	CMPQ(Mem{Base: q, Disp: queryWays}, Imm(0))
	JE(LabelRef("fetched"))
	MOVLQSX(other.As32(), k)
	NOTQ(k)
	IMUL3Q(Imm(waySize), k, k)
	ADDQ(Mem{Base: q, Disp: queryWays}, k)
	for i := 0; i < waySize; i += 64 {
		PREFETCHT0(Mem{Base: k, Disp: i})
	}
	Label("fetched")
	MOVQ(sp, k)
	Label("insert")
	CMPQ(k, first)
	JE(LabelRef("put"))
	MOVQ(Mem{Base: k, Disp: -8}, other)
	CMPQ(other, key)
	JAE(LabelRef("put"))
	MOVQ(other, Mem{Base: k})
	SUBQ(Imm(8), k)
	JMP(LabelRef("insert"))
	Label("put")
	MOVQ(key, Mem{Base: k})
	ADDQ(Imm(8), sp)
	TESTQ(mask, mask)
	JNZ(LabelRef("child"))
	JMP(LabelRef(then))
}

// limits are what the weights of a triangle are held against.
type limits struct{ lower, upper, one Mem }

// leaf tests the triangles of a leaf.
func (r *ray) leaf(c *limits, then string) {
	q, at := r.q, r.at
	NOTQ(at)
	ways := GP64()
	IMUL3Q(Imm(waySize), at, ways)
	IMUL3Q(Imm(leafSize), at, at)
	ADDQ(Mem{Base: q, Disp: queryLeaves}, at)
	var s, e1, e2, p, x [3]reg.VecVirtual
	for _, v := range []*[3]reg.VecVirtual{&s, &e1, &e2, &p} {
		for k := range 3 {
			v[k] = YMM()
		}
	}
	for k := range 3 {
		x[k] = YMM()
		VCVTPS2PD(Mem{Base: at, Disp: 16 * k}, x[k])
		VCVTPS2PD(Mem{Base: at, Disp: 48 + 16*k}, e1[k])
		VCVTPS2PD(Mem{Base: at, Disp: 96 + 16*k}, e2[k])
	}
	CMPQ(Mem{Base: q, Disp: queryWays}, Imm(0))
	JE(LabelRef("still"))
	ADDQ(Mem{Base: q, Disp: queryWays}, ways)
	when, far := YMM(), YMM()
	VBROADCASTSD(Mem{Base: q, Disp: queryWhen}, when)
	for i, corner := range [3]*[3]reg.VecVirtual{&x, &e1, &e2} {
		for k := range 3 {
			VCVTPS2PD(Mem{Base: ways, Disp: 48*i + 16*k}, far)
			VMULPD(when, far, far)
			VADDPD(far, corner[k], corner[k])
		}
	}
	Label("still")
	for k := range 3 {
		VSUBPD(x[k], e1[k], e1[k])
		VSUBPD(x[k], e2[k], e2[k])
		VBROADCASTSD(Mem{Base: q, Disp: queryO + 8*k}, s[k])
		VSUBPD(x[k], s[k], s[k])
	}
	direction := func(k int) reg.VecVirtual {
		d := YMM()
		VBROADCASTSD(Mem{Base: q, Disp: queryD + 8*k}, d)
		return d
	}
	y := YMM()
	for k := range 3 { // p = d × e2
		i, j := (k+1)%3, (k+2)%3
		VMULPD(e2[j], direction(i), p[k])
		VMULPD(e2[i], direction(j), y)
		VSUBPD(y, p[k], p[k])
	}
	dot := func(a, b [3]reg.VecVirtual, to reg.VecVirtual) {
		VMULPD(a[0], b[0], to)
		VMULPD(a[1], b[1], y)
		VADDPD(y, to, to)
		VMULPD(a[2], b[2], y)
		VADDPD(y, to, to)
	}
	f, u := YMM(), YMM()
	dot(e1, p, f)
	VMOVUPD(c.one, u)
	VDIVPD(f, u, f)
	dot(s, p, u)
	VMULPD(f, u, u)
	for k := range 3 { // p is now s × e1
		i, j := (k+1)%3, (k+2)%3
		VMULPD(e1[j], s[i], p[k])
		VMULPD(e1[i], s[j], y)
		VSUBPD(y, p[k], p[k])
	}
	t, v := s[0], s[1]
	dot(e2, p, t)
	VMULPD(f, t, t)
	dot([3]reg.VecVirtual{direction(0), direction(1), direction(2)}, p, v)
	VMULPD(f, v, v)
	hits, mask := YMM(), GP64()
	VXORPD(y, y, y)
	VCMPPD(Imm(0x1e), y, t, hits) // t > 0
	and := func(how uint64, limit Op, x reg.VecVirtual) {
		VCMPPD(Imm(how), limit, x, y)
		VANDPD(y, hits, hits)
	}
	VBROADCASTSD(Mem{Base: q, Disp: queryT}, y)
	and(0x11, y, t)       // t < best
	and(0x1d, c.lower, u) // u ≥ -hair
	and(0x1d, c.lower, v)
	w := f
	VADDPD(v, u, w)
	and(0x12, c.upper, w) // u+v ≤ 1+hair
	VMOVMSKPD(hits, mask.As32())
	TESTL(mask.As32(), mask.As32())
	JZ(LabelRef(then))
	VMOVUPD(t, r.found)
	VMOVUPD(u, r.found.Offset(32))
	VMOVUPD(v, r.found.Offset(64))
	i, id, z, nearest := GP64(), GP64(), XMM(), XMM()
	Label("triangle")
	TZCNTQ(mask, i)
	BLSRQ(mask, mask)
	VMOVSD(r.found.Idx(i, 8), z)
	VMOVSD(Mem{Base: q, Disp: queryT}, nearest)
	VUCOMISD(z, nearest) // flags of nearest - z
	JBE(LabelRef("nearer"))
	VMOVSD(z, Mem{Base: q, Disp: queryT})
	VMOVSD(r.found.Offset(32).Idx(i, 8), z)
	VMOVSD(z, Mem{Base: q, Disp: queryU})
	VMOVSD(r.found.Offset(64).Idx(i, 8), z)
	VMOVSD(z, Mem{Base: q, Disp: queryV})
	MOVL(Mem{Base: at, Index: i, Scale: 4, Disp: leafID}, id.As32())
	MOVL(id.As32(), Mem{Base: q, Disp: queryTri})
	Label("nearer")
	TESTQ(mask, mask)
	JNZ(LabelRef("triangle"))
	JMP(LabelRef(then))
}

// cast keeps the children to visit on the machine's stack, and the ray's data for nodes
// in registers. A leaf uses the same registers, so the data are loaded again after each.
func cast(four Mem, c *limits) {
	TEXT("castAVX2", 0, "func(q *float64)")
	Pragma("noescape")
	todo := AllocLocal(8 * stack)
	r := &ray{near: AllocLocal(32), found: AllocLocal(3 * 32)}
	r.q, r.sp, r.at, r.best = Load(Param("q"), GP64()), GP64(), GP64(), GP64()
	l := newLanes()
	r.sides(l)
	LEAQ(todo, r.sp)
	MOVL(Mem{Base: r.q, Disp: queryRoot}, r.at.As32())
	MOVQ(r.at, Mem{Base: r.sp})
	ADDQ(Imm(8), r.sp)

	Label("ray")
	r.load(l)

	Label("next")
	end := GP64()
	LEAQ(todo, end)
	CMPQ(r.sp, end)
	JE(LabelRef("done"))
	r.pop()
	r.node(l, four, "next")

	Label("leaf")
	r.leaf(c, "ray")

	Label("done")
	VZEROUPPER()
	RET()
}

// castMany goes a step with each ray in turn, a node or a leaf, so that what
// one visits next comes from memory while the others go on. A ray that has
// arrived makes room for the next of the list.
func castMany(four Mem, c *limits) {
	TEXT("castManyAVX2", 0, "func(q *float64, n int)")
	Pragma("noescape")
	const size = 24 // of a slot: query, end and start of its stack
	slots := AllocLocal(size * abreast)
	r := &ray{near: AllocLocal(32), found: AllocLocal(3 * 32)}
	coming, end := AllocLocal(8), AllocLocal(8) // queries that have not begun
	todo := AllocLocal(8 * stack * abreast)
	slot, last := GP64(), GP64() // the slot whose turn it is, and the end of those in use

	start := func(q, base reg.Register) {
		root := GP64()
		MOVQ(q, Mem{Base: slot})
		MOVL(Mem{Base: q, Disp: queryRoot}, root.As32())
		MOVQ(root, Mem{Base: base})
		LEAQ(Mem{Base: base, Disp: 8}, root)
		MOVQ(root, Mem{Base: slot, Disp: 8})
	}
	{
		q, n, base := Load(Param("q"), GP64()), Load(Param("n"), GP64()), GP64()
		IMUL3Q(Imm(querySize), n, n)
		ADDQ(q, n)
		MOVQ(n, end)
		LEAQ(todo, base)
		LEAQ(slots, slot)
		LEAQ(slots.Offset(size*abreast), last)
		Label("begin")
		CMPQ(q, n)
		JE(LabelRef("begun"))
		CMPQ(slot, last)
		JE(LabelRef("begun"))
		MOVQ(base, Mem{Base: slot, Disp: 16})
		start(q, base)
		ADDQ(Imm(size), slot)
		ADDQ(Imm(querySize), q)
		ADDQ(U32(8*stack), base)
		JMP(LabelRef("begin"))
		Label("begun")
		MOVQ(q, coming)
		MOVQ(slot, last)
	}

	Label("round")
	LEAQ(slots, slot)
	Label("step")
	CMPQ(slot, last)
	JE(LabelRef("round"))
	r.q, r.sp, r.at, r.best = GP64(), GP64(), GP64(), GP64()
	MOVQ(Mem{Base: slot}, r.q)
	MOVQ(Mem{Base: slot, Disp: 8}, r.sp)
	l := newLanes()
	r.load(l)
	r.sides(l)

	Label("next")
	CMPQ(r.sp, Mem{Base: slot, Disp: 16})
	JE(LabelRef("arrived"))
	r.pop()
	r.node(l, four, "turn")

	Label("leaf")
	r.leaf(c, "turn")

	Label("turn")
	MOVQ(r.sp, Mem{Base: slot, Disp: 8})
	ADDQ(Imm(size), slot)
	JMP(LabelRef("step"))

	Label("arrived")
	{
		q, base := GP64(), GP64()
		MOVQ(coming, q)
		CMPQ(q, end)
		JE(LabelRef("fewer"))
		MOVQ(Mem{Base: slot, Disp: 16}, base)
		start(q, base)
		ADDQ(Imm(querySize), q)
		MOVQ(q, coming)
		ADDQ(Imm(size), slot)
		JMP(LabelRef("step"))
	}

	Label("fewer") // the last takes this slot
	{
		SUBQ(Imm(size), last)
		x := GP64()
		for k := 0; k < size; k += 8 {
			MOVQ(Mem{Base: last, Disp: k}, x)
			MOVQ(x, Mem{Base: slot, Disp: k})
		}
		LEAQ(slots, x)
		CMPQ(last, x)
		JNE(LabelRef("step"))
	}
	VZEROUPPER()
	RET()
}

// each writes the loop over n boxes from p on.
func each(p, n reg.Register, body func()) {
	end := GP64()
	MOVQ(n, end)
	SHLQ(Imm(5), end)
	ADDQ(p, end)
	Label("loop")
	CMPQ(p, end)
	JGE(LabelRef("done"))
	body()
	ADDQ(Imm(boxSize), p)
	JMP(LabelRef("loop"))
	Label("done")
}

func middles() {
	asm.Func("middlesAVX2", "func(p *float32, n int, lower, upper *float32)")
	p, n := Load(Param("p"), GP64()), Load(Param("n"), GP64())
	lower, upper := Load(Param("lower"), GP64()), Load(Param("upper"), GP64())
	lo, hi, c, u, zero := XMM(), XMM(), XMM(), XMM(), XMM()
	VMOVUPS(Mem{Base: lower}, lo)
	VMOVUPS(Mem{Base: upper}, hi)
	VXORPS(zero, zero, zero)
	each(p, n, func() {
		VMOVUPS(Mem{Base: p}, c)
		VBLENDPS(Imm(8), zero, c, c) // the fourth is not a float
		VMOVUPS(Mem{Base: p, Disp: boxUpper}, u)
		VBLENDPS(Imm(8), zero, u, u)
		VSUBPS(u, c, c)
		VMINPS(lo, c, lo)
		VMAXPS(hi, c, hi)
	})
	VMOVUPS(lo, Mem{Base: lower})
	VMOVUPS(hi, Mem{Base: upper})
	RET()
}

// fill keeps two sets of bins in turn, since neighbours mostly fall into the
// same and would wait for each other.
func fill() {
	asm.Func("fillAVX2", "func(p *float32, n, axis int, lower, scale float32, in *float32, count *int32)")
	p, n := Load(Param("p"), GP64()), Load(Param("n"), GP64())
	axis := Load(Param("axis"), GP64())
	in, count := Load(Param("in"), GP64()), Load(Param("count"), GP64())
	lower, scale := Load(Param("lower"), XMM()), Load(Param("scale"), XMM())
	zero, last, k, set := GP64(), GP64(), GP64(), GP64()
	XORQ(zero, zero)
	XORQ(set, set)
	MOVQ(U32(bins-1), last)
	x, b := XMM(), YMM()
	each(p, n, func() {
		VMOVSS(Mem{Base: p, Index: axis, Scale: 4}, x)
		VSUBSS(Mem{Base: p, Index: axis, Scale: 4, Disp: boxUpper}, x, x)
		VSUBSS(lower, x, x)
		VMULSS(scale, x, x)
		VCVTTSS2SI(x, k.As32())
		TESTL(k.As32(), k.As32())
		CMOVLLT(zero.As32(), k.As32())
		CMPL(k.As32(), last.As32())
		CMOVLGT(last.As32(), k.As32())
		MOVL(k.As32(), Mem{Base: p, Disp: boxBin})
		INCL(Mem{Base: count, Index: k, Scale: 4})
		SHLQ(Imm(5), k)
		ADDQ(set, k)
		XORQ(U32(bins*boxSize), set)
		VMOVUPS(Mem{Base: p}, b)
		VMINPS(Mem{Base: in, Index: k, Scale: 1}, b, b)
		VMOVUPS(b, Mem{Base: in, Index: k, Scale: 1})
	})
	VZEROUPPER()
	RET()
}

func sweep() {
	asm.Func("sweepAVX2", "func(in, before, after *float32)")
	in, before, after := Load(Param("in"), GP64()), Load(Param("before"), GP64()), Load(Param("after"), GP64())
	at := func(p reg.Register, k int) Mem { return Mem{Base: p, Disp: k * boxSize} }
	var b [bins]reg.VecVirtual // of a set
	sum := YMM()
	for k := range bins {
		b[k] = YMM()
		VMOVUPS(at(in, bins+k), b[k])
		VMINPS(at(in, k), b[k], b[k])
		if k < bins-1 {
			if k == 0 {
				VMOVAPS(b[k], sum)
			} else {
				VMINPS(sum, b[k], sum)
			}
			VMOVUPS(sum, at(before, k+1))
		}
		VMOVUPS(b[k], at(in, k))
	}
	for k := bins - 1; k > 0; k-- {
		x := YMM()
		VMOVUPS(at(in, k), x)
		if k == bins-1 {
			VMOVAPS(x, sum)
		} else {
			VMINPS(sum, x, sum)
		}
		VMOVUPS(sum, at(after, k))
	}
	VZEROUPPER()
	RET()
}

func divide() {
	asm.Func("divideAVX2", "func(p *float32, n int, bin int32)")
	p, n := Load(Param("p"), GP64()), Load(Param("n"), GP64())
	bin := Load(Param("bin"), GP32())
	mid, before := GP64(), GP64()
	MOVQ(p, mid)
	a, b := YMM(), YMM()
	each(p, n, func() {
		XORQ(before, before)
		CMPL(Mem{Base: p, Disp: boxBin}, bin)
		SETLT(before.As8())
		VMOVUPS(Mem{Base: p}, a)
		VMOVUPS(Mem{Base: mid}, b)
		VMOVUPS(b, Mem{Base: p})
		VMOVUPS(a, Mem{Base: mid})
		SHLQ(Imm(5), before)
		ADDQ(before, mid)
	})
	VZEROUPPER()
	RET()
}
