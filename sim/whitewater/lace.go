package whitewater

import (
	"breakwater/sim/dice"
	"breakwater/sim/neighbor"
	"breakwater/sim/par"
	"breakwater/sim/vec"
)

const (
	laceArea  = 78e-4 // m² of surface for each hole
	laceLeast = 0.013 // m: radius of the smallest hole
	laceMost  = 0.035 // and of the largest
	laceSpeed = 0.04  // m/s: of foam that leaves a hole
	laceDeath = 4     // how much faster foam ends in holes: 1 and this much
)

// lace are the holes that open in foam. Some particles of the surface, which their numbers
// choose, are the middles of the holes, so holes drift with the liquid and are the same in
// all runs.
type lace struct {
	x      []vec.Vec3
	radius []float64
	cells  neighbor.Cells
	deep   []uint8 // how far each parcel is in a hole, up to 255
}

// find finds the holes of the next frame, and moves foam out of them.
func (l *lace) find(w *Whitewater) {
	p := &w.state.Parcels
	l.deep = par.Resize(l.deep, p.Len())
	clear(l.deep)
	l.x, l.radius = l.x[:0], l.radius[:0]
	if w.set.Lace == 0 {
		return
	}
	f := &w.flow
	d := w.scene.Spacing
	share := min(1, d*d/laceArea)
	scale := max(1, 0.5*d/laceLeast) // in a large liquid, holes are no smaller than its particles
	purpose := dice.New(uint64(w.set.Seed), purposeLace)
	most := 0.
	for i, id := range f.next.ID {
		if !w.survey.top[i] || w.survey.airborne[i] {
			continue
		}
		die := purpose.Of(uint64(id))
		if die.Float(0) >= share {
			continue
		}
		r := scale * (laceLeast + float64(die.Float(1)*(laceMost-laceLeast)))
		l.x, l.radius = append(l.x, f.next.X[i]), append(l.radius, r)
		most = max(most, r)
	}
	if len(l.x) == 0 {
		return
	}
	l.cells.Build(l.x, most)
	box := neighbor.Bounds(l.x)
	order := l.cells.Order()
	way := laceSpeed * min(1, w.set.Lace) * f.dt
	par.For(p.Len(), func(lo, hi int) {
		var rows [9][2]int32
		var near nearby
		var c cursor
		var s sample
		for i := lo; i < hi; i++ {
			if k := p.Kind[i]; k.fate() != alive || k.Kind() != Foam {
				continue
			}
			x := p.At(i)
			if !box.Grow(most).Contains(x) {
				continue
			}
			l.cells.Rows(l.cells.Cell(x.Max(box.Min).Min(box.Max)), &rows)
			var push vec.Vec3
			deep := 0.
			for _, run := range rows {
				for _, j := range order[run[0]:run[1]] {
					from := x.Sub(l.x[j])
					r := from.Len()
					if r >= l.radius[j] || r == 0 {
						continue
					}
					in := 1 - r/l.radius[j]
					deep = max(deep, min(1, 3*in)) // most of a hole is fully open
					push = push.Add(from.Mul(1 / r))
				}
			}
			if deep == 0 {
				continue
			}
			l.deep[i] = uint8(255 * deep)
			if !w.nodes.at(x, &c, &s) {
				continue
			}
			n := s.grad.Unit()
			push = push.Sub(n.Mul(push.Dot(n)))
			step := push.Unit().Mul(way * deep)
			r := float64(p.R[i])
			list := w.walls.about(&near, x, w.voxels.block, step.Len()+r+d)
			if len(list) > 0 {
				at, _, ok := sweep(list, x, x.Add(step), r)
				if ok {
					p.X[i] = narrow(at)
				}
				continue
			}
			p.X[i] = narrow(x.Add(step))
		}
	})
}

// open returns how much faster parcel i of foam ends than foam outside of holes.
func (l *lace) open(w *Whitewater, i int) float64 {
	return 1 + laceDeath*w.set.Lace*float64(l.deep[i])/255
}
