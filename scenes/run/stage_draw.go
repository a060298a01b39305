package run

import (
	"context"
	"fmt"
	"image"
	"image/draw"
	"math"
	"path"
	"strings"

	"breakwater/out"
	"breakwater/raster"
	"breakwater/raster/grains"
	"breakwater/scenes/convert"
	"breakwater/scenes/memory"
	"breakwater/scenes/stage"
	"breakwater/sim/particle"
)

// largePicture is the number of pixels above which the memory of a picture is reported:
// the pixels of 1080p.
const largePicture = 1920 * 1080

// draw draws the frames. Each is drawn from its surface file, or from its particle file
// for a look that shows particles. It is never drawn from data in memory, so the
// picture is the same whenever it is drawn.
func (r *runner) draw(ctx context.Context) error {
	b := r.built
	view := r.scene.View(b)
	view.Region = r.opt.Region
	from, fromWhat := func(n int) []product { return []product{r.surfaceFile(n)} }, stage.Mesh
	if r.built.DrawsParticles() {
		from, fromWhat = r.particleFiles, stage.Sim
	}
	surface := from
	if r.scene.DrawsWhitewater(b) {
		from = func(n int) []product { return append(surface(n), r.whitewaterFiles(n)[1]) }
	}
	files := r.pictureFiles
	if !r.opt.Region.Empty() {
		files = r.detailFiles
	}
	if r.from == r.first { // of all batches
		if pixels := float64(view.Width) * float64(view.Height); pixels > largePicture {
			r.report(stage.Event{Stage: stage.Draw, Message: fmt.Sprintf("draw  %d × %d pixels take about %.2g GB of memory besides the mesh", view.Width, view.Height, memory.LeastPicture(pixels)/1e9)})
		}
	}
	if r.scene.Gas != nil {
		defer memory.Collect(memory.SmokeCollection)()
	}
	err := r.run(ctx, work{
		stage: stage.Draw, files: files, from: from, fromWhat: fromWhat,
		compute: func(_ context.Context, n int, e *stage.Event) (func() error, error) {
			f, err := r.readFrame(from(n)[0])
			if err != nil {
				return nil, err
			}
			if view.Liquid = f.Mesh; f.Mesh != nil {
				e.Triangles = len(f.Mesh.Tri)
			}
			if f.Particles != nil {
				if view.Particles, err = r.shown(f, n); err != nil {
					return nil, err
				}
				e.Particles = f.Particles.Len()
			}
			if view.Camera, err = r.camera.camera(n); err != nil {
				return nil, err
			}
			if err := r.placeBodies(f); err != nil {
				return nil, err
			}
			view.Tank, view.Vessels, view.Solids = b.During(e.Time, view.Shutter)
			if r.scene.DrawsWhitewater(b) { // among the bodies where they are now
				if view.Grains, err = r.grains(n, view.Tank); err != nil {
					return nil, err
				}
				e.Parcels = view.Grains.Len()
			}
			picture, err := view.Look.Draw(&view)
			if err != nil {
				return nil, err
			}
			if err := r.scene.Overlay.Draw(picture, view.Frame(), e.Time); err != nil {
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
	return []product{r.frameFile(frameFolder, n, r.built.Formats.Picture, r.keys.Pictures[n])}
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

// shown returns the particles of f, frame n, as they are drawn.
func (r *runner) shown(f *out.Frame, n int) (*raster.Particles, error) {
	b := r.built
	of := func(f *out.Frame) raster.Particles {
		p := raster.Particles{
			Set: f.Particles, Vortons: f.Vortons, Spacing: r.scene.Spacing(), Density: r.scene.RestDensity(), Fastest: b.Fastest, Most: b.Most, Time: f.Time,
		}
		if g := r.scene.Gas; g != nil {
			p.Apart, p.Ambient = r.scene.TracerSpacing(), g.Temperature
		}
		return p
	}
	p := of(f)
	look, ok := b.Look.(raster.PathLook)
	if !ok {
		return &p, nil
	}
	for k := n - 1; k >= 1 && f.Time-r.scene.Time.At(k) <= look.Trail(); k-- {
		before, err := r.readFrame(r.particleFiles(k)[0])
		if err != nil {
			return nil, err
		}
		p.Before = append(p.Before, of(before))
	}
	return &p, nil
}

// placeBodies puts the bodies where they are in f, which was read from a file of
// particles or meshes.
func (r *runner) placeBodies(f *out.Frame) error {
	if f.Particles != nil {
		return r.built.World.PlaceBodies(f.Particles.Bodies)
	}
	var at []particle.Body
	for _, o := range f.Objects {
		at = append(at, o.Body)
	}
	return r.built.World.PlaceBodies(at)
}

// grains returns the whitewater of frame n as it is drawn, with the tank as it is seen, nil for none.
func (r *runner) grains(n int, tank *raster.Tank) (*grains.Parcels, error) {
	state, err := r.whitewaterState(n)
	if err != nil {
		return nil, err
	}
	w, rim := r.built.World, math.Inf(1)
	if tank != nil {
		rim = tank.Max.Y
	}
	return convert.Grains(state.Parcels, r.scene.Liquid.Spacing, r.scene.BreakupTime(), append(w.Pipes(), w.Walls...), rim), nil
}
