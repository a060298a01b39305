package sim

import (
	"cmp"
	"math"
	"slices"

	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/par"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

// Outflow takes liquid out of the world where it has got into a region.
type Outflow struct {
	Region boundary.Region
	Flow   float64 // largest rate, m³/s; 0 for no limit
}

// Regions are the known kinds.
var Regions = registry.Set[boundary.Region]{Kind: "outflow"}

// quota returns how many particles of the given volume may go after time from
// and up to time to.
func (o *Outflow) quota(from, to, volume float64) int {
	if o.Flow == 0 {
		return math.MaxInt
	}
	return int(math.Floor(o.Flow/volume*to) - math.Floor(o.Flow/volume*from))
}

// allOutflows returns the outflows of w, and the regions beyond the open sides of its
// walls.
func (w *World) allOutflows() []Outflow {
	list := slices.Clip(w.Outflows)
	for _, wall := range w.Walls {
		shape, mover := body.Unwrap(wall)
		o, ok := shape.(interface{ Outside() boundary.Region })
		if !ok {
			continue
		}
		switch r := o.Outside(); {
		case r == nil:
		case mover != nil:
			list = append(list, Outflow{Region: movingRegion{r, mover}})
		default:
			list = append(list, Outflow{Region: r})
		}
	}
	return list
}

// movingRegion is a region that moves with a wall.
type movingRegion struct {
	region boundary.Region
	body   *body.Body
}

// Depth implements Region.
func (r movingRegion) Depth(x vec.Vec3) float64 { return r.region.Depth(r.body.AtRest(x)) }

// Constant reports whether all particles are there from the start to the end.
func (w *World) Constant() bool { return len(w.Inflows) == 0 && len(w.allOutflows()) == 0 }

// drain removes the particles that the outflows have taken since time before, and
// returns their number. If an outflow's rate is limited, the deepest go first.
func (w *World) drain(before float64) (removed int) {
	type drained struct {
		i     int32
		depth float64
	}
	for _, o := range w.allOutflows() {
		quota := o.quota(before, w.Time, w.ParticleVolume())
		if quota == 0 {
			continue
		}
		part := make([][]drained, blocks(w.Len()))
		par.Each(len(part), func(b int) {
			for i := b * blockLen; i < min(w.Len(), (b+1)*blockLen); i++ {
				if d := o.Region.Depth(w.X[i]); d > 0 {
					if n, _ := w.buffers.Holding(w.ID[i], w.Time); n == nil {
						part[b] = append(part[b], drained{int32(i), d})
					}
				}
			}
		})
		list := slices.Concat(part...)
		if len(list) > quota {
			slices.SortFunc(list, func(a, b drained) int {
				return cmp.Or(cmp.Compare(b.depth, a.depth), cmp.Compare(w.ID[a.i], w.ID[b.i]))
			})
			list = list[:quota]
			slices.SortFunc(list, func(a, b drained) int { return cmp.Compare(a.i, b.i) })
		}
		gone := make([]int32, len(list))
		for k, s := range list {
			gone[k] = s.i
		}
		w.energy.took(w, gone)
		w.Remove(gone)
		removed += len(gone)
	}
	return removed
}
