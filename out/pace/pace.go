// Package pace predicts the remaining time of a stage.
package pace

import "time"

const (
	least  = 3  // frames that are made before a prediction is worth something
	recent = 16 // frames that a prediction is made from
	most   = 6  // times the mean of the others that a frame counts at most
)

// Pace measures the frames of a stage. The first of them does not count: in a
// simulation it is quick, elsewhere it readies what the others use.
type Pace struct {
	now          func() time.Time
	begun, frame time.Time // start of the stage, and of the frame under way
	work         []float64 // of the frames that are left, in their order
	left         float64   // sum of work
	made         int
	batches      bool
	did, took    []float64 // work and seconds of the recent frames, the oldest first
}

// New begins a stage of frames that take about as long each.
func New(frames int) *Pace {
	work := make([]float64, frames)
	for i := range work {
		work[i] = 1
	}
	return Of(work)
}

// Batches begins a stage of batches of frames. As each has many, the first says
// how long the others take.
func Batches(n int) *Pace {
	p := New(n)
	p.batches = true
	return p
}

// Of begins a stage of frames, the time of which is about proportional to
// their work.
func Of(work []float64) *Pace { return of(work, time.Now) }

func of(work []float64, now func() time.Time) *Pace {
	p := &Pace{now: now, work: work}
	p.begun = now()
	p.frame = p.begun
	for _, w := range work {
		p.left += w
	}
	return p
}

// Next ends a frame and returns its time, in seconds.
func (p *Pace) Next() float64 {
	now := p.now()
	s := now.Sub(p.frame).Seconds()
	work := p.pass()
	p.frame = now
	p.made++
	if p.made == 1 && !p.batches || work == 0 {
		return s
	}
	p.did, p.took = append(p.did, work), append(p.took, s)
	if len(p.took) > recent {
		p.did, p.took = p.did[1:], p.took[1:]
	}
	return s
}

// Skip passes a frame that there was nothing to do for.
func (p *Pace) Skip() { p.pass() }

// pass goes on to the next frame and returns the work of the one before.
func (p *Pace) pass() (work float64) {
	if len(p.work) > 0 {
		work, p.work = p.work[0], p.work[1:]
		p.left = max(0, p.left-work)
	}
	if len(p.work) == 0 {
		p.left = 0 // whatever rounding has left
	}
	return work
}

// ETA returns the seconds that the frames left take, 0 before the third frame is made.
// They take as long as the recent frames did for their work. No frame counts many times
// as much as the others, since a machine that slept or a frame that waited for another
// program says little.
func (p *Pace) ETA() float64 {
	if p.made < least && !p.batches || len(p.took) == 0 {
		return 0
	}
	var seconds, work float64
	for i := range p.took {
		seconds += p.took[i]
		work += p.did[i]
	}
	capped := 0.
	for i, s := range p.took {
		if len(p.took) > 1 {
			s = min(s, most*(seconds-s)/(work-p.did[i])*p.did[i])
		}
		capped += s
	}
	return capped / work * p.left
}

// Seconds returns the time since the stage began.
func (p *Pace) Seconds() float64 { return p.now().Sub(p.begun).Seconds() }
