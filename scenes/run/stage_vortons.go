package run

import (
	"context"

	"breakwater/out"
	"breakwater/out/particles"
	"breakwater/scenes"
	"breakwater/scenes/stage"
	"breakwater/sim/particle"
	"breakwater/sim/vec"
	"breakwater/sim/vortex"
)

// vortonFolder has the files of vortons for other programs.
const vortonFolder = "vortons"

// vortons makes files of the vortons, as points does of the tracers.
func (r *runner) vortons(ctx context.Context) error {
	return r.run(ctx, work{
		stage: stage.Export, what: vortonFolder + " as " + names(r.built.Formats.Points), files: r.vortonFiles,
		from: r.particleFiles, fromWhat: stage.Sim,
		without: func(n int) bool { return !scenes.Keeps(r.scene.Points.Keep, n) },
		compute: func(_ context.Context, n int, e *stage.Event) (func() error, error) {
			f, err := r.readFrame(r.particleFiles(n)[0])
			if err != nil {
				return nil, err
			}
			shown := out.Frame{Index: f.Index, Time: f.Time, Dt: f.Dt, Particles: f.Vortons, Fields: vortonFields(f.Vortons, r.scene.RestDensity()*r.scene.Gas.Temperature)}
			shown.Particles.Attr = nil
			e.Particles = shown.Particles.Len()
			return func() error { return r.writeFrame(r.vortonFiles(n), shown) }, nil
		},
	}, r.from, r.to)
}

func (r *runner) vortonFiles(n int) []product {
	var list []product
	for _, f := range r.built.Formats.Points {
		file := r.frameFile(vortonFolder, n, f.As, "")
		file.axes = r.scene.Points.Axes(f.As)
		file.fingerprint = stage.After(r.keys.points(n, f.Name, file.axes), "of", vortonFolder)
		list = append(list, file.gzipped(r.scene.Points.Gzip))
	}
	return list
}

// tracerFields returns what the cache has of tracers.
func tracerFields(s *particle.Set) (fields []particles.Field) {
	for _, a := range s.Attr {
		if !vortex.OfJerk(a.Name) {
			fields = append(fields, particles.Field{Name: a.Name, Scalar: a.Data})
		}
	}
	return fields
}

// vortonFields returns what the cache has of vortons: the vorticity in 1/s as a vector, and
// the temperature for the density. heat is the temperature times the density of the
// ambient gas.
func vortonFields(s *particle.Set, heat float64) []particles.Field {
	wx, wy, wz := s.Carry("wx"), s.Carry("wy"), s.Carry("wz")
	vorticity, temperature := make([]vec.Vec3, s.Len()), make([]float64, s.Len())
	for i := range vorticity {
		vorticity[i], temperature[i] = vec.New(wx[i], wy[i], wz[i]), heat/s.Rho[i]
	}
	fields := []particles.Field{{Name: "vorticity", Vector: vorticity}, {Name: "temperature", Scalar: temperature}}
	for _, a := range s.Attr {
		if a.Name != "wx" && a.Name != "wy" && a.Name != "wz" && !vortex.OfJerk(a.Name) {
			fields = append(fields, particles.Field{Name: a.Name, Scalar: a.Data})
		}
	}
	return fields
}
