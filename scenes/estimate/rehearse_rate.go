package estimate

import (
	"math"
	"runtime"
	"time"

	"breakwater/scenes/host"
)

// rate is what a number of things takes.
type rate struct {
	things  float64
	seconds float64 // of processor time
	wall    float64 // s by the clock
	ready   *rate   // the same before the first of them, which readied what they use; nil for none
}

// stopwatch holds the times at which something began.
type stopwatch struct {
	processor float64
	wall      time.Time
}

func startWatch() stopwatch { return stopwatch{host.ProcessorTime(), time.Now()} }

// add adds n things that took the time since begun. The first time readies what
// the others use, and counts only while it is alone.
func (r *rate) add(first bool, n float64, begun stopwatch) {
	if first {
		ready := *r
		*r = rate{ready: &ready}
	}
	r.things += n
	r.seconds += host.ProcessorTime() - begun.processor
	r.wall += time.Since(begun.wall).Seconds()
}

// each returns the processor time that one takes, 0 if there were none.
func (r rate) each() float64 {
	if r.things == 0 {
		return 0
	}
	return r.seconds / r.things
}

// first returns the processor time that the things before the first took beyond the others, s.
func (r rate) first() float64 {
	if r.ready == nil {
		return 0
	}
	return max(0, r.ready.seconds-float64(r.ready.things*r.each()))
}

// idle returns the processors' time that was not used, for the time that was: while some
// processors wait for others. Of the machine's processors, no program used the given
// number in the mean. Without this bound, waiting for other programs would count as well.
func (r rate) idle(unused float64) float64 {
	most := float64(runtime.GOMAXPROCS(0))
	if r.wall == 0 || r.seconds == 0 {
		return 0
	}
	return max(0, min(float64(most*r.wall)-r.seconds, unused*r.wall, (most-1)*r.seconds)) / r.seconds
}

// spending is how much of an effort is spent.
type spending struct {
	effort Effort
	begun  stopwatch
	idle   float64 // s that the machine's processors had been idle by then; negative if that is not known
	moves  float64
}

func startSpending(effort Effort) *spending {
	x := &spending{effort: effort, begun: startWatch(), idle: -1}
	if idle, ok := host.IdleTime(); ok {
		x.idle = idle
	}
	return x
}

// unused returns the mean number of the machine's processors that no program has used since
// the start, +Inf if that is not known.
func (x *spending) unused() float64 {
	idle, ok := host.IdleTime()
	wall := time.Since(x.begun.wall).Seconds()
	const least = 0.1 // s, for the system counts hundredths
	if !ok || x.idle < 0 || wall < least {
		return math.Inf(1)
	}
	return max(0, idle-x.idle) / wall
}

// share returns the share of the effort that is spent, above 1 if it is more.
func (x *spending) share() (share float64) {
	if x.effort.Seconds > 0 {
		share = (host.ProcessorTime() - x.begun.processor) / x.effort.Seconds
	}
	if x.effort.Moves > 0 {
		share = max(share, x.moves/x.effort.Moves)
	}
	return share
}
