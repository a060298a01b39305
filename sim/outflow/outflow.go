// Package outflow has the regions that take liquid out of the world: one file per kind, and the
// regions beyond the open sides of walls.
package outflow

import (
	"math"
	"slices"

	"breakwater/sim/body"
	"breakwater/sim/boundary"
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

// Quota returns how many particles of the given volume may go after time from
// and up to time to.
func (o *Outflow) Quota(from, to, volume float64) int {
	if o.Flow == 0 {
		return math.MaxInt
	}
	return int(math.Floor(o.Flow/volume*to) - math.Floor(o.Flow/volume*from))
}

// All returns the given outflows, and the regions beyond the open sides of the walls.
func All(outflows []Outflow, walls []boundary.Boundary) []Outflow {
	list := slices.Clip(outflows)
	for _, wall := range walls {
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
