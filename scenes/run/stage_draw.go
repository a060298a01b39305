package run

import (
	"context"
	"fmt"
	"image"
	"image/draw"
	"path"
	"strings"

	"breakwater/out"
	"breakwater/raster"
	"breakwater/scenes"
	"breakwater/scenes/stage"
	"breakwater/sim/particle"
	"breakwater/sim/vec"
	"breakwater/surface"
	"breakwater/surface/mesh"
)

// largePicture is the number of pixels above which the memory of a picture is reported:
// the pixels of 1080p.
const largePicture = 1920 * 1080

// draw draws the frames. Each is drawn from its OBJ file, or the particles' for a look
// that shows them, never from data in memory, so that it is the same picture whenever it
// is drawn.
func (r *runner) draw(ctx context.Context) error {
	b := r.built
	view := r.scene.View(b)
	view.Region = r.opt.Region
	from, fromWhat := func(n int) []product { return r.meshFiles(n)[:1] }, stage.Mesh
	if r.scene.DrawsParticles() {
		from, fromWhat = r.particleFiles, stage.Sim
	} else if view.Shutter > 0 || len(r.scene.Body) > 0 { // the meshes have no velocities, and not where bodies are
		from = func(n int) []product { return append(r.meshFiles(n)[:1:1], r.particleFiles(n)...) }
	}
	files := r.pictureFiles
	if !r.opt.Region.Empty() {
		files = r.detailFiles
	}
	if r.from == r.first { // of all batches
		if pixels := float64(view.Width) * float64(view.Height); pixels > largePicture {
			r.report(stage.Event{Stage: stage.Draw, Message: fmt.Sprintf("draw  %d × %d pixels take about %.2g GB of memory besides the mesh", view.Width, view.Height, scenes.PictureNeed(pixels)/1e9)})
		}
		for _, text := range r.scene.WithoutColors() {
			r.report(stage.Event{Stage: stage.Draw, Message: "draw  " + text})
		}
	}
	err := r.run(ctx, work{
		stage: stage.Draw, files: files, from: from, fromWhat: fromWhat,
		make: func(_ context.Context, n int, e *stage.Event) (func() error, error) {
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
			if f.Mesh != nil && view.Shutter > 0 {
				if err := r.flow(f.Mesh, n); err != nil {
					return nil, err
				}
			}
			if view.Camera, err = r.camera.camera(n); err != nil {
				return nil, err
			}
			if err := r.placeBodies(n, f.Particles); err != nil {
				return nil, err
			}
			view.Tank, view.Vessels, view.Solids = b.During(e.Time, view.Shutter)
			picture, err := view.Look.Draw(&view)
			if err != nil {
				return nil, err
			}
			if err := r.scene.Overlay.Draw(picture, &view, e.Time); err != nil {
				return nil, err
			}
			var shown image.Image = picture
			if !r.opt.Region.Empty() {
				shown = detail(picture, r.opt.Region)
			}
			return func() error {
				err := r.writeFrame(files(n), out.Frame{Index: n, Time: e.Time, Image: shown})
				if err != nil {
					return err
				}
				return r.dropSpent(n)
			}, nil
		},
	}, r.from, r.to)
	if err != nil {
		return err
	}
	for n := r.from; n <= r.to; n++ { // those whose pictures were there
		if err := r.dropSpent(n); err != nil {
			return err
		}
	}
	return nil
}

func (r *runner) pictureFiles(n int) []product {
	return []product{r.frameFile(frameFolder, n, r.picture, r.keys.Pictures[n])}
}

// detailFiles names the picture of the region of frame n.
func (r *runner) detailFiles(n int) []product {
	p, at := r.pictureFiles(n)[0], r.opt.Region
	region := fmt.Sprintf("%d_%d_%dx%d", at.Min.X, at.Min.Y, at.Dx(), at.Dy())
	name, ext := path.Base(p.name), path.Ext(p.name)
	p.name = path.Join(detailFolder, strings.TrimSuffix(name, ext)+"_"+region+ext)
	p.fingerprint = stage.After(p.fingerprint, "region", region)
	return []product{p}
}

// detail returns a part of a picture as one of its own.
func detail(img *image.RGBA, region image.Rectangle) *image.RGBA {
	part := image.NewRGBA(image.Rect(0, 0, region.Dx(), region.Dy()))
	draw.Draw(part, part.Rect, img, region.Min, draw.Src)
	return part
}

// placeBodies puts the bodies where they are in frame n, whose particles are p,
// or nil if they were not read.
func (r *runner) placeBodies(n int, p *particle.Set) error {
	if len(r.scene.Body) == 0 {
		return nil
	}
	if p == nil {
		f, err := r.readFrame(r.particleFiles(n)[0])
		if err != nil {
			return err
		}
		p = f.Particles
	}
	return r.built.World.PlaceBodies(p.Bodies)
}

// flow gives the mesh of frame n the velocity of the particles about each
// vertex.
func (r *runner) flow(m *mesh.Mesh, n int) error {
	f, err := r.readFrame(r.particleFiles(n)[0])
	if err != nil {
		return err
	}
	if f.Particles.Len() == 0 {
		return nil
	}
	m.Vel = make([]vec.Vec3, len(m.Pos))
	surface.NewCarrier(f.Particles.X, r.scene.Liquid.Spacing).Carry(m.Pos, []surface.Quantity{{Vector: f.Particles.V, ToVector: m.Vel}})
	return nil
}
