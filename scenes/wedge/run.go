package wedge

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"breakwater/scenes"
	"breakwater/scenes/run"
	"breakwater/scenes/stage"
)

// Options says how a wedge is run.
type Options struct {
	Out         string // folder with a folder for each variant
	First, Last int    // frames, as in [run.Options]
	Force       bool
}

// Run makes the films of the variants, one after the other, then the tables and the
// contact sheet. Variants with the same particles simulate once. A variant that fails is
// reported at the end, and the others are made all the same. begin is called before each.
func (p *Plan) Run(ctx context.Context, list []*Variant, opt Options, begin func(v *Variant), report func(stage.Event)) error {
	var failed []error
	var particles [][]string // the fingerprints of each variant
	for i, v := range list {
		begin(v)
		keys, err := v.Scene.Keys()
		if err != nil {
			return err
		}
		particles = append(particles, keys.Particles)
		same := slices.IndexFunc(particles, func(other []string) bool { return slices.Equal(other, keys.Particles) })
		o := run.Options{Out: filepath.Join(opt.Out, v.Name), First: opt.First, Last: opt.Last, Force: opt.Force}
		if same < i {
			if err := run.ShareParticles(filepath.Join(opt.Out, list[same].Name), o.Out); err != nil {
				return err
			}
			if o.Force { // the particles are new already
				once := o
				once.Stages, once.Force = []stage.Name{stage.Sim}, false
				if err := run.Run(ctx, v.Scene, once, report); err != nil {
					return fmt.Errorf("variant %d: %w", v.Number, err)
				}
				o.Stages = slices.DeleteFunc(stage.All(), func(name stage.Name) bool { return name == stage.Sim })
			}
		}
		err = run.Run(ctx, v.Scene, o, report)
		var stopped *stage.Interrupted
		var outside *run.RangeError
		switch {
		case errors.As(err, &stopped), errors.As(err, &outside):
			return fmt.Errorf("variant %d: %w", v.Number, err)
		case err != nil:
			failed = append(failed, fmt.Errorf("variant %d (%s): %w", v.Number, v, err))
		}
	}
	var all []*scenes.Scene
	for _, v := range list {
		all = append(all, v.Scene)
	}
	return errors.Join(append(failed, p.Summary(list).Write(opt.Out, all, opt.Last))...)
}
