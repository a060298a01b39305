package main

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"time"

	"breakwater/out/pace"
	"breakwater/scenes"
	"breakwater/scenes/stage"
	"breakwater/sim"
	"breakwater/sim/phase"
)

// none marks a missing number.
var none = math.NaN()

// rate returns n a second, or none.
func rate(n, seconds float64) float64 {
	if n == 0 {
		return none
	}
	return n / seconds
}

// meter measures steps of a solver, which run in memory and write nothing.
type meter struct {
	particles  int
	steps      int
	seconds    float64
	phases     [phase.Count]float64 // s
	iterations [phase.Count]int
	live, peak float64 // memory beyond an empty program's, bytes
}

func (m *meter) add(i sim.StepInfo) {
	m.steps++
	for p, s := range i.Seconds {
		m.phases[p] += s
	}
	m.iterations[phase.Divergence] += i.DivergenceIter
	m.iterations[phase.Density] += i.DensityIter
}

// perStep returns milliseconds per step.
func (m *meter) perStep() float64 { return 1e3 * m.seconds / float64(m.steps) }

// speed returns millions of particles per second, each counted once per step.
func (m *meter) speed() float64 { return float64(m.particles) * float64(m.steps) / m.seconds / 1e6 }

// phases runs a scene and measures each phase of a step.
func (b *bench) phases(s *scenes.Scene) (*table, error) {
	built, err := s.Build()
	if err != nil {
		return nil, err
	}
	last := s.Time.Frames()
	if b.Frames > 0 {
		last = b.Frames
	}
	show := b.reporter()
	defer show.stop()
	m := meter{particles: built.World.Len()}
	speed := pace.New(last - 1)
	for n := 2; n <= last; n++ {
		err := built.World.Advance(built.Solver, s.Time.At(n), func(i sim.StepInfo) error {
			m.add(i)
			return b.con.ctx.Err()
		})
		if err != nil {
			return nil, err
		}
		speed.Next()
		m.seconds = speed.Seconds()
		show.report(stage.Event{Stage: "phases", Frame: n, Frames: last, Time: built.World.Time, Particles: m.particles, Substeps: m.steps,
			ETA: speed.ETA()})
	}
	t := &table{
		Name: "phases", Title: "The phases of a step", Command: b.command("phases", "frames", given(b.Frames), "spacing", b.Spacing),
		About: fmt.Sprintf("%s, %s particles %g m apart: %s steps for %.3g s of simulated time in %.3g s, %.3g s per simulated second.",
			s.Name, thousands(m.particles), s.Liquid.Spacing, thousands(m.steps), built.World.Time, m.seconds, m.seconds/built.World.Time),
		Columns: []string{"phase", "ms/step", "Mparticles/s", "iterations per step"},
	}
	rest := m.seconds
	row := func(name string, seconds float64, iterations int) {
		each := none
		if iterations > 0 {
			each = float64(iterations) / float64(m.steps)
		}
		t.Rows = append(t.Rows, []any{name, 1e3 * seconds / float64(m.steps), rate(float64(m.particles)*float64(m.steps)/1e6, seconds), each})
	}
	for p, seconds := range m.phases {
		row(phase.Phase(p).String(), seconds, m.iterations[p])
		rest -= seconds
	}
	row("all else", rest, 0)
	row("**step**", m.seconds, 0)
	return t, nil
}

// particles is the flag --particles as it was given, "" if it was not.
func (b *bench) particles() string {
	list := make([]string, len(b.Particles))
	for i, n := range b.Particles {
		list[i] = strconv.Itoa(n)
	}
	return strings.Join(list, ",")
}

// size measures the same scene with more and more particles.
func (b *bench) size(s *scenes.Scene) (*table, error) {
	first, err := s.Build()
	if err != nil {
		return nil, err
	}
	d := s.Liquid.Spacing
	volume := float64(first.World.Len()) * d * d * d
	first = nil
	sizes := b.Particles
	if len(sizes) == 0 {
		sizes = []int{10_000, 30_000, 100_000, 300_000, 1_000_000, 2_000_000}
	}
	t := &table{
		Name: "size", Title: "Speed by size", Command: b.command("size", "particles", b.particles(), "steps", given(b.Steps)),
		About: fmt.Sprintf("%s, steps %d to %d after the start. Memory is the Go heap beyond an empty program's: in use after a collection, and at most.",
			s.Name, warmSteps+1, warmSteps+b.Steps),
		Columns: []string{"particles", "ms/step", "Mparticles/s", "relative to the first row", "iterations per step", "bytes per particle", "at most"},
	}
	reference := none
	for _, n := range sizes {
		spacing := math.Cbrt(volume / float64(n))
		if err := s.Override(scenes.Overrides{Spacing: strconv.FormatFloat(spacing, 'g', -1, 64)}); err != nil {
			err = fmt.Errorf("%s particles: %w", thousands(n), err)
			if len(t.Rows) == 0 {
				return nil, err
			}
			b.say("size: left out %v", err) // of the memory that this machine has
			continue
		}
		b.say("size: %s particles, %d steps", thousands(n), b.Steps)
		m, err := b.measure(s)
		if err != nil {
			return nil, err
		}
		if math.IsNaN(reference) {
			reference = m.speed()
		}
		each := float64(m.particles)
		t.Rows = append(t.Rows, []any{m.particles, m.perStep(), m.speed(), m.speed() / reference,
			float64(m.iterations[phase.Divergence]+m.iterations[phase.Density]) / float64(m.steps), m.live / each, m.peak / each})
	}
	return t, nil
}

// threads measures the same steps on 1, 2, 4, … threads, up to all.
func (b *bench) threads(s *scenes.Scene) (*table, error) {
	all := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(all)
	t := &table{
		Name: "threads", Title: "Speed by threads", Command: b.command("threads", "steps", given(b.Steps), "spacing", b.Spacing),
		Columns: []string{"threads", "ms/step", "Mparticles/s", "relative to one"},
	}
	reference := none
	for n := 1; ; n = min(2*n, all) {
		b.say("threads: %d, %d steps", n, b.Steps)
		runtime.GOMAXPROCS(n)
		m, err := b.measure(s)
		if err != nil {
			return nil, err
		}
		if n == 1 {
			reference = m.speed()
			t.About = fmt.Sprintf("%s, %s particles %g m apart, steps %d to %d after the start.", s.Name, thousands(m.particles), s.Liquid.Spacing, warmSteps+1, warmSteps+b.Steps)
		}
		t.Rows = append(t.Rows, []any{n, m.perStep(), m.speed(), m.speed() / reference})
		if n == all {
			return t, nil
		}
	}
}

// warmSteps is the number of steps before the measured ones. In them the pressures start
// from zero, and memory is allocated.
const warmSteps = 5

// far is more than so few steps take, s.
const far = 100

var errEnough = errors.New("enough steps")

// measure builds s and takes b.Steps steps after the first few.
func (b *bench) measure(s *scenes.Scene) (m meter, err error) {
	debug.FreeOSMemory()
	before := heap()
	built, err := s.Build()
	if err != nil {
		return m, err
	}
	w := built.World
	m.particles = w.Len()
	steps := 0
	var begun time.Time
	err = w.Advance(built.Solver, w.Time+far, func(i sim.StepInfo) error {
		if steps >= warmSteps {
			m.add(i)
			m.seconds = time.Since(begun).Seconds()
		}
		if m.peak = max(m.peak, heap()-before); steps < warmSteps {
			begun = time.Now()
		}
		steps++
		if steps == warmSteps+b.Steps {
			return errEnough
		}
		return b.con.ctx.Err()
	})
	if !errors.Is(err, errEnough) {
		return m, err
	}
	runtime.GC()
	m.live = heap() - before
	runtime.KeepAlive(built)
	return m, nil
}

// heap returns the bytes of the objects on the heap, including garbage.
func heap() float64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return float64(s[0].Value.Uint64())
}
