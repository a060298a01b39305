package run

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"breakwater/out"
	"breakwater/out/store"
	"breakwater/scenes/stage"
	"breakwater/sim/par"
)

// FaultKind is a kind of fault of a file of a run.
type FaultKind string

const (
	FileDamaged FaultKind = "damaged" // other bytes than were written, or fewer
	FileMissing FaultKind = "missing" // it was made, and is not there
	RowMissing  FaultKind = "row"     // a table lacks a row of a frame that is there
	FileExtra   FaultKind = "extra"   // this program has not made it; no harm to the run
)

// Fault is a fault of a file of a run.
type Fault struct {
	File   string     `json:"file"` // in the folder, with slashes
	Kind   FaultKind  `json:"fault"`
	Frame  int        `json:"frame,omitempty"` // 0 for files of all frames
	Stage  stage.Name `json:"stage,omitempty"` // that makes it, if a stage makes it per frame
	Text   string     `json:"message"`
	Remedy string     `json:"remedy"`

	remove bool // before the scene is run again, which would take it for right
}

// VerifyOptions select the files to verify.
type VerifyOptions struct {
	First, Last int  // frames; 0 for no bound
	Quick       bool // trust files of the recorded size and modification time
	// Progress is called after each file, by one goroutine at a time; nil for nothing.
	Progress func(files, of int)
}

// Verified is what Verify has found.
type Verified struct {
	Files    int     `json:"files"`
	Bytes    int64   `json:"bytes"`
	Finished bool    `json:"finished"` // there is a manifest: all was made
	Frames   int     `json:"frames"`   // of the scene; 0 if unknown, because there is no manifest
	Faults   []Fault `json:"-"`        // sorted by file
}

// Bad returns how many faults are of files of the run.
func (v *Verified) Bad() (n int) {
	for _, f := range v.Faults {
		if f.Kind != FileExtra {
			n++
		}
	}
	return n
}

// Verify reads all files in the folder of a run, and compares them with the records of
// their contents and with the manifest. It compares the tables with the files of frames,
// which hold their rows or have the fingerprints of their rows. It needs no scene.
func Verify(ctx context.Context, folder string, opt VerifyOptions) (*Verified, error) {
	dir, err := store.OpenFrames(folder, runFolders...)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	v := &verification{dir: dir, opt: opt, listed: map[string]store.FileSum{}}
	if err := v.readManifest(); err != nil {
		return nil, err
	}
	if err := v.readTables(); err != nil {
		return nil, err
	}
	names, err := dir.Names()
	if err != nil {
		return nil, err
	}
	for name := range v.listed {
		names = append(names, name)
	}
	slices.Sort(names)
	names = slices.DeleteFunc(slices.Compact(names), func(name string) bool { return !v.asked(frameOf(name)) })
	par.Each(len(names), func(i int) {
		if ctx.Err() == nil {
			v.file(names[i])
			v.progress(len(names))
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := v.extras(names); err != nil {
		return nil, err
	}
	lost := map[string]bool{} // whose rows are all missing
	for _, f := range v.Faults {
		lost[f.File] = lost[f.File] || f.Kind != RowMissing
	}
	v.Faults = slices.DeleteFunc(v.Faults, func(f Fault) bool { return f.Kind == RowMissing && lost[f.File] })
	slices.SortFunc(v.Faults, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Frame, b.Frame), cmp.Compare(a.Text, b.Text))
	})
	return &v.Verified, nil
}

// verification is a call of Verify. mu guards what follows it.
type verification struct {
	dir    *store.Dir
	opt    VerifyOptions
	listed map[string]store.FileSum   // by the manifest
	rows   map[string]map[string]bool // of tables, by their names: lines, and keys of lines

	mu sync.Mutex
	Verified
	done int
}

// frameOf returns the frame of a file, 0 for a file of all frames or of several.
func frameOf(name string) int {
	if path.Dir(name) == store.RecordFolder {
		return 0
	}
	return store.FrameOf(name)
}

// asked reports whether a frame is to be verified.
func (v *verification) asked(frame int) bool {
	return frame == 0 || frame >= v.opt.First && (v.opt.Last == 0 || frame <= v.opt.Last)
}

func (v *verification) progress(of int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.done++; v.opt.Progress != nil {
		v.opt.Progress(v.done, of)
	}
}

// readManifest takes the list of files of a finished run. A damaged manifest is found as
// other files are.
func (v *verification) readManifest() error {
	var m Manifest
	err := v.dir.Read(manifestName, func(r io.Reader) error { return json.NewDecoder(r).Decode(&m) })
	var damaged *store.Damaged
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.As(err, &damaged):
		return nil
	case err != nil && !v.dir.Recorded(manifestName): // it was lost with its record, or damaged
		v.fault(manifestName, FileDamaged, err)
		return nil
	case err != nil:
		return err
	}
	v.Finished, v.Frames = true, m.Frames
	for _, f := range m.Files {
		v.listed[f.Name] = f
	}
	return nil
}

// readTables takes the rows of the tables that frames have rows in.
func (v *verification) readTables() error {
	v.rows = map[string]map[string]bool{}
	names := []string{statsName, meshFile, whitewaterTable}
	entries, err := v.dir.ReadDir(gaugeFolder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		names = append(names, path.Join(gaugeFolder, e.Name()))
	}
	parts := map[string][]string{}
	if !v.Finished { // then rows may be in the parts that tasks have made
		if parts, err = partRows(v.dir); err != nil {
			return err
		}
		names = slices.AppendSeq(names, maps.Keys(parts))
	}
	for _, name := range names {
		text, _, err := v.dir.Log(name).Read()
		if err != nil {
			return err
		}
		lines := map[string]bool{}
		for _, line := range slices.AppendSeq(parts[name], strings.Lines(string(text))) {
			line = strings.TrimSuffix(line, "\n")
			lines[line] = true
			first, _, _ := strings.Cut(line, ",")
			lines[first+","+line[strings.LastIndexByte(line, ',')+1:]] = true
		}
		v.rows[name] = lines
	}
	return nil
}

// fault adds a fault of a file.
func (v *verification) fault(name string, kind FaultKind, err error) {
	f := Fault{File: name, Kind: kind, Frame: frameOf(name), Stage: stageOf(name), Text: err.Error()}
	switch kind {
	case FileExtra:
		f.Remedy = "nothing, if it is yours; otherwise remove it"
	case FileDamaged:
		if !v.dir.Recorded(name) { // then a run would take it for what it should be
			f.Remedy, f.remove = "remove it, and run the scene again", true
			break
		}
		fallthrough
	default:
		f.Remedy = "run the scene again: it is made again"
	}
	v.add(f)
}

func (v *verification) add(f Fault) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.Faults = append(v.Faults, f)
}

// file verifies one file.
func (v *verification) file(name string) {
	info, err := v.dir.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		v.fault(name, FileMissing, fmt.Errorf("%s: missing; it was made, and then removed", path.Join(v.dir.Path(), name)))
		return
	}
	if err != nil {
		v.fault(name, FileDamaged, err)
		return
	}
	v.mu.Lock()
	v.Files++
	v.Bytes += info.Size()
	v.mu.Unlock()
	want, listed := v.listed[name]
	switch {
	case listed && info.Size() != want.Size:
		err = fmt.Errorf("%s: damaged: it has %d bytes of %d", path.Join(v.dir.Path(), name), info.Size(), want.Size)
	case !v.dir.Recorded(name):
		var got []store.FileSum
		if got, err = v.dir.Sum(name); err == nil && got[0] != want {
			err = fmt.Errorf("%s: damaged: its bytes differ from the record in the manifest", path.Join(v.dir.Path(), name))
		}
	case v.opt.Quick && v.rows[name] == nil: // tables have a record of each length
		err = v.dir.Intact(name)
	default:
		err = v.dir.Read(name, func(r io.Reader) error { _, err := io.Copy(io.Discard, r); return err })
	}
	if err != nil {
		v.fault(name, FileDamaged, err)
		return
	}
	if err := v.rowsOf(name); err != nil {
		v.fault(name, FileDamaged, err)
	}
}

// rowsOf looks for the rows of a frame in the tables: those that its particles hold, or
// the one with the fingerprint of its mesh or whitewater.
func (v *verification) rowsOf(name string) error {
	table := map[string]string{surfaceFolder: meshFile, whitewaterFolder: whitewaterTable, ParticleFolder: ""}
	in, ok := table[path.Dir(name)]
	if !ok || path.Dir(name) == whitewaterFolder && path.Ext(name) != "."+parcelFormat.Ext() {
		return nil
	}
	file, err := v.dir.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	f, err := out.ReadNotes(file)
	if err != nil {
		return fmt.Errorf("%s: damaged: %w", path.Join(v.dir.Path(), name), err)
	}
	want := f.Rows
	if in != "" && len(f.Fingerprint) > 16 {
		want = []out.Row{{Table: in, Text: strconv.Itoa(f.Index) + "," + mark(f.Fingerprint)}}
	}
	var lacks []string
	for _, row := range want {
		if !v.rows[row.Table][row.Text] && !slices.Contains(lacks, row.Table) {
			lacks = append(lacks, row.Table)
		}
	}
	for _, table := range lacks {
		remedy, gauge := "run the scene again: the row is made again", path.Dir(table) == gaugeFolder
		if gauge { // runs compare the rows of steps alone
			remedy = "remove it, and run the scene again: it is made again from the particles"
		}
		v.add(Fault{
			File: table, Kind: RowMissing, Frame: f.Index, Stage: stageOf(name), Remedy: remedy, remove: gauge,
			Text: fmt.Sprintf("%s: lacks a row of frame %d, which %s has", path.Join(v.dir.Path(), table), f.Index, name),
		})
	}
	return nil
}

// extras finds files in the folders of the run that have no record.
func (v *verification) extras(names []string) error {
	for _, folder := range runFolders {
		entries, err := v.dir.ReadDir(folder)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		for _, e := range entries {
			name := path.Join(folder, e.Name())
			_, known := slices.BinarySearch(names, name)
			if !known && !e.IsDir() && !strings.HasPrefix(e.Name(), ".") && v.asked(frameOf(name)) {
				v.fault(name, FileExtra, fmt.Errorf("%s: extra; the run has no record of it", path.Join(v.dir.Path(), name)))
			}
		}
	}
	return nil
}
