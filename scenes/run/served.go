package run

import "breakwater/scenes"

// spent reports whether the mesh of frame n has served and is not to be kept:
// the picture is drawn from it, and volumes and archives are made.
func (r *runner) spent(n int) bool {
	return !scenes.Keeps(r.scene.Mesh.Keep, n) && r.fresh(r.pictureFiles(n)...) == nil && r.fresh(r.exportFiles(n)...) == nil
}

// dropSpent removes the mesh files of frame n if they have served.
func (r *runner) dropSpent(n int) error {
	if scenes.Keeps(r.scene.Mesh.Keep, n) || !r.spent(n) {
		return nil
	}
	for _, f := range r.meshProducts(n) {
		if !r.isOurs(f) {
			continue
		}
		if err := r.dir.Remove(f.name); err != nil {
			return err
		}
	}
	return nil
}
