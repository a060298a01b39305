package run

import (
	"strconv"
	"strings"

	"breakwater/out/store"
	"breakwater/scenes/stage"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

// A camera that follows depends on the places of its target in all frames before. So that a task
// does not read them all, the tasks of the sim stage keep what a follower has come to at each frame, in
// files of store.RecordFolder for as many frames as a file of records. A frame without such a row, such as
// one of another lag, is found from the track.

// pathBase begins their names.
const pathBase = "path"

var pathColumns = []string{
	"begun", "first_x_m", "first_y_m", "first_z_m", "half_x_m", "half_y_m", "half_z_m", "steady_x_m", "steady_y_m", "steady_z_m",
}

// pathKeys returns the fingerprints of the rows of all frames; the first belongs to none.
func (r *runner) pathKeys() []string {
	keys, c := r.trackKeys(), r.scene.Camera
	for n := range keys[1:] {
		keys[n+1] = stage.After(keys[n+1], "path", registry.Number(float64(c.Lag))+" "+registry.Number(r.scene.Time.FPS))
	}
	return keys
}

// pathRows are the rows of some frames that were read.
type pathRows struct {
	keys   []string
	tables map[int]*frameTable // by their first frames
}

// table returns the table with the row of frame n.
func (p *pathRows) table(r *runner, n int) (t *frameTable, err error) {
	if p.tables == nil {
		p.keys, p.tables = r.pathKeys(), map[int]*frameTable{}
	}
	first, last := store.Span(n)
	if t = p.tables[first]; t == nil {
		if t, err = openFrameTable(r.dir, store.RangeName(pathBase, first, last), pathColumns...); err == nil {
			p.tables[first] = t
		}
	}
	return t, err
}

// at returns what a follower has come to at frame n; ok is false without a row.
func (p *pathRows) at(r *runner, n int) (s followed, ok bool, err error) {
	t, err := p.table(r, n)
	if err != nil || !t.has(n, p.keys[n]) {
		return s, false, err
	}
	cells := strings.Split(t.rows[rowKey{n, mark(p.keys[n])}][0], ",")
	s.begun = cells[1] == "1"
	for i, v := range s.values() {
		if *v, err = strconv.ParseFloat(cells[2+i], 64); err != nil {
			return s, false, nil
		}
	}
	return s, true, nil
}

// add writes the row of frame n, and drops the rows of other settings.
func (p *pathRows) add(r *runner, n int, s followed) error {
	t, err := p.table(r, n)
	if err != nil {
		return err
	}
	cells := []any{0}
	if s.begun {
		cells[0] = 1
	}
	for _, v := range s.values() {
		cells = append(cells, strconv.FormatFloat(*v, 'g', -1, 64))
	}
	if err := t.add(t.row(n, p.keys[n], cells...)); err != nil {
		return err
	}
	return t.prune(p.keys)
}

// values returns the numbers of s in the order of a row.
func (s *followed) values() (list []*float64) {
	for _, x := range []*vec.Vec3{&s.first, &s.halves[0], &s.halves[1]} {
		list = append(list, &x.X, &x.Y, &x.Z)
	}
	return list
}

// completePath adds the rows of this run's frames that are missing. The track has the rows of the
// frames that this run has made.
func (r *runner) completePath(track *frameTable, places []string) error {
	f := &follower{runner: r, track: track, keys: places}
	var s followed
	for n := r.first; n <= r.last; n++ {
		at, ok, err := f.paths.at(r, n)
		if err != nil {
			return err
		}
		if ok {
			s = at
			continue
		}
		if n == r.first && n > 1 {
			if s, err = r.followedAt(n - 1); err != nil {
				return err
			}
		}
		x, there, err := f.target(n)
		if err != nil {
			return err
		}
		if there {
			s.next(x, r.scene)
		}
		if err := f.paths.add(r, n, s); err != nil {
			return err
		}
	}
	return nil
}

// followedAt returns what a follower has come to at frame n: by its row, or from the track.
func (r *runner) followedAt(n int) (followed, error) {
	f := &follower{runner: r}
	if s, ok, err := f.paths.at(r, n); ok || err != nil {
		return s, err
	}
	_, err := f.moved(n)
	return f.state, err
}
