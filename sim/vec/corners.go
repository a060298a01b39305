package vec

// Corners returns the corners of b. Bit 0, 1 and 2 of the index choose the upper
// bound along x, y and z.
func (b Box) Corners() (c [8]Vec3) {
	for i := range c {
		c[i] = b.Min
		if i&1 != 0 {
			c[i].X = b.Max.X
		}
		if i&2 != 0 {
			c[i].Y = b.Max.Y
		}
		if i&4 != 0 {
			c[i].Z = b.Max.Z
		}
	}
	return c
}
