package run

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"breakwater/out"
	"breakwater/out/store"
	"breakwater/scenes/stage"
	"breakwater/scenes/toml"
	"breakwater/sim/num"
)

// survey lists the faults of a stage's existing files.
type survey struct {
	stale   []string // made from other settings
	late    []string // of frames after the scene's last, which an older, longer run has left
	damaged []string
	foreign []string // not made by this program, under the names of files to be made
	bytes   int64    // of the stale and late files
}

// survey looks through the files of w, and for damage through the files of frames first …
// last. A run of some frames looks through those frames only. Files that this program has
// not made are foreign: our files have a fingerprint, or a record in the folder.
func (r *runner) survey(w work, first, last int) (s survey, err error) {
	from, to := 1, r.scene.Time.Frames()
	if !r.complete() {
		from, to = first, last
	}
	for n := from; n <= to; n++ {
		for _, f := range w.files(n) {
			err := r.fresh(f)
			var damaged *store.Damaged
			switch {
			case err == nil || errors.Is(err, fs.ErrNotExist):
			case r.inTheWay(f):
				s.foreign = append(s.foreign, f.name)
			case !errors.As(err, &damaged):
				s.stale = append(s.stale, f.name)
			case first <= n && n <= last:
				s.damaged = append(s.damaged, f.name)
			}
		}
	}
	for _, like := range w.files(1) {
		if !r.complete() {
			break
		}
		late, err := r.late(like)
		if err != nil {
			return s, err
		}
		s.late = append(s.late, late...)
	}
	for _, name := range slices.Concat(s.stale, s.late) {
		if info, err := r.dir.Stat(name); err == nil {
			s.bytes += info.Size()
		}
	}
	return s, nil
}

// late finds the files like one of a stage that are of frames after the
// scene's last.
func (r *runner) late(like product) (names []string, err error) {
	folder, ext := path.Dir(like.name), path.Ext(like.name)
	if f, ok := like.format.(out.PerFrame); ok { // whose end may have a dot
		ext = "." + f.Ext()
	}
	entries, err := r.dir.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		name, ours := strings.CutPrefix(strings.TrimSuffix(e.Name(), ext), r.scene.Name+"_")
		n, err := strconv.Atoi(name)
		if !ours || err != nil || n <= r.scene.Time.Frames() || !strings.HasSuffix(e.Name(), ext) {
			continue
		}
		file := like
		file.name = path.Join(folder, e.Name())
		if e.Type().IsRegular() && r.isOurs(file) {
			names = append(names, file.name)
		}
	}
	return names, nil
}

// inTheWay reports whether there is something under the name of a file to be
// made that this program has not made: a file with something in it, or a folder.
func (r *runner) inTheWay(f product) bool {
	info, err := r.dir.Stat(f.name)
	switch {
	case err != nil:
		return false
	case info.IsDir():
		entries, err := r.dir.ReadDir(f.name)
		return err != nil || len(entries) > 0
	}
	return info.Mode().IsRegular() && info.Size() > 0 && !r.isOurs(f)
}

// isOurs reports whether this program has made p.
func (r *runner) isOurs(p product) bool { return r.dir.Ours(p.name, p.format) }

// tidy keeps files of different settings from lying side by side. If this run has all
// frames, it removes the stale or late files of w, which foretell has announced. It
// returns notices for the user.
func (r *runner) tidy(w work, first, last int) (notices []string, err error) {
	s, err := r.survey(w, first, last)
	if err != nil {
		return nil, err
	}
	if len(s.damaged) > 0 {
		const most = 3
		text := strings.Join(s.damaged[:min(most, len(s.damaged))], ", ")
		if n := len(s.damaged) - most; n > 0 {
			text += fmt.Sprintf(" and %d more", n)
		}
		verb := "is"
		if len(s.damaged) > 1 {
			verb = "are"
		}
		notices = append(notices, fmt.Sprintf("%-5s %s %s damaged: made again", w.stage, text, verb))
	}
	if n := r.dir.Adopted(); n > 0 {
		notices = append(notices, fmt.Sprintf("%-5s %s without a record in %s: read, and accepted as they are", w.stage, toml.Count(n, "file"), store.SumsName))
	}
	if !r.complete() {
		return notices, nil
	}
	gone := slices.Concat(s.stale, s.late)
	for _, name := range gone {
		if err := r.dir.Remove(name); err != nil {
			return nil, err
		}
	}
	if len(gone) > 0 {
		return notices, r.dir.Remove(manifestName)
	}
	return notices, nil
}

// perFrame lists the stages of this run that make files for each frame.
func (r *runner) perFrame() (list []work) {
	for _, w := range []work{
		{stage: stage.Sim, files: r.particleFiles},
		{stage: stage.Whitewater, files: r.whitewaterFiles},
		{stage: stage.Mesh, files: r.meshProducts},
		{stage: stage.Export, files: func(n int) []product { return slices.Concat(r.pointFiles(n), r.volumeFiles(n), r.parcelFiles(n)) }},
		{stage: stage.Draw, files: r.pictureFiles},
	} {
		if r.opt.has(w.stage) && !(w.stage == stage.Draw && !r.opt.Region.Empty()) {
			list = append(list, w)
		}
	}
	return list
}

// foretell lists, before anything happens, the files that this run will remove or
// replace. It refuses to begin where the run would overwrite files of other programs.
func (r *runner) foretell() error {
	var foreign []string
	for _, w := range r.perFrame() {
		s, err := r.survey(w, r.first, r.last)
		if err != nil {
			return err
		}
		foreign = append(foreign, s.foreign...)
		if len(s.stale)+len(s.late) == 0 {
			continue
		}
		var parts []string
		if n := len(s.stale); n > 0 {
			parts = append(parts, toml.Count(n, "file")+" with other settings")
		}
		if n := len(s.late); n > 0 {
			parts = append(parts, toml.Count(n, "file")+" after the last frame")
		}
		text := fmt.Sprintf("%-5s %s, %s: ", w.stage, strings.Join(parts, " and "), num.Bytes(float64(s.bytes)))
		if r.complete() {
			text += "removed now"
		} else {
			text += "replaced"
		}
		r.report(stage.Event{Stage: w.stage, Message: text})
	}
	tables, err := r.foreignTables()
	if err != nil {
		return err
	}
	foreign = append(foreign, tables...)
	if f, needed := r.materialFile(); needed && r.opt.has(stage.Mesh) && r.inTheWay(f) {
		foreign = append(foreign, f.name)
	}
	if r.opt.has(stage.Export) {
		for _, a := range r.ours() {
			if r.inTheWay(a.product) {
				foreign = append(foreign, a.name)
			}
			if sky := r.skyFile(); a.staged() && r.inTheWay(sky) {
				foreign = append(foreign, sky.name)
			}
		}
	}
	if r.opt.has(stage.Film) {
		for _, f := range r.filmFiles(r.first, r.last) {
			if r.inTheWay(f) {
				foreign = append(foreign, f.name)
			}
		}
	}
	if len(foreign) > 0 {
		more := ""
		if n := len(foreign) - 1; n > 0 {
			more = fmt.Sprintf(" and %s like it", toml.Count(n, "more file"))
		}
		return fmt.Errorf("%s%s: not made by Breakwater, but this run would overwrite it; move it away, or choose another folder", path.Join(r.dir.Path(), foreign[0]), more)
	}
	return r.foretellShorter()
}

// foreignTables lists the files under the names of tables and of the manifest
// that this program has not made.
func (r *runner) foreignTables() (names []string, err error) {
	all := []string{manifestName}
	if r.apart() { // it writes no tables
		return r.foreignOf(all)
	}
	if r.opt.has(stage.Sim) {
		all = slices.Concat(all, []string{statsName}, r.gaugeFiles())
		if r.tracks() {
			all = append(all, trackName)
		}
	}
	if r.opt.has(stage.Whitewater) && r.scene.Whitewater != nil {
		all = append(all, whitewaterTable)
	}
	if r.opt.has(stage.Mesh) {
		all = append(all, meshFile)
	}
	return r.foreignOf(all)
}

// foreignOf lists those of the files that this program has not made.
func (r *runner) foreignOf(all []string) (names []string, err error) {
	for _, name := range all {
		info, err := r.dir.Stat(name)
		if err != nil || !info.Mode().IsRegular() || info.Size() == 0 || r.dir.Recorded(name) {
			continue
		}
		ours, err := r.looksOurs(name)
		if err != nil {
			return nil, err
		}
		if !ours {
			names = append(names, name)
		}
	}
	return names, nil
}

// looksOurs reports whether a table or a manifest without a record begins as
// this program writes it.
func (r *runner) looksOurs(name string) (bool, error) {
	f, err := r.dir.Open(name)
	if err != nil {
		return false, err
	}
	defer f.Close()
	head := make([]byte, 1<<12)
	n, _ := f.Read(head)
	first, _, _ := strings.Cut(string(head[:n]), "\n")
	if name == manifestName {
		return strings.HasPrefix(string(head[:n]), "{\n  \"scene\": "), nil
	}
	return strings.HasSuffix(first, ",fingerprint"), nil
}

// foretellShorter says which films and archives of all frames will be replaced
// by ones of fewer.
func (r *runner) foretellShorter() error {
	if r.complete() {
		return nil
	}
	say := func(st stage.Name, whole product, part product) {
		if r.opt.has(st) && whole.fingerprint != part.fingerprint && r.fresh(whole) == nil {
			frames := fmt.Sprintf("frames %d-%d", r.first, r.last)
			if r.first == r.last {
				frames = fmt.Sprintf("frame %d", r.first)
			}
			r.report(stage.Event{Stage: st, Message: fmt.Sprintf("%-5s %s has all %d frames: replaced by one of %s",
				st, whole.name, r.scene.Time.Frames(), frames)})
		}
	}
	films, archives := r.filmFiles(1, r.scene.Time.Frames()), r.archives(1, r.scene.Time.Frames())
	for i, part := range r.filmFiles(r.first, r.last) {
		say(stage.Film, films[i], part)
	}
	for i, part := range r.ours() {
		say(stage.Export, archives[i].product, part.product)
	}
	return nil
}
