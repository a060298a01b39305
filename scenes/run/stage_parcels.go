package run

import (
	"context"

	"breakwater/out"
	"breakwater/scenes"
	"breakwater/scenes/convert"
	"breakwater/scenes/stage"
)

// parcels makes the files of whitewater for other programs, from the whitewater of the
// frames. They stand beside it.
func (r *runner) parcels(ctx context.Context) error {
	formats := r.built.Formats.Parcels
	if len(formats) == 0 {
		return nil
	}
	return r.run(ctx, work{
		stage: stage.Export, what: whitewaterFolder + " as " + names(formats), files: r.parcelFiles,
		from: func(n int) []product { return r.whitewaterFiles(n)[1:] }, fromWhat: stage.Whitewater,
		without: func(n int) bool { return !r.keepsParcels(n) },
		compute: func(_ context.Context, n int, e *stage.Event) (func() error, error) {
			f, err := r.parcelFrame(n)
			if err != nil {
				return nil, err
			}
			e.Parcels = f.Particles.Len()
			points, err := r.expanded(f)
			if err != nil {
				return nil, err
			}
			var frames []*out.Frame
			for i, file := range r.parcelFiles(n) {
				turned := points.In(file.axes)
				if formats[i].As.Needs()&out.NeedsVolume != 0 {
					turned = f.In(file.axes)
					edge := r.scene.Volume.Voxel * r.scene.Liquid.Spacing / file.axes.Length()
					if turned.Volume, err = turned.ParcelVolume(edge, r.scene.Whitewater.Volumes); err != nil {
						return nil, err
					}
				}
				frames = append(frames, turned)
			}
			return func() error {
				for i, file := range r.parcelFiles(n) {
					if err := r.writeTurned(file, frames[i]); err != nil {
						return err
					}
				}
				return nil
			}, nil
		},
	}, r.from, r.to)
}

// keepsParcels reports whether frame n has files of whitewater for other programs.
func (r *runner) keepsParcels(n int) bool {
	return r.scene.Whitewater != nil && scenes.Keeps(r.scene.Whitewater.Keep, n)
}

// parcelPoints returns the points that the files of frame n's whitewater have.
func (r *runner) parcelPoints(n int) (*out.Frame, error) {
	f, err := r.parcelFrame(n)
	if err != nil {
		return nil, err
	}
	return r.expanded(f)
}

// expanded returns the points of the parcels of f.
func (r *runner) expanded(f *out.Frame) (*out.Frame, error) {
	return convert.Expanded(f, r.scene.Whitewater.Expand, r.scene.Liquid.Spacing)
}

// parcelFrame returns the whitewater of frame n as particles with fields.
func (r *runner) parcelFrame(n int) (*out.Frame, error) {
	state, err := r.whitewaterState(n)
	if err != nil {
		return nil, err
	}
	return convert.Frame(n, state, r.scene.Liquid.Density), nil
}

// parcelFiles names the files of frame n's whitewater for other programs.
func (r *runner) parcelFiles(n int) []product {
	var list []product
	for _, f := range r.built.Formats.Parcels {
		file := r.frameFile(whitewaterFolder, n, f.As, "")
		file.axes = r.scene.Whitewater.Axes(f.As)
		file.fingerprint = r.keys.parcels(n, f.Name, f.As.Needs(), file.axes)
		if f.As.Needs()&out.NeedsVolume == 0 {
			file = file.gzipped(r.scene.Whitewater.Gzip)
		}
		list = append(list, file)
	}
	return list
}
