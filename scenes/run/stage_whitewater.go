package run

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"breakwater/out"
	"breakwater/scenes/stage"
	"breakwater/scenes/toml"
	"breakwater/sim/whitewater"
)

// whitewaterFolder is the folder of the whitewater, and of its files for other programs.
const whitewaterFolder = "whitewater"

// whitewaterTable is the table of the whitewater stage.
const whitewaterTable = "whitewater.csv"

// The formats of the whitewater of a frame: the numbers of the particles that are shown as
// spray, and the state from which the next frame is made.
var (
	airborneFormat = out.State{Extension: "airborne"}
	parcelFormat   = out.State{Extension: "parcels"}
)

// whitewater moves the whitewater from frame to frame, through the particles of both. A
// stopped run continues from its last frame.
func (r *runner) whitewater(ctx context.Context) error {
	if r.scene.Whitewater == nil {
		return nil
	}
	table, err := r.whitewaterRows()
	if err != nil {
		return err
	}
	lacks := func(n int) bool { return !r.apart() && !table.has(n, r.keys.Parcels[n]) }
	m := &mixture{runner: r}
	begin := r.chain(r.whitewaterFiles)
	err = r.run(ctx, work{
		stage: stage.Whitewater, files: r.whitewaterFiles, before: begin - 1,
		from: func(n int) []product { return append(r.particleFiles(max(1, n-1)), r.particleFiles(n)...) }, fromWhat: stage.Sim,
		lacks: lacks,
		begin: func(todo []int) (notice string, err error) {
			again := 0
			for _, n := range todo {
				if lacks(n) && r.fresh(r.whitewaterFiles(n)...) == nil {
					again++
				}
			}
			if again > 0 {
				notice = fmt.Sprintf("%s  %s lacks rows: making the whitewater of %s again for them", stage.Whitewater, whitewaterTable, toml.Count(again, "frame"))
			}
			return notice, nil
		},
		compute: func(_ context.Context, n int, e *stage.Event) (func() error, error) {
			if err := m.advance(n); err != nil {
				return nil, err
			}
			state, err := m.water.State().Append(nil)
			if err != nil {
				return nil, err
			}
			airborne := m.water.Airborne(nil)
			row := table.row(n, r.keys.Parcels[n], whitewaterValues(e.Time, m.water, len(airborne))...)
			particles, parcels := m.frame.Len(), m.water.Parcels().Len()
			return func() error {
				if err := table.add(row); err != nil {
					return err
				}
				e.Particles, e.Parcels = particles, parcels
				files := r.whitewaterFiles(n)
				if err := r.writeFrame(files[:1], out.Frame{Index: n, Time: e.Time, State: numberBytes(airborne)}); err != nil {
					return err
				}
				return r.writeFrame(files[1:], out.Frame{Index: n, Time: e.Time, State: state})
			}, nil
		},
	}, begin, r.last)
	if err != nil || !r.settles() {
		return err
	}
	return table.settle(r.keys.Parcels)
}

// whitewaterFiles names the whitewater of frame n: the particles that are shown as spray,
// and the state.
func (r *runner) whitewaterFiles(n int) []product {
	if r.scene.Whitewater == nil {
		return nil
	}
	return []product{
		r.frameFile(whitewaterFolder, n, airborneFormat, r.keys.Airborne[n]),
		r.frameFile(whitewaterFolder, n, parcelFormat, r.keys.Parcels[n]),
	}
}

func (r *runner) whitewaterRows() (*frameTable, error) {
	return r.frameTable(whitewaterTable, "time_s", "parcels", "airborne_particles",
		"spray_m3", "foam_m3", "bubbles_m3", "mist_m3",
		"air_entrained_m3", "air_burst_m3", "air_out_m3",
		"sprayed_m3", "landed_m3", "clung_m3", "evaporated_m3", "spray_out_m3")
}

// whitewaterValues returns the values of a row of whitewaterTable.
func whitewaterValues(t float64, w *whitewater.Whitewater, airborne int) []any {
	v, l := w.Parcels().Volumes(), w.Budget()
	return []any{t, w.Parcels().Len(), airborne,
		v[whitewater.Spray], v[whitewater.Foam], v[whitewater.Bubble], v[whitewater.Mist],
		l.Entrained, l.Burst, l.AirOut,
		l.Sprayed, l.Landed, l.Clung, l.Evaporated, l.SprayOut}
}

// mixture is the state that the whitewater stage moves.
type mixture struct {
	*runner
	water *whitewater.Whitewater
	frame whitewater.Frame // at which the state is
	n     int              // its number; 0 for none
}

// advance brings the whitewater to frame n.
func (m *mixture) advance(n int) error {
	if n == 1 || m.water == nil || m.n != n-1 {
		if err := m.restore(max(1, n-1)); err != nil {
			return err
		}
	}
	if n > 1 {
		next, err := m.particles(n)
		if err != nil {
			return err
		}
		if err := m.water.Step(m.frame, next); err != nil {
			return err
		}
		m.frame = next
	}
	m.n = n
	return nil
}

// restore makes the whitewater that frame n shows.
func (m *mixture) restore(n int) (err error) {
	if m.water, err = m.scene.WhitewaterOf(m.built); err != nil {
		return err
	}
	if m.frame, err = m.particles(n); err != nil {
		return err
	}
	m.n = n
	m.water.Start(m.frame.Time)
	if n == 1 {
		return nil
	}
	state, err := m.whitewaterState(n)
	if err != nil {
		return fmt.Errorf("continuing from frame %d: %w", n, err)
	}
	m.water.Restore(state)
	return nil
}

// particles reads the particles of frame n that have left the nozzles.
func (m *mixture) particles(n int) (whitewater.Frame, error) {
	f, err := m.readFrame(m.particleFiles(n)[0])
	if err != nil {
		return whitewater.Frame{}, err
	}
	m.built.Free(f.Particles, f.Time)
	return whitewater.Frame{Time: f.Time, Set: f.Particles}, nil
}

// whitewaterState reads the state of the whitewater of frame n.
func (r *runner) whitewaterState(n int) (*whitewater.State, error) {
	file := r.whitewaterFiles(n)[1]
	f, err := r.readFrame(file)
	if err != nil {
		return nil, err
	}
	state, err := whitewater.ReadState(f.State)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file.name, err)
	}
	return state, nil
}

// airborne reads the ascending numbers of the particles of frame n that are shown as
// spray.
func (r *runner) airborne(n int) ([]uint32, error) {
	if r.scene.Whitewater == nil {
		return nil, nil
	}
	file := r.whitewaterFiles(n)[0]
	f, err := r.readFrame(file)
	if err != nil {
		return nil, err
	}
	list, err := numbersOf(f.State)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file.name, err)
	}
	return list, nil
}

// numberBytes returns a list of numbers as bytes.
func numberBytes(list []uint32) (b []byte) {
	for _, x := range list {
		b = binary.LittleEndian.AppendUint32(b, x)
	}
	return b
}

// numbersOf returns the ascending numbers that numberBytes was given.
func numbersOf(b []byte) (list []uint32, err error) {
	if len(b)%4 != 0 {
		return nil, errors.New("a list of particles ends within a number")
	}
	for ; len(b) > 0; b = b[4:] {
		x := binary.LittleEndian.Uint32(b)
		if len(list) > 0 && x <= list[len(list)-1] {
			return nil, errors.New("a list of particles is not in ascending order")
		}
		list = append(list, x)
	}
	return list, nil
}

// meshInputs names the files of the particles of frame n that make up the liquid.
func (r *runner) meshInputs(n int) []product {
	files := r.particleFiles(n)
	if r.scene.Whitewater != nil {
		files = append(files, r.whitewaterFiles(n)[0])
	}
	if len(r.built.Formats.MeshFoam) > 0 {
		files = append(files, r.whitewaterFiles(n)[1])
	}
	return files
}

// readLiquid reads the particles of frame n, without those that are shown as spray.
func (r *runner) readLiquid(n int) (*out.Frame, error) {
	f, err := r.readFrame(r.particleFiles(n)[0])
	if err != nil {
		return nil, err
	}
	list, err := r.airborne(n)
	if err != nil {
		return nil, err
	}
	f.Particles.RemoveIDs(list)
	return f, nil
}
