package lattice

import (
	"math"
	"slices"

	"breakwater/sim/vec"
)

// FillError is the relative difference between the volume of a box and the volume of its
// particles up to which the lattice is cubic. With more, the lattice is fitted to the box.
const FillError = 0.005

// fitStrain is the largest strain of a fitted lattice with a whole number of layers. The liquid
// gives way if its lattice is far from cubic, so with more strain the last layer has holes.
const fitStrain = 0.05

// fitted is a lattice that fills a box, with a cell for each particle's volume. So the liquid
// is at rest density everywhere, and the particles have the volume of the box within
// FillError.
//
// Across the direction of gravity the rows fill the box, from half a row's width off one side
// to half a row's width off the other. This strains the lattice, and the layers are as much
// closer together or farther apart as their cells need. The numbers of rows are those for which
// the box has a whole number of layers within FillError, with little strain and little error of
// the volume: liquid with too much volume is under pressure from the start, and gains energy as
// it expands. If no such numbers exist, the last layer has holes, and may reach out of the box by
// less than half a spacing. In a world without a surface, the last layer is full.
type fitted struct {
	step  [3]float64 // between sites, m
	least float64    // smallest of step, m
	up    int        // the axis along which the layers lie
	last  int        // the layer that has holes, −1 for none
	most  float64    // the rank below which a site of that layer has a particle; see rank
	fall  bool       // whether the layers begin at the far end of the box
	size  float64    // of the box along up, m
	about Summary
}

// Summary describes the lattice of a block.
type Summary struct {
	Cubic  float64    // volume of the particles on a cubic lattice, relative to the block's bounds
	Fitted bool       // whether the lattice is fitted to the block
	Rows   [3]float64 // of a fitted lattice along each axis; the layers may end with a part of one
	Strain float64    // largest, of a fitted lattice
}

// fit fits the lattice to a box of the given size, unless a cubic lattice is good enough. It
// is called with the sites of a cubic lattice.
func (l *Sites) fit(size vec.Vec3) {
	gravity := l.Gravity.Array()
	cells := [3]float64{size.X / l.Spacing, size.Y / l.Spacing, size.Z / l.Spacing}
	axes := 3
	if l.Flat {
		axes, cells[2] = 2, 1
	}
	volume, now := 1., 1.
	for a := range axes {
		volume *= cells[a]
		now *= float64(l.N[a])
	}
	if math.Abs(now/volume-1) <= FillError || now == 0 {
		return
	}
	f := &fitted{up: 1, last: -1, size: size.Y}
	for a, g := range gravity {
		if a < axes && math.Abs(g) > math.Abs(gravity[f.up]) {
			f.up = a
		}
	}
	f.size, f.fall = size.Array()[f.up], gravity[f.up] > 0
	across := [2]int{(f.up + 1) % 3, (f.up + 2) % 3}

	// The candidates, and the layers that each needs.
	type candidate struct {
		n      [2]int
		layers float64
		strain float64
	}
	var whole, least *candidate
	faults := 1. // of whole: its strain or its error of the volume, over their bounds
	rows := func(a int) (from, to int) {
		if a >= axes {
			return 1, 1
		}
		middle := max(1, int(math.Round(cells[a])))
		return max(1, middle-2), middle + 2
	}
	from0, to0 := rows(across[0])
	from1, to1 := rows(across[1])
	for n0 := from0; n0 <= to0; n0++ {
		for n1 := from1; n1 <= to1; n1++ {
			s0, s1 := cells[across[0]]/float64(n0), cells[across[1]]/float64(n1)
			c := &candidate{n: [2]int{n0, n1}, layers: cells[f.up] * s0 * s1}
			s2 := 1 / (s0 * s1)
			c.strain = max(math.Abs(s0-1), math.Abs(s1-1), math.Abs(s2-1))
			if least == nil || c.strain < least.strain {
				least = c
			}
			if round := math.Round(c.layers); round >= 1 {
				if f := max(c.strain/fitStrain, math.Abs(round/c.layers-1)/FillError); f < faults {
					whole, faults = c, f
				}
			}
		}
	}
	best := least
	if whole != nil {
		best = whole
	}
	l.N[across[0]], l.N[across[1]] = best.n[0], best.n[1]
	for k, a := range across {
		f.step[a] = size.Array()[a] / float64(best.n[k])
	}
	f.about = Summary{Cubic: now / volume, Fitted: true}
	if whole != nil || l.Closed {
		l.N[f.up] = max(1, int(math.Round(best.layers)))
		f.step[f.up] = f.size / float64(l.N[f.up])
	} else {
		l.N[f.up] = int(math.Ceil(best.layers))
		f.last = l.N[f.up] - 1
		f.dig(best.n, best.layers-math.Floor(best.layers))
		f.step[f.up] = f.size / best.layers
	}
	for a := range f.about.Rows {
		f.about.Rows[a] = float64(l.N[a])
	}
	if f.last >= 0 {
		f.about.Rows[f.up] = best.layers
	}
	f.least = math.Inf(1)
	for a := range axes {
		f.least = min(f.least, f.step[a])
		f.about.Strain = max(f.about.Strain, math.Abs(f.step[a]/l.Spacing-1))
	}
	l.fitted = f
}

// place returns the place of a site from the corner of the box, m. at counts sites along
// each axis, and is in the middle of the site's cell.
func (f *fitted) place(at vec.Vec3) vec.Vec3 {
	x := at.Array()
	for a := range x {
		x[a] = float64(x[a] * f.step[a])
	}
	if f.fall {
		x[f.up] = f.size - x[f.up]
	}
	return vec.New(x[0], x[1], x[2])
}

// hole reports whether a site of the last layer has no particle.
func (f *fitted) hole(i, j, k int) bool {
	site := [3]int{i, j, k}
	return site[f.up] == f.last && rank(site[(f.up+1)%3], site[(f.up+2)%3]) >= f.most
}

// dig leaves particles at a share of the sites of the last layer, which has n rows.
func (f *fitted) dig(n [2]int, share float64) {
	var ranks []float64
	for a := range n[0] {
		for b := range n[1] {
			ranks = append(ranks, rank(a, b))
		}
	}
	slices.Sort(ranks)
	f.most = 1
	if keep := int(math.Round(share * float64(len(ranks)))); keep < len(ranks) {
		f.most = ranks[keep]
	}
}

// rank returns a number from 0 to 1 for the site a, b of a layer. The sites below any number
// are spread over the layer evenly: the ranks are the sequence R2 of Roberts (The
// unreasonable effectiveness of quasirandom sequences, 2018).
func rank(a, b int) float64 {
	r := 0.5 + float64(0.7548776662466927*float64(a)) + float64(0.5698402909980532*float64(b))
	return r - math.Floor(r)
}
