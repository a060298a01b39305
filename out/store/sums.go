package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// SumsName is the file in which a run's folder records the contents of each of its files.
// A line is appended before the file gets its final name, so that no file lacks a record.
// The last lines of a name may be of a file that a killed process has not finished.
const SumsName = "breakwater-sums.csv"

const sumsHeader = "name,size,modified_ns,crc32c,sha256"

// record describes one file as written: its bytes, and when. A modification time of 0
// stands for a file whose contents must be read before they are trusted.
type record struct {
	size     int64 // bytes; -1 for a file that was removed
	modified int64 // ns since 1970
	crc      uint32
	sha      string // SHA-256, hexadecimal
}

// sums has the records of a folder. Its methods are safe for concurrent use, by several
// processes too.
type sums struct {
	mu    sync.Mutex
	dir   *Dir
	apart bool                   // the records of frames have files of their own; see RecordFolder
	files map[string]*recordFile // that were read, by their names
	alone alone
}

// recordFile is one file of records: several for a name that was written several times.
type recordFile struct {
	dir     *Dir
	name    string
	records map[string][]record
	read    os.FileInfo // of the file that was read, nil if there was none
	end     int64       // end of the part that was read
	lines   int
}

// castagnoli is the polynomial that processors have an instruction for.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// summer computes both checksums of the bytes written to it: the CRC, which readers
// verify at next to no cost, and the SHA-256, which the manifest has.
type summer struct {
	size int64
	crc  uint32
	sha  hash.Hash
}

func newSummer() *summer { return &summer{sha: sha256.New()} }

func (s *summer) Write(p []byte) (int, error) {
	s.size += int64(len(p))
	s.crc = crc32.Update(s.crc, castagnoli, p)
	return s.sha.Write(p)
}

// record returns the record of a file with the contents written to s.
func (s *summer) record(modified time.Time) record {
	return record{s.size, modified.UnixNano(), s.crc, hex.EncodeToString(s.sha.Sum(nil))}
}

// line returns the record of a file as it stands in SumsName.
func (r record) line(name string) string {
	return fmt.Sprintf("%s,%d,%d,%08x,%s\n", name, r.size, r.modified, r.crc, r.sha)
}

// parseRecord returns the record in a line; ok is false if the line is damaged.
func parseRecord(line string) (name string, r record, ok bool) {
	cells := strings.Split(line, ",")
	if len(cells) != 5 || cells[0] == "" {
		return "", r, false
	}
	var errs [3]error
	var crc uint64
	r.size, errs[0] = strconv.ParseInt(cells[1], 10, 64)
	r.modified, errs[1] = strconv.ParseInt(cells[2], 10, 64)
	crc, errs[2] = strconv.ParseUint(cells[3], 16, 32)
	r.crc, r.sha = uint32(crc), cells[4]
	ok = errors.Join(errs[:]...) == nil && (len(r.sha) == 2*sha256.Size || r.size < 0) && CheckFingerprint(r.sha) == nil
	return cells[0], r, ok
}

// file returns the file with the records of the named file, as it was when it was first
// used or last loaded.
func (s *sums) file(name string) (*recordFile, error) {
	at := SumsName
	if s.apart {
		at = recordsOf(name)
	}
	f := s.files[at]
	if f == nil {
		f = &recordFile{dir: s.dir, name: at}
		if err := f.load(); err != nil {
			return nil, err
		}
		s.files[at] = f
	}
	return f, nil
}

// load reads the records, or those that were added since. Damaged lines are skipped, so
// their files have no record.
func (s *recordFile) load() error {
	root, rest := s.dir.at(s.name)
	info, err := root.Lstat(rest)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return s.dir.readError(s.name, err)
	}
	if err != nil || s.read == nil || !os.SameFile(info, s.read) || info.Size() < s.end {
		s.records, s.read, s.end, s.lines = map[string][]record{}, info, 0, 0
	}
	if err != nil || info.Size() == s.end {
		return nil
	}
	f, err := s.dir.Open(s.name)
	var damaged *Damaged
	if errors.As(err, &damaged) { // a folder or a fifo
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	text, err := io.ReadAll(io.NewSectionReader(f, s.end, info.Size()-s.end))
	if err != nil {
		return s.dir.readError(s.name, err)
	}
	text = text[:bytes.LastIndexByte(text, '\n')+1] // the last line may be under way
	s.end += int64(len(text))
	for line := range strings.Lines(string(text)) {
		s.lines++
		if name, r, ok := parseRecord(strings.TrimSuffix(line, "\n")); ok {
			s.take(name, r)
		}
	}
	return nil
}

// take adds a record to the records of a name.
func (s *recordFile) take(name string, r record) {
	const most = 8 // of a file that is written with each frame
	list := s.records[name]
	switch {
	case r.size < 0:
		delete(s.records, name)
		return
	case r.modified == 0: // the contents are known; the time, no longer
		for i := range list {
			list[i].modified = 0
		}
	}
	list = append(slices.DeleteFunc(list, func(old record) bool {
		return old == r || old.modified == 0 && old.size == r.size && old.sha == r.sha
	}), r)
	s.records[name] = list[max(0, len(list)-most):]
}

// of returns the records of a file.
func (s *sums) of(name string) ([]record, error) { return s.list(name, false) }

// reload reads the records that other processes have added since, and returns the records
// of a file.
func (s *sums) reload(name string) ([]record, error) { return s.list(name, true) }

func (s *sums) list(name string, again bool) (list []record, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f, err := s.file(name)
	if err == nil && again {
		err = f.load()
	}
	if err != nil {
		return nil, err
	}
	if whole := s.files[SumsName]; f != whole { // of a folder that could not be written to
		list = append(list, whole.records[name]...)
	}
	return append(list, f.records[name]...), nil
}

// names returns the names of all files that have records, sorted.
func (s *sums) names() ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.loadAll(); err != nil {
		return nil, err
	}
	var names []string
	for _, f := range s.files {
		for name := range f.records {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// add appends a record.
func (s *sums) add(name string, r record) error {
	defer s.enter()()
	s.mu.Lock()
	defer s.mu.Unlock()
	f, err := s.file(name)
	if err != nil {
		return err
	}
	f.take(name, r)
	return f.append(r.line(name))
}

// append adds lines at the end of the file.
func (s *recordFile) append(lines string) error {
	root, rest := s.dir.at(s.name)
	info, err := root.Lstat(rest)
	if err == nil && !info.Mode().IsRegular() {
		if err := root.Remove(rest); err != nil {
			return fmt.Errorf("%s is not a file: move it away", s.dir.shown(s.name))
		}
	}
	if err := root.MkdirAll(filepath.Dir(rest), 0o777); err != nil {
		return Bare(err)
	}
	f, err := root.OpenFile(rest, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		return Bare(err)
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return Bare(err)
	}
	if n := info.Size(); n == 0 {
		lines = sumsHeader + "\n" + lines
	} else {
		// A line that was cut short, by a full disk or a crash, must not spoil
		// this one.
		end := []byte{0}
		if _, err := f.ReadAt(end, n-1); err == nil && end[0] != '\n' {
			lines = "\n" + lines
		}
	}
	if _, err := f.WriteString(lines); err != nil {
		return Bare(err)
	}
	return nil
}

// compact rewrites the files most of whose lines are of files that were written again
// since.
func (s *sums) compact() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(s.files)) {
		f := s.files[name]
		if !f.crowded() {
			continue
		}
		leave := s.enter()
		if f.crowded() { // still
			errs = append(errs, f.write())
		}
		leave()
	}
	return errors.Join(errs...)
}

// crowded reports whether there are many more lines than records. Whoever opens a folder
// reads them.
func (s *recordFile) crowded() bool {
	if s.load() != nil || s.lines < 50 {
		return false
	}
	n := 0
	for _, list := range s.records {
		n += len(list)
	}
	return s.lines >= 2*n
}

// write writes the file anew, with the last records of each name: the earlier ones tell how much
// of a damaged log is right.
func (s *recordFile) write() error {
	var text bytes.Buffer
	text.WriteString(sumsHeader + "\n")
	for _, name := range slices.Sorted(maps.Keys(s.records)) {
		for _, r := range s.records[name] {
			text.WriteString(r.line(name))
		}
	}
	s.read = nil
	return s.dir.WriteFile(s.name, func(f *File) error {
		_, err := f.Write(text.Bytes())
		return err
	})
}

// matches reports whether a file of these sums was written under the name.
func matches(list []record, size int64, crc uint32) bool {
	return slices.ContainsFunc(list, func(r record) bool { return r.size == size && r.crc == crc })
}

// recorded returns the record of a file that is as it was written, as far as
// its size and modification time say.
func recorded(list []record, info fs.FileInfo) (r record, ok bool) {
	i := slices.IndexFunc(list, func(r record) bool {
		return r.size == info.Size() && r.modified != 0 && r.modified == info.ModTime().UnixNano()
	})
	if i < 0 {
		return r, false
	}
	return list[i], true
}
