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

// leastSoundRatio is the least ratio of the speed of sound to the highest expected speed.
// The density varies by the square of their ratio (Monaghan 1994, sec. 3): With 10 it
// varies by 1 %, with 3 by 11 %, which is visible as bouncing. With less the liquid
// collapses under its own weight.
const leastSoundRatio = 3

// Check implements Checker.
func (s *WCSPH) Check(w *World) error {
	if s.SoundSpeed == 0 || s.SoundSpeed >= leastSoundRatio*w.Speed {
		return nil
	}
	// 1 % on top: three digits may round down.
	return &SettingError{"sound_speed", fmt.Sprintf(
		"%.4g m/s is too low for a liquid that may reach %.3g m/s: pressure could not maintain its density; expected %.3g m/s or more, or 0 for ten times the highest speed",
		s.SoundSpeed, w.Speed, 1.01*leastSoundRatio*w.Speed)}
}
