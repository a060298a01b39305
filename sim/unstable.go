package sim

import (
	"fmt"

	"breakwater/sim/vec"
)

// Unstable is the error of a step whose result makes no sense.
type Unstable struct {
	ID     uint32   // of the first particle found
	Time   float64  // at the end of the step, s
	X      vec.Vec3 // its position, m
	Cause  string   // the cause
	Advice string   // a possible remedy
}

func (u *Unstable) Error() string {
	return fmt.Sprintf("sim: unstable at %.6g s: particle %d at %v m %s: %s",
		u.Time, u.ID, u.X, u.Cause, u.Advice)
}

// fullLimit is the mean relative density above which a liquid has no room. With a surface
// the mean is below 1, because particles at the surface lack neighbours. In tanks that
// ran full it was 1.012 and more when a step failed.
const fullLimit = 1.008

// fullTank reports whether the liquid is compressed as a whole, with the cause and
// advice.
func fullTank(w *World) (cause, advice string, ok bool) {
	sum, n := 0., 0.
	for _, rho := range w.Rho {
		if rho > 0 && rho < densityLimit*w.Rho0 {
			sum, n = sum+rho/w.Rho0, n+1
		}
	}
	if w.Time == 0 || !(sum > fullLimit*n) {
		return "", "", false
	}
	return fmt.Sprintf("the tank is full: the mean density of the liquid is %.2g %% above rest density", 100*(sum/n-1)),
		"open the tank's top, for example with open = [\"y+\"] of a box, reduce the inflow, shorten the film, or reduce the motion of walls", true
}

// unstableParticle returns the error for particle i after a step of dt. limit is the highest
// speed allowed.
func unstableParticle(w *World, i int, dt, limit float64) error {
	u := &Unstable{ID: w.ID[i], Time: w.Time + dt, X: w.X[i]}
	switch v := w.V[i].Len(); {
	case v > limit:
		u.Cause = fmt.Sprintf("moves at %.3g m/s, but the expected limit is %.3g m/s", v, limit)
		u.Advice = "lower the solver's cfl, or the strength of a force"
	default:
		u.Cause = fmt.Sprintf("has the velocity %v m/s and the density %g kg/m³", w.V[i], w.Rho[i])
		u.Advice = "lower the solver's cfl, and check forces for a division by zero"
	}
	return u.orFull(w)
}

// overCompressed returns the error of particle i, which is over-compressed.
func overCompressed(w *World, i int) error {
	u := &Unstable{
		ID: w.ID[i], Time: w.Time, X: w.X[i],
		Cause:  fmt.Sprintf("lies among particles more than %d times as dense as at rest", densityLimit),
		Advice: "look for fluid blocks that overlap each other or a wall, or lower the solver's cfl",
	}
	return u.orFull(w)
}

// orFull names a full tank as the cause, in place of its consequences.
func (u *Unstable) orFull(w *World) error {
	if cause, advice, ok := fullTank(w); ok {
		u.Cause, u.Advice = u.Cause+"; "+cause, advice
	}
	return u
}
