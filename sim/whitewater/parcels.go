package whitewater

import (
	"math"

	"breakwater/sim/num"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// Kind says what a parcel is made of.
type Kind uint8

// The kinds, as files of points number them.
const (
	Spray  Kind = iota // drops in the air
	Foam               // bubbles on the surface
	Bubble             // bubbles in the liquid
	Mist               // drops so small that they float
	Kinds  = 4
)

// String returns the name of k.
func (k Kind) String() string { return [Kinds]string{"spray", "foam", "bubble", "mist"}[k] }

// Air reports whether k is air in liquid, and not liquid in air.
func (k Kind) Air() bool { return k == Foam || k == Bubble }

// Status is the kind of a parcel and what happens to it.
type Status uint8

const (
	kindBits          = 3
	fading     Status = 1 << 2 // it vanishes when its age has reached fadeTime
	clinging   Status = 1 << 3 // it slides on a wall, until its age has reached clingTime, and fades
	fateShift         = 4      // the bits above say how it ended in this step, if it did
	alive      Status = 0
	landed     Status = 1
	burst      Status = 2
	clung      Status = 3
	evaporated Status = 4
	left       Status = 5
	splashed   Status = 1 << 7 // a drop that took air under as it landed
)

// Clings reports whether the parcel is a drop on a wall.
func (s Status) Clings() bool { return s&clinging != 0 }

// Kind returns the kind.
func (s Status) Kind() Kind { return Kind(s & kindBits) }

func (s Status) fate() Status { return s >> fateShift & 7 }

// Times of a parcel that appears, that fades, that stays on a wall, and in which it dries up
// there at the end, s. Drops run together and leave a film too thin to be seen, so they do not
// stay until they evaporate.
const (
	appearTime = 0.020
	fadeTime   = 0.150
	clingTime  = 3
	dryTime    = 1.5
)

// Parcels are drops and bubbles, one slice a quantity, all of the same length. The
// numbers are those that files keep.
type Parcels struct {
	X    [][3]float32 // position, m
	V    [][3]float32 // velocity, m/s
	R    []float32    // radius of a drop or bubble, m
	N    []float32    // how many of them the parcel stands for
	Age  []float32    // time since the parcel came to be, or since it began to fade or to cling, s
	ID   []uint64     // unique, constant over a parcel's life
	Kind []Status
}

// Parcel is one of Parcels.
type Parcel struct {
	X, V vec.Vec3
	R, N float64
	Age  float64
	ID   uint64
	Kind Kind
}

// Volume returns the volume of the drops or bubbles of p, as Parcels keeps them, m³.
func (p *Parcel) Volume() float64 { return volume(float32(p.R), float32(p.N)) }

func volume(r, n float32) float64 {
	return float64(4 * math.Pi / 3 * float64(n) * float64(r) * float64(r) * float64(r))
}

// Len returns the number of parcels.
func (p *Parcels) Len() int { return len(p.X) }

// Volume returns the volume of parcel i, m³.
func (p *Parcels) Volume(i int) float64 { return volume(p.R[i], p.N[i]) }

// Shown returns the radius at which the drops or bubbles of parcel i are drawn. They
// appear and vanish by growing and shrinking.
func (p *Parcels) Shown(i int) float64 {
	r, age := float64(p.R[i]), float64(p.Age[i])
	switch s := p.Kind[i]; {
	case s&clinging != 0:
		return r * (1 - num.Smoothstep(clingTime-dryTime, clingTime, age))
	case s&fading != 0:
		return r * (1 - num.Smoothstep(0, fadeTime, age))
	case s.Kind().Air():
		return r * num.Smoothstep(0, appearTime, age)
	}
	return r
}

func (p *Parcels) add(q Parcel) {
	p.X = append(p.X, [3]float32{float32(q.X.X), float32(q.X.Y), float32(q.X.Z)})
	p.V = append(p.V, [3]float32{float32(q.V.X), float32(q.V.Y), float32(q.V.Z)})
	p.R = append(p.R, float32(q.R))
	p.N = append(p.N, float32(q.N))
	p.Age = append(p.Age, float32(q.Age))
	p.ID = append(p.ID, q.ID)
	p.Kind = append(p.Kind, Status(q.Kind))
}

// At returns the position of parcel i, m.
func (p *Parcels) At(i int) vec.Vec3 { return wide(p.X[i]) }

// Velocity returns the velocity of parcel i, m/s.
func (p *Parcels) Velocity(i int) vec.Vec3 { return wide(p.V[i]) }

func wide(x [3]float32) vec.Vec3 {
	return vec.Vec3{X: float64(x[0]), Y: float64(x[1]), Z: float64(x[2])}
}

func narrow(x vec.Vec3) [3]float32 {
	return [3]float32{float32(x.X), float32(x.Y), float32(x.Z)}
}

// parcelScratch is the memory in which parcels are sorted.
type parcelScratch struct {
	order []int32
	v     [][3]float32
	f     []float32
	u     []uint64
	s     []Status
}

// permute reorders the parcels so that item i comes from order[i].
func (p *Parcels) permute(tmp *parcelScratch) {
	p.X, tmp.v = par.Permuted(p.X, tmp.v, tmp.order)
	p.V, tmp.v = par.Permuted(p.V, tmp.v, tmp.order)
	p.R, tmp.f = par.Permuted(p.R, tmp.f, tmp.order)
	p.N, tmp.f = par.Permuted(p.N, tmp.f, tmp.order)
	p.Age, tmp.f = par.Permuted(p.Age, tmp.f, tmp.order)
	p.ID, tmp.u = par.Permuted(p.ID, tmp.u, tmp.order)
	p.Kind, tmp.s = par.Permuted(p.Kind, tmp.s, tmp.order)
}

// keep removes the parcels for which stays is false. The others keep their order.
func (p *Parcels) keep(stays func(i int) bool) {
	n := 0
	for i := range p.X {
		if stays(i) {
			p.X[n], p.V[n], p.R[n], p.N[n], p.Age[n], p.ID[n], p.Kind[n] = p.X[i], p.V[i], p.R[i], p.N[i], p.Age[i], p.ID[i], p.Kind[i]
			n++
		}
	}
	p.X, p.V, p.R, p.N, p.Age, p.ID, p.Kind = p.X[:n], p.V[:n], p.R[:n], p.N[:n], p.Age[:n], p.ID[:n], p.Kind[:n]
}
