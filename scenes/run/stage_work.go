package run

import "breakwater/scenes/stage"

// work returns about how much there is to do for each of the frames in a stage,
// in a unit of the stage's own: used to predict the time left.
func (r *runner) work(st stage.Name, frames []int) []float64 {
	w := make([]float64, len(frames))
	each := func(int) float64 { return 1 }
	switch st {
	case stage.Sim: // the particles
		end := r.scene.Time.At(r.scene.Time.Frames())
		start, come := float64(r.built.Start), float64(r.built.Most-r.built.Start)
		each = func(n int) float64 {
			if n == 1 {
				return 0 // it is there
			}
			return start + come*r.scene.Time.At(n)/end
		}
	case stage.Mesh, stage.Whitewater: // the particles too, which are known
		if table, err := r.statsTable(); err == nil {
			each = func(n int) float64 {
				particles, ok := table.value(n, r.keys.Particles[n], "particles")
				if !ok {
					return float64(r.built.Most)
				}
				return particles
			}
		}
	case stage.Draw: // the pixels, and the triangles behind them
		size := r.scene.Picture.Size
		pixels := float64(size[0]) * float64(size[1])
		if table, err := r.meshTable(); err == nil {
			each = func(n int) float64 {
				triangles, _ := table.value(n, r.keys.Meshes[n], "triangles")
				return pixels + triangles
			}
		}
	}
	for i, n := range frames {
		w[i] = each(n)
	}
	return w
}
