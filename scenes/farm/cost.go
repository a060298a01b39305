package farm

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"

	"breakwater/scenes/canary"
	"breakwater/scenes/estimate"
)

// Costs are what the run of a film takes on one machine: bytes, and seconds, which are 0 if
// they are not known.
type Costs struct {
	Particles  int     `json:"particles"` // at the start
	Memory     int64   `json:"memory"`
	Disk       int64   `json:"disk"`
	Sim        float64 `json:"sim,omitempty"`
	Whitewater float64 `json:"whitewater,omitempty"`
	Mesh       float64 `json:"mesh,omitempty"`
	Draw       float64 `json:"draw,omitempty"`
	Film       float64 `json:"film,omitempty"`
}

// CostsOf returns the costs that an estimate says.
func CostsOf(e *estimate.Estimate) Costs {
	return Costs{e.Particles, e.Memory, e.Disk(), e.SimTime, e.WhitewaterTime, e.MeshTime, e.DrawTime, e.FilmTime}
}

// Seconds returns the time of all stages.
func (c *Costs) Seconds() float64 { return c.Sim + c.Whitewater + c.Mesh + c.Draw + c.Film }

// Measured takes the costs of a film from the plan in a folder, if this program and this machine
// have measured them there for the same film.
func Measured(out string, in *Input) bool {
	p, err := Read(out)
	if err != nil || p.Program != program() || p.Processors != runtime.GOMAXPROCS(0) {
		return false
	}
	if sum, err := canary.Sum(); err != nil || sum != p.Arithmetic {
		return false
	}
	for i := range p.Films {
		f := &p.Films[i]
		if f.Folder != in.Folder || f.Costs.Seconds() == 0 {
			continue
		}
		differs := errors.New("another scene")
		name, err := in.Scene.Freeze(func(name string, data []byte) error {
			was, err := os.ReadFile(filepath.Join(out, Folder, sceneFolder, f.Folder, filepath.FromSlash(name)))
			if err != nil || !bytes.Equal(was, data) {
				return differs
			}
			return nil
		})
		if err == nil && filepath.Join(sceneFolder, f.Folder, name) == filepath.FromSlash(f.Scene) {
			in.Costs = f.Costs
			return true
		}
	}
	return false
}

// Cost is the time that a plan takes.
type Cost struct {
	Path  float64 // seconds on as many machines as there are tasks at a time
	Work  float64 // seconds on one machine
	Nodes int     // machines from which on more do not help
}

// Cost returns the time of the tasks, as estimated.
func (p *Plan) Cost() (c Cost) {
	ends := map[string]float64{}
	type span struct{ from, to float64 }
	var spans []span
	for _, t := range p.Tasks {
		begin := 0.0
		for _, id := range t.After {
			begin = max(begin, ends[id])
		}
		ends[t.ID] = begin + t.Seconds
		spans = append(spans, span{begin, ends[t.ID]})
		c.Path = max(c.Path, ends[t.ID])
		c.Work += t.Seconds
	}
	for _, s := range spans { // most run when one begins
		n := 0
		for _, other := range spans {
			if other.from <= s.from && s.from < other.to {
				n++
			}
		}
		c.Nodes = max(c.Nodes, n)
	}
	return c
}
