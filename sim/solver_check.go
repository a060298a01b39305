package sim

import "fmt"

// Checker is a solver that can report before a run that its settings are wrong for a
// liquid. Of the world it reads the fields that New and Init have set. Its error is a
// *SettingError.
type Checker interface{ Check(w *World) error }

// SettingError is a setting of a variant that is in its range but wrong for
// the liquid it is used on.
type SettingError struct {
	Key  string // of the setting
	Text string // the fault and a remedy
}

func (e *SettingError) Error() string { return e.Key + ": " + e.Text }

// soundest is the least speed of sound for the highest speed to expect. The
// density varies by the square of their ratio (Monaghan 1994, sec. 3): with 10
// by 1 %, with 3 by 11 %, which is seen as springiness. With less the liquid
// collapses under its own weight.
const soundest = 3

// Check implements Checker.
func (s *WCSPH) Check(w *World) error {
	if s.SoundSpeed == 0 || s.SoundSpeed >= soundest*w.Speed {
		return nil
	}
	// 1 % on top: three digits may round down.
	return &SettingError{"sound_speed", fmt.Sprintf(
		"%.4g m/s is too low for a liquid that may reach %.3g m/s: pressure could not maintain its density; expected %.3g m/s or more, or 0 for ten times the highest speed",
		s.SoundSpeed, w.Speed, 1.01*soundest*w.Speed)}
}
