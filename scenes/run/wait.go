package run

import (
	"context"
	"errors"
	"fmt"
	"path"
	"time"

	"breakwater/scenes/stage"
	"breakwater/scenes/toml"
)

// Files of other processes are looked for at intervals that grow from the first to the
// last: files on a network file system may appear a minute late.
const (
	firstLook = time.Second / 4
	lastLook  = 15 * time.Second
)

// patience is how long a run waits for the files of a stage that another process runs.
type patience struct {
	wait  time.Duration // while no more files appear
	left  time.Duration
	next  time.Duration // until the next look
	stage stage.Name    // whose files are missing
	lacks int           // how many were missing at the last look
}

func newPatience(wait time.Duration) *patience { return &patience{wait: wait} }

// look returns how long to wait until the next look, 0 for no more, now that files are
// missing.
func (p *patience) look(of stage.Name, lacks int) time.Duration {
	if p.stage != of || lacks < p.lacks {
		p.left, p.next = p.wait, firstLook
	}
	p.stage, p.lacks = of, lacks
	d := min(p.next, p.left)
	p.left -= d
	p.next = min(2*p.next, lastLook)
	return d
}

// waits waits for a while, if err says that files are missing which another process may
// make, and reports whether to run the stages again.
func (r *runner) waits(ctx context.Context, err error, p *patience) (again bool, _ error) {
	var lacks *NotMade
	if !errors.As(err, &lacks) {
		return false, err
	}
	first := p.stage != lacks.Stage
	d := p.look(lacks.Stage, lacks.Frames)
	if d == 0 {
		return false, err
	}
	if first {
		r.report(stage.Event{Message: fmt.Sprintf("waiting for %s of the stage %s", toml.Count(lacks.Frames, "file"), lacks.Stage)})
	}
	select {
	case <-ctx.Done():
		return false, &stage.Interrupted{Stage: lacks.Stage, Frame: r.first, Last: r.last}
	case <-time.After(d):
	}
	r.dir.Refresh(path.Dir(lacks.file))
	return true, nil
}
