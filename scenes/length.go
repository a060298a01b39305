package scenes

import (
	"fmt"
	"math"

	"breakwater/scenes/toml"
	"breakwater/sim/registry"
)

// complete derives the length of a film from the simulated time at its end.
func (t *Time) complete() {
	if t.End > 0 && t.FPS > 0 && t.Speed > 0 {
		t.Duration = (math.Floor(float64(t.End/t.Speed*t.FPS)+0.5) + 1) / t.FPS
	}
}

// lengthNotes says in words how the length of the film was rounded to whole frames.
func (s *Scene) lengthNotes() []string {
	t := s.Time
	n := t.Frames()
	key, given, frames := "duration", t.Duration, float64(t.Duration*t.FPS)
	if t.End > 0 {
		key, given, frames = "end", t.End, float64(t.End/t.Speed*t.FPS)
	}
	// A number of frames from decimals has an error of a few units in the last place.
	if math.Abs(frames-math.Round(frames)) <= 1e-9*max(1, frames) {
		return nil
	}
	return []string{fmt.Sprintf("time.%s = %s s is not a whole number of frames at %s per second: the film has %s and lasts %s s, and the last one shows %s s of simulated time",
		key, registry.Number(given), registry.Number(t.FPS), toml.Count(n, "frame"), fourDigits(float64(n)/t.FPS), fourDigits(t.At(n)))}
}

// fourDigits returns x in about four digits.
func fourDigits(x float64) string { return fmt.Sprintf("%.4g", x) }
