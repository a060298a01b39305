package num

// Central10 are the weights of central differences of the order 10 for the distances 1 to 5
// (Fornberg, Generation of finite difference formulas on arbitrarily spaced grids, Math.
// Comput. 51, 1988, table 1): f' ≈ Σ w_d (f(x+d) − f(x−d)).
var Central10 = [5]float64{5. / 6, -5. / 21, 5. / 84, -5. / 504, 1. / 1260}
