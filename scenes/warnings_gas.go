package scenes

import (
	"fmt"

	"breakwater/scenes/toml"
	"breakwater/sim/body"
	"breakwater/sim/boundary"
	"breakwater/sim/num"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
)

// gasWarnings names the settings of a gas that give poor results, with better ones.
func (s *Scene) gasWarnings(b *Built) (list []string) {
	p := b.parts
	small := func(what string, box vec.Box) {
		size := box.Size()
		if least := min(size.X, size.Y, size.Z); !box.IsEmpty() && least < s.Gas.Cell/2 { // a plane has an empty box
			list = append(list, fmt.Sprintf("%s is only %.2g m thick, too thin for cells of %.2g m: set gas.cell to %.2g m or less", what, least, s.Gas.Cell, num.Rounded(least, 2)))
		}
	}
	for i, w := range p.walls {
		if !isContainer(w) {
			small(toml.Index("wall", i), body.Extent(w))
		}
	}
	for i, b := range p.bodies {
		small(toml.Index("body", i), body.Extent(b))
	}
	for i, r := range p.gas.sources {
		if s.Source[i].Vortons > 0 {
			small(toml.Index("source", i), r.Bounds())
		}
	}
	if n, ok := s.crowdedFrame(b); ok {
		list = append(list, fmt.Sprintf("there are %d tracers from frame %d on, as many as tracers.most, and the oldest are removed as sources make more: raise tracers.most, or lower the rates", s.Tracers.Most, n))
	}
	if s.Flame != nil {
		hottest, length := s.hottest(), s.Time.At(s.Time.Frames())
		if takes := num.Exp(s.Flame.Activation/hottest) / s.Flame.Rate; takes > 3*length {
			list = append(list, fmt.Sprintf("at the highest temperature given, %.4g K, the fuel takes about %.2g s to burn, and the film is %.2g s long: raise the temperature of a source, or lower flame.activation", hottest, takes, length))
		}
	}
	if x, ok := p.gas.solver.(*vortex.VPM); ok && x.Stretching == "classical" && s.Gas.Viscosity == 0 {
		list = append(list, `stretching = "classical" without viscosity can make vorticity grow without bound: use "reformulated", or set gas.viscosity`)
	}
	if x, ok := p.gas.solver.(*vortex.Gourlay); ok && x.At == "vortons" && x.Mollify > 0 {
		list = append(list, `at = "vortons" needs no cores as large as cells of the grid, which only make the flow coarser: set solver.mollify to 0`)
	}
	return list
}

// crowdedFrame returns the first frame by which sources have made more tracers than
// tracers.most. ok reports whether there is such a frame.
func (s *Scene) crowdedFrame(b *Built) (n int, ok bool) {
	for n = 1; s.Tracers.Most > 0 && n <= s.Time.Frames(); n++ {
		if _, tracers := s.gasGiven(b, s.Time.At(n)); tracers > float64(s.Tracers.Most) {
			return n, true
		}
	}
	return 0, false
}

// isContainer reports whether the gas is inside a wall.
func isContainer(w boundary.Boundary) bool {
	solid, err := gasWall(w)
	return err == nil && solid.Hole
}

// hottest returns the highest temperature that a scene of a gas gives, K.
func (s *Scene) hottest() float64 {
	most := s.Gas.Temperature
	for _, x := range s.Source {
		most = max(most, x.Temperature)
	}
	for _, x := range s.Vortex {
		most = max(most, x.Temperature)
	}
	for i := range s.Wall {
		most = max(most, s.Wall[i].Heat.Temperature)
	}
	for i := range s.Body {
		most = max(most, s.Body[i].Heat.Temperature)
	}
	return most
}
