package whitewater

import (
	"cmp"
	"slices"

	"breakwater/sim/dice"
)

// thin removes parcels by chance above the most that there may be. The others of their
// kind stand for more, so that no volume is lost.
func (w *Whitewater) thin() {
	p := &w.state.Parcels
	most := w.set.Most
	if p.Len() <= most {
		return
	}
	before := p.Volumes()
	draws := make([]uint64, p.Len())
	purpose := dice.New(uint64(w.set.Seed), purposeThin, w.state.Steps)
	first := [Kinds]int{-1, -1, -1, -1}
	for i := range draws {
		draws[i] = purpose.Of(p.ID[i]).Uint64(0)
		if k := p.Kind[i].Kind(); first[k] < 0 || draws[i] < draws[first[k]] {
			first[k] = i
		}
	}
	order := slices.Clone(draws)
	slices.SortFunc(order, cmp.Compare)
	limit := order[most]
	at := -1
	p.keep(func(i int) bool {
		at = i
		return draws[at] < limit || first[p.Kind[i].Kind()] == i // a kind does not die out
	})
	after := p.Volumes()
	for i, s := range p.Kind {
		k := s.Kind()
		p.N[i] = float32(float64(p.N[i]) * (before[k] / after[k]))
	}
}
