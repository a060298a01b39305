package grains

import (
	"math"

	"breakwater/raster/scatter"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

// Light that was scattered more than once goes on as in a thick fog: by diffusion, with
// the flux
//
//	F = −(∇φ − 3 g' σ' E s) / 3 ((1 − g) σ + a)
//
// where φ is the fluence of that light, E the irradiance of the sun's direct light, which
// goes along s, and a the absorption of the medium. This is the P1 approximation with the
// first moment of the source (Ishimaru 1978, Wave Propagation and Scattering in Random
// Media, chapter 9). As the share f of the light goes on almost straight, it counts as not
// scattered at all: σ' = (1 − f) σ and g' = (g − f)/(1 − f), where f is the second moment of the
// phase function (delta-Eddington approximation; Joseph, Wiscombe and Weinman 1976). At the surface of the cloud no more light comes in than shines on it
// (Marshak's condition). The light from around is found for the whole of it, scattered or
// not: then a cloud in light that is the same from everywhere takes on exactly that light.
//
// The unknown of a node is u = φ/4π, a mean radiance. Fluxes are over 4π too. The equations
// are symmetric, and conjugate gradients solve them, from coarse systems to fine ones.
const (
	// rounds is how many rounds of conjugate gradients there are at most. After the coarse
	// systems, a picture of the dam break is then about as near to the one of the exact solution,
	// to 0.4 of 255 steps, as after 60 rounds without them.
	rounds       = 24
	coarseRounds = 60   // the same of a coarse system
	tolerance    = 2e-3 // of the residual, over the first one
	resistance   = 0.02 // least of a face between two nodes: thin clouds would couple over any distance
	// The border is the mean radiance at the surface of a cloud over the flux that leaves there.
	// With Marshak's 2, thin slabs are a fifth too dark, and more where light is scattered far to
	// the side, as by bubbles. These values are fitted to Monte Carlo: see TestSlab.
	leastBorder = 2.2
	moreBorder  = 0.68
)

// diffusion is the system of equations of one colour.
type diffusion struct {
	nodes []int32    // with something about them
	near  [][6]int32 // by axes: index in nodes of the next node, −1 for open air
	step  float64
	sigma []float64 // extinction
	g     float64   // asymmetry
	f     float64   // share of the light that goes on almost straight
	absob float64   // 1/m, of the medium
	along vec.Vec3  // of the direct light

	beam    []float64 // irradiance of the direct light
	inside  []float64 // source, per metre
	outside [6]float64
	share   []float64 // of the outside

	rest  []float64    // of the equations: the sum of all that does not depend on u
	links [][6]float64 // conductance of the faces
	diag  []float64

	index  []int32    // of all nodes of blocks: the index in nodes, −1 for none
	coarse *diffusion // of half as many nodes along each axis; nil for none
	parent []int32    // index in its nodes
	toward []uint8    // which half of the parent a node is in, as a bit for each axis
}

// diffuse fills in lit[…].multi and lit[…].lean, and open.
func (v *voxels) diffuse(l *Light, glow *glow, lit []shine, open []float32) {
	d := v.system()
	d.along = l.ToSun.Neg()
	n := len(d.nodes)
	d.beam, d.inside, d.share = make([]float64, n), make([]float64, n), make([]float64, n)
	var lean [][3]float64
	var sun, sky []float64 // of the colour before, which the next one is near to
	grey := l.Absorption == (vec.Vec3{})
	var color vec.Vec3 // of the light from around
	for _, c := range glow.faces {
		color = color.Add(c.Mul(1.0 / 6))
	}
	for c := range 3 {
		if c > 0 && grey {
			break
		}
		absorption := l.Absorption.Array()[c]
		d.prepare(l.Phase[c], absorption)
		// The sun's light, for which all outside is dark.
		d.outside = [6]float64{}
		for k, at := range d.nodes {
			d.beam[k] = float64(lit[at].sun[c])
			d.inside[k] = (1 - d.f) * d.sigma[k] * d.beam[k] / (4 * math.Pi)
		}
		if sun == nil {
			sun = make([]float64, n)
			d.start(sun)
		}
		sunLean := d.solve(sun)
		// And the light from around.
		clear(d.beam)
		clear(d.inside)
		mean := color.Array()[c]
		for f := range d.outside {
			d.outside[f] = glow.faces[f].Array()[c]
		}
		for k, at := range d.nodes {
			d.share[k] = float64(lit[at].open[c])
		}
		if sky == nil {
			sky = make([]float64, n)
			for k, share := range d.share {
				sky[k] = float64(mean * share)
			}
			d.start(sky)
		}
		skyLean := d.solve(sky)
		if lean == nil {
			lean = make([][3]float64, n)
		}
		for k, at := range d.nodes {
			s := &lit[at]
			hidden := 1 - float64(open[at])
			if grey {
				for c := range 3 {
					tint := 1.0
					if mean > 0 {
						tint = color.Array()[c] / mean
					}
					// The colour of the sun's light is the same everywhere, or nearly.
					s.multi[c] = float32(float64(sun[k]*ratio(s.sun[c], s.sun[0])) + float64(hidden*sky[k]*tint))
				}
			} else {
				s.multi[c] = float32(sun[k] + float64(hidden*sky[k]))
			}
			for a := range 3 {
				lean[k][a] += sunLean[k][a] + float64(hidden*skyLean[k][a])
			}
		}
	}
	for k, at := range d.nodes {
		s := &lit[at]
		for c := range 3 {
			s.open[c] *= open[at]
		}
		sum := float64(s.multi[0])
		if !grey {
			sum += float64(s.multi[1]) + float64(s.multi[2])
		}
		if sum <= 0 {
			continue
		}
		f := vec.Vec3{X: lean[k][0], Y: lean[k][1], Z: lean[k][2]}.Mul(1 / sum)
		if long := f.Len(); long > 1 {
			f = f.Mul(1 / long)
		}
		s.lean = narrow(f)
	}
}

// ratio returns a/b, 1 for 0/0.
func ratio(a, b float32) float64 {
	if b == 0 {
		return 1
	}
	return float64(a / b)
}

// system finds the nodes of the cloud and their neighbours, and coarser systems of half as many
// along each axis.
func (v *voxels) system() *diffusion {
	var d, coarse *diffusion
	for along := 1; along <= nodeSide; along *= 2 {
		d = v.systemOf(along, coarse)
		coarse = d
	}
	return d
}

// systemOf returns the system with a number of nodes along a block. Each has the mean
// extinction of the cloud's nodes that it stands for. coarse is the system of half as many
// along each axis, nil for none.
func (v *voxels) systemOf(along int, coarse *diffusion) *diffusion {
	all, part := along*along*along, nodeSide/along
	d := &diffusion{step: v.step * float64(part), coarse: coarse, index: make([]int32, all*len(v.g.place))}
	extinction := make([]float32, len(d.index))
	for n := range v.sigma {
		if !v.filled(int32(n)) {
			continue
		}
		x, y, z := n%nodeSide/part, n/nodeSide%nodeSide/part, n/nodeSide/nodeSide%nodeSide/part
		at := n/nodes*all + (z*along+y)*along + x
		d.index[at] = 1
		extinction[at] += v.total(int32(n)) / float32(part*part*part)
	}
	for n, filled := range d.index {
		if filled > 0 {
			d.nodes = append(d.nodes, int32(n))
		}
		d.index[n] = int32(len(d.nodes))*filled - 1
	}
	d.near, d.sigma = make([][6]int32, len(d.nodes)), make([]float64, len(d.nodes))
	if coarse != nil {
		d.parent, d.toward = make([]int32, len(d.nodes)), make([]uint8, len(d.nodes))
	}
	par.For(len(d.nodes), func(lo, hi int) {
		for k := lo; k < hi; k++ {
			n := int(d.nodes[k])
			d.sigma[k] = float64(extinction[n])
			block, x, y, z := n/all, n%along, n/along%along, n/along/along%along
			p := v.g.place[block]
			for f := range 6 {
				next, at := p, [3]int{x, y, z}
				at[f/2] += 2*(f%2) - 1
				d.near[k][f] = -1
				if at[f/2] < 0 || at[f/2] == along {
					next[f/2] += int32(2*(f%2) - 1)
					at[f/2] = (along - 1) * (1 - f%2)
				}
				if m := v.g.blockAt(int(next[0]), int(next[1]), int(next[2])); m >= 0 {
					d.near[k][f] = d.index[int(m)*all+(at[2]*along+at[1])*along+at[0]] // −1 if there is nothing
				}
			}
			if coarse != nil {
				half := along / 2
				d.parent[k] = coarse.index[block*all/8+(z/2*half+y/2)*half+x/2]
				d.toward[k] = uint8(x%2 | y%2<<1 | z%2<<2)
			}
		}
	})
	return d
}

// prepare finds the conductances for a phase function and an absorption.
func (d *diffusion) prepare(phase *scatter.Phase, absorption float64) {
	if d.coarse != nil {
		d.coarse.prepare(phase, absorption)
	}
	n, g := len(d.nodes), phase.Moment(1)
	d.g, d.f, d.absob = g, straightOn(phase), absorption
	border := leastBorder + float64(moreBorder*(1-d.f))
	d.links, d.diag, d.rest = make([][6]float64, n), make([]float64, n), make([]float64, n)
	par.For(n, func(lo, hi int) {
		for k := lo; k < hi; k++ {
			own := float64((1-g)*d.sigma[k]) + absorption
			sum := absorption * d.step
			for f, m := range d.near[k] {
				if m >= 0 {
					d.links[k][f] = 1 / (resistance + float64(1.5*d.step*(own+float64((1-g)*d.sigma[m])+absorption)))
				} else {
					d.links[k][f] = 1 / (border + float64(1.5*d.step*own))
				}
				sum += d.links[k][f]
			}
			d.diag[k] = 1 / sum
		}
	})
}

// drive returns what pushes light out of node k through the face f.
func (d *diffusion) drive(k, f int) float64 {
	sum := float64(d.sigma[k] * d.beam[k])
	if m := d.near[k][f]; m >= 0 {
		sum += float64(d.sigma[m] * d.beam[m])
	}
	// g' σ' = (g − f) σ
	return float64(1.5 * d.step * (d.g - d.f) * sum / (4 * math.Pi) * d.along.Dot(axes[f]))
}

// straightOn returns the share of the scattered light that goes on almost straight.
func straightOn(p *scatter.Phase) float64 { return max(0, p.Moment(2)) }

// start fills in u from the solution of the coarse system, which needs few rounds for the
// part of the light that goes far (nested iteration).
func (d *diffusion) start(u []float64) {
	c := d.coarse
	if c == nil {
		return
	}
	n := len(c.nodes)
	c.along, c.outside = d.along, d.outside
	c.beam, c.inside, c.share = make([]float64, n), make([]float64, n), make([]float64, n)
	count, guess := make([]float64, n), make([]float64, n)
	for k, p := range d.parent {
		c.beam[p] += float64(d.sigma[k] * d.beam[k])
		c.inside[p] += float64(d.inside[k] / 8)
		c.share[p] += d.share[k]
		guess[p] += u[k]
		count[p]++
	}
	for p, x := range count {
		c.beam[p] /= 8 * c.sigma[p]
		c.share[p] /= x
		guess[p] /= x
	}
	c.start(guess)
	c.balance()
	c.descend(guess)
	par.For(len(u), func(lo, hi int) {
		for k := lo; k < hi; k++ {
			p := d.parent[k]
			u[k] = guess[p]
			for axis := range 3 {
				if m := c.near[p][2*axis+int(d.toward[k]>>axis&1)]; m >= 0 {
					u[k] += float64((guess[m] - guess[p]) / 4)
				}
			}
		}
	})
}

// balance finds the part of the equations that does not depend on u.
func (d *diffusion) balance() {
	par.For(len(d.nodes), func(lo, hi int) {
		for k := lo; k < hi; k++ {
			sum := d.inside[k] * d.step
			for f, m := range d.near[k] {
				sum -= float64(d.links[k][f] * d.drive(k, f))
				if m < 0 {
					sum += float64(d.links[k][f] * d.outside[f] * d.share[k])
				}
			}
			d.rest[k] = sum
		}
	})
}

// solve finds u, starting from the values in it, and returns three times the asymmetry
// times the flux.
func (d *diffusion) solve(u []float64) (lean [][3]float64) {
	n := len(d.nodes)
	d.balance()
	d.descend(u)
	lean = make([][3]float64, n)
	par.For(n, func(lo, hi int) {
		for k := lo; k < hi; k++ {
			for f, m := range d.near[k] {
				next := float64(d.outside[f] * d.share[k])
				if m >= 0 {
					next = u[m]
				}
				flux := float64(d.links[k][f] * (u[k] - next + d.drive(k, f)))
				lean[k][f/2] += float64(3 * d.g * flux * float64(2*(f%2)-1) / 2)
			}
		}
	})
	return lean
}

// descend solves the equations from u on by conjugate gradients, with the diagonal as the
// preconditioner (Hestenes and Stiefel 1952). Sums are taken in the order of chunks.
func (d *diffusion) descend(u []float64) {
	n := len(u)
	p, r, q := make([]float64, n), make([]float64, n), make([]float64, n)
	chunks := make([]float64, (n+255)/256)
	over := func(f func(k int) float64) float64 {
		par.For(n, func(lo, hi int) {
			sum := 0.0
			for k := lo; k < hi; k++ {
				sum += f(k)
			}
			chunks[lo/256] = sum
		})
		sum := 0.0
		for _, x := range chunks {
			sum += x
		}
		return sum
	}
	times := func(k int, u []float64) float64 { // a row of the matrix times u
		sum := u[k] / d.diag[k]
		for f, m := range &d.near[k] {
			if m >= 0 {
				sum -= float64(d.links[k][f] * u[m])
			}
		}
		return sum
	}
	first := over(func(k int) float64 { return d.rest[k] * d.rest[k] * d.diag[k] })
	rho := over(func(k int) float64 {
		r[k] = d.rest[k] - times(k, u)
		p[k] = r[k] * d.diag[k]
		return r[k] * p[k]
	})
	most := rounds
	if d.coarse == nil || d.coarse.coarse == nil {
		most = coarseRounds
	}
	for range most {
		if rho <= tolerance*tolerance*first {
			break
		}
		pq := over(func(k int) float64 { q[k] = times(k, p); return p[k] * q[k] })
		a := rho / pq
		next := over(func(k int) float64 {
			u[k] += float64(a * p[k])
			r[k] -= float64(a * q[k])
			return r[k] * r[k] * d.diag[k]
		})
		b := next / rho
		rho = next
		par.For(n, func(lo, hi int) {
			for k := lo; k < hi; k++ {
				p[k] = float64(r[k]*d.diag[k]) + float64(b*p[k])
			}
		})
	}
	for k := range u {
		u[k] = max(0, u[k])
	}
}
