package store

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// RecordFolder is the folder of a run with what its tasks must know of frames. Each file of
// records in it is about the files of spanFrames frames, so a task reads as much in a long film
// as in a short one.
const RecordFolder = "breakwater-records"

// spanFrames is how many frames share a file of records: a film of 2,500 frames has 157 of them,
// and a task reads about a kilobyte per frame.
const spanFrames = 16

// FrameName returns the name of the file of frame n of total, from 1, without
// its folder: base_0001.ext. It has as many digits as total needs, and four
// at least, so that names sort as frames do.
func FrameName(base string, n, total int, ext string) string {
	digits := max(4, len(fmt.Sprint(total)))
	return fmt.Sprintf("%s_%0*d.%s", base, digits, n, ext)
}

// frameNumbers is the end of the name of a frame's file, or of a file about a range of frames.
var frameNumbers = regexp.MustCompile(`_([0-9]{4,})(-[0-9]{4,})?\.[^/_]*$`)

// FrameOf returns the frame of a file in a folder of the run, 0 for a file of all frames, and the
// first frame of a file that RangeName has named.
func FrameOf(name string) int {
	m := frameNumbers.FindStringSubmatch(name)
	if m == nil || path.Dir(name) == "." {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

// RangeName returns the name of a file about frames first … last in RecordFolder.
func RangeName(base string, first, last int) string {
	return fmt.Sprintf("%s/%s_%04d-%04d.csv", RecordFolder, base, first, last)
}

// RangeBase returns the base of a name that RangeName has made, "" of another name.
func RangeBase(name string) string {
	m := frameNumbers.FindStringSubmatchIndex(name)
	if m == nil || m[4] < 0 || path.Dir(name) != RecordFolder || path.Ext(name) != ".csv" {
		return ""
	}
	return path.Base(name[:m[0]])
}

// Ranges lists the files of any frames that RangeName gives a name with this base, or with any
// base if it is empty.
func (d *Dir) Ranges(base string) (names []string, err error) {
	entries, err := d.ReadDir(RecordFolder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, d.readError(RecordFolder, err)
	}
	for _, e := range entries {
		name := RecordFolder + "/" + e.Name()
		if of := RangeBase(name); e.Type().IsRegular() && of != "" && (base == "" || of == base) {
			names = append(names, name)
		}
	}
	return names, nil
}

// RemoveRanges deletes all files that RangeName gives a name with this base, and the records of
// such files that are gone.
func (d *Dir) RemoveRanges(base string) error {
	names, err := d.Ranges(base)
	if err != nil {
		return err
	}
	recorded, err := d.Names()
	if err != nil {
		return err
	}
	recorded = slices.DeleteFunc(recorded, func(name string) bool { return RangeBase(name) != base })
	for _, name := range append(names, recorded...) {
		if err := d.Forget(name); err != nil {
			return err
		}
	}
	return nil
}

// Forget deletes a file, if it is there, and its record.
func (d *Dir) Forget(name string) error {
	if err := d.Remove(name); err != nil {
		return err
	}
	if d.Recorded(name) {
		d.note(name, record{size: -1})
	}
	return nil
}

// recordBase begins the names of the files of records in RecordFolder.
const recordBase = "sums"

// recordsOf returns the name of the file with the records of a file. Frames have their own.
func recordsOf(name string) string {
	n := FrameOf(name)
	if n < 1 {
		return SumsName
	}
	first, last := Span(n)
	return RangeName(recordBase, first, last)
}

// Span returns the first and the last of the frames whose records are with those of frame n.
func Span(n int) (first, last int) {
	first = (n-1)/spanFrames*spanFrames + 1
	return first, first + spanFrames - 1
}

// hasRecords reports whether a name is of a file of records, which has no record itself.
func hasRecords(name string) bool {
	return name == SumsName || strings.HasPrefix(name, RecordFolder+"/"+recordBase+"_")
}

// OpenFrames is OpenRun for a folder in which the records of frames are kept apart, in
// RecordFolder. Records of frames that a run of an older version has in SumsName are moved there.
func OpenFrames(path string, folders ...string) (*Dir, error) {
	d, err := OpenRun(path, append([]string{RecordFolder}, folders...)...)
	if err != nil {
		return nil, err
	}
	d.sums.apart = true
	_ = d.sums.divide() // in a folder that cannot be written to, they do where they are
	return d, nil
}

// divide moves the records of frames from SumsName to files of their own.
func (s *sums) divide() error {
	ofFrame := func(name string) bool { return recordsOf(name) != SumsName }
	some := func() bool {
		for name := range s.files[SumsName].records {
			if ofFrame(name) {
				return true
			}
		}
		return false
	}
	if !some() {
		return nil
	}
	defer s.enter()()
	s.mu.Lock()
	defer s.mu.Unlock()
	whole := s.files[SumsName]
	if err := whole.load(); err != nil || !some() { // another process has done it
		return err
	}
	lines := map[string]string{}
	var moved []string
	for _, name := range slices.Sorted(maps.Keys(whole.records)) {
		if !ofFrame(name) {
			continue
		}
		moved = append(moved, name)
		f, err := s.file(name)
		if err != nil {
			return err
		}
		if len(f.records[name]) > 0 { // this was interrupted before
			continue
		}
		for _, r := range whole.records[name] {
			lines[f.name] += r.line(name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		f := s.files[name]
		if err := f.append(lines[name]); err != nil {
			return err
		}
		if err := f.load(); err != nil {
			return err
		}
	}
	for _, name := range moved {
		delete(whole.records, name)
	}
	return whole.write()
}

// loadAll reads all files of records.
func (s *sums) loadAll() error {
	names := []string{SumsName}
	if s.apart {
		more, err := s.dir.Ranges(recordBase)
		if err != nil {
			return err
		}
		names = slices.Concat(names, more)
	}
	for _, name := range names {
		f := s.files[name]
		if f == nil {
			f = &recordFile{dir: s.dir, name: name}
		}
		if err := f.load(); err != nil {
			return err
		}
		s.files[name] = f
	}
	return nil
}
