package scenes

import (
	"context"

	"breakwater/out"
	"breakwater/raster"
)

// draw draws the frames. Each is drawn from its OBJ file, or the particles' for
// a look that shows them, never from what is in memory, so that it is the same picture whenever it is drawn.
func (r *runner) draw(ctx context.Context) error {
	b := r.built
	view := raster.View{
		Light: r.scene.Light,
		Width: r.scene.Picture.Size[0], Height: r.scene.Picture.Size[1], Quality: r.scene.Picture.Quality,
		Floor: b.Floor, Paving: r.scene.Picture.Floor, Ground: b.Ground, Look: b.Look,
	}
	from, fromWhat := func(n int) []product { return r.meshFiles(n)[:1] }, MeshStage
	if r.scene.drawsParticles() {
		from, fromWhat = r.particleFiles, SimStage
	}
	camera := &follower{runner: r}
	return r.run(ctx, work{
		stage: DrawStage, files: r.pictureFiles, from: from, fromWhat: fromWhat,
		make: func(_ context.Context, n int, e *Event) (func() error, error) {
			f, err := r.readFrame(from(n)[0])
			if err != nil {
				return nil, err
			}
			if view.Liquid = f.Mesh; f.Mesh != nil {
				e.Triangles = len(f.Mesh.Tri)
			}
			if f.Particles != nil {
				view.Particles = &raster.Particles{
					Set: f.Particles, Spacing: r.scene.Liquid.Spacing, Density: r.scene.Liquid.Density, Fastest: b.Fastest, Most: b.Most, Time: e.Time,
				}
				e.Particles = f.Particles.Len()
			}
			if view.Camera, err = camera.camera(n); err != nil {
				return nil, err
			}
			view.Tank, view.Solids = b.At(e.Time)
			picture, err := view.Look.Draw(&view)
			if err != nil {
				return nil, err
			}
			if err := r.scene.Overlay.Draw(picture, &view, e.Time); err != nil {
				return nil, err
			}
			return func() error {
				return r.writeFrame(r.pictureFiles(n), out.Frame{Index: n, Time: e.Time, Image: picture})
			}, nil
		},
	}, r.first, r.last)
}

func (r *runner) pictureFiles(n int) []product {
	return []product{r.frameFile(frameFolder, n, "png", r.keys.pictures[n])}
}
