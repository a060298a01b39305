package body

import "math"

// applyFriction applies the bodies' friction at t, and returns the change of their speed.
// Of the impulses p across the normal it finds the one that takes the most energy from
// the bodies, with
//
//	|p| ≤ μ λ,
//
// so that friction stops them, or opposes the remaining sliding:
//
//	K (p − p₀) + v = −α p,  α ≥ 0,  α = 0 or |p| = μ λ.
//
// p₀ is the impulse so far, v the speed with it, and K the rate of v with p. Of a
// body that a joint lets slide along one line only, K has the rank 1: friction
// across that line has nothing to act on, and stays 0. The limit α is found by
// Newton's method on 1/|p| (Moré and Sorensen, Computing a trust region step,
// SIAM J. Sci. Stat. Comput. 4, 1983).
func (t *contact) applyFriction(y []Generalized) (change float64) {
	u, v := &t.rows[1], &t.rows[2]
	limit := float64(t.friction * t.rows[0].impulse)
	if limit == 0 && u.impulse == 0 && v.impulse == 0 {
		return 0
	}
	kuu, kvv, kuv := u.rate, v.rate, t.crossRate
	// K p₀ − v, the goal of K p.
	bu := float64(kuu*u.impulse) + float64(kuv*v.impulse) - u.speed(t, y)
	bv := float64(kuv*u.impulse) + float64(kvv*v.impulse) - v.speed(t, y)
	// solve returns (K + α)⁻¹ b.
	solve := func(alpha, bu, bv float64) (pu, pv float64) {
		uu, vv := kuu+alpha, kvv+alpha
		return (bu - float64(kuv/vv*bv)) / (uu - float64(kuv/vv*kuv)), (bv - float64(kuv/uu*bu)) / (vv - float64(kuv/uu*kuv))
	}
	pu, pv := 0., 0.
	if all := kuu + kvv; all > 0 && limit > 0 {
		// K may have no inverse.
		const singular, trials = 1e-9, 20
		alpha := float64(singular * all)
		pu, pv = solve(alpha, bu, bv)
		for range trials {
			l := math.Hypot(pu, pv)
			if l <= limit*(1+1e-6) {
				break
			}
			qu, qv := solve(alpha, pu, pv)
			alpha += (l/limit - 1) * l * l / (float64(pu*qu) + float64(pv*qv))
			pu, pv = solve(alpha, bu, bv)
		}
	}
	du, dv := pu-u.impulse, pv-v.impulse
	u.applyImpulse(t, y, du)
	v.applyImpulse(t, y, dv)
	u.impulse, v.impulse = pu, pv
	return max(float64(math.Abs(du)*kuu), float64(math.Abs(dv)*kvv))
}
