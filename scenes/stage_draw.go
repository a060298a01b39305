package scenes

import (
	"context"

	"breakwater/out"
	"breakwater/raster"
)

// draw draws the frames. Each is drawn from its OBJ file, never from a mesh in
// memory, so that it is the same picture whenever it is drawn.
func (r *runner) draw(ctx context.Context) error {
	b := r.built
	view := raster.View{
		Camera: b.Camera, Light: r.scene.Light,
		Width: r.scene.Picture.Size[0], Height: r.scene.Picture.Size[1], Quality: r.scene.Picture.Quality,
		Floor: b.Floor, Paving: r.scene.Picture.Floor, Ground: b.Ground, Look: b.Look,
	}
	return r.run(ctx, work{
		stage: DrawStage, files: r.pictureFiles,
		from:     func(n int) []product { return r.meshFiles(n)[:1] },
		fromWhat: MeshStage,
		make: func(_ context.Context, n int, e *Event) (func() error, error) {
			f, err := r.readFrame(r.meshFiles(n)[0])
			if err != nil {
				return nil, err
			}
			view.Liquid = f.Mesh
			view.Tank, view.Solids = b.At(e.Time)
			picture, err := view.Look.Draw(&view)
			if err != nil {
				return nil, err
			}
			if err := r.scene.Overlay.Draw(picture, &view, e.Time); err != nil {
				return nil, err
			}
			e.Triangles = len(f.Mesh.Tri)
			return func() error {
				return r.writeFrame(r.pictureFiles(n), out.Frame{Index: n, Time: e.Time, Image: picture})
			}, nil
		},
	}, r.first, r.last)
}

func (r *runner) pictureFiles(n int) []product {
	return []product{r.frameFile(frameFolder, n, "png", r.keys.pictures[n])}
}
