package farm

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
