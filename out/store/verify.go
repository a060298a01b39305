package store

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"slices"
)

// Damaged is the error of a file whose contents differ from the written data.
type Damaged struct {
	Name string // in the folder, with slashes
	path string // as a user knows it
	err  error
}

func (e *Damaged) Error() string { return fmt.Sprintf("%s: damaged: %v", e.path, e.err) }

func (e *Damaged) Unwrap() error { return e.err }

var (
	errNotAFile = errors.New("it is not a regular file")
	errBytes    = errors.New("its bytes differ from those written")
)

// ErrOther is the error of a whole file with another fingerprint than expected.
var ErrOther = errors.New("made with other settings")

func (d *Dir) damaged(name string, err error) *Damaged { return &Damaged{name, d.shown(name), err} }

// Recorded reports whether the folder's records have a file of this name.
func (d *Dir) Recorded(name string) bool {
	if d.sums == nil {
		return false
	}
	list, err := d.sums.of(name)
	return err == nil && len(list) > 0
}

// Ours reports whether this program has made a file: it has a fingerprint, or the folder
// has a record of its contents.
func (d *Dir) Ours(name string, c Checker) bool {
	if d.Recorded(name) {
		return true
	}
	f, err := d.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return false
	}
	mark, err := c.Check(f, info.Size())
	return err == nil && mark != ""
}

// Adopted returns how many files without a record were read and recorded as
// they are since the last call.
func (d *Dir) Adopted() int { return int(d.adopted.Swap(0)) }

// Fresh returns nil if the file exists, whole, as it was written, and made from the
// settings of fingerprint. Otherwise it returns why it must be made again: a *Damaged, or
// fs.ErrNotExist.
//
// In a folder with records a file of the recorded size and modification time is trusted;
// Read verifies the data that it reads. A file with another time is read and compared. A
// file without a record is read, decoded if its format can be, and recorded.
func (d *Dir) Fresh(name string, c Checker, fingerprint string) error {
	file, info, err := d.openStat(name)
	if err != nil {
		return err
	}
	defer file.Close()
	got, err := c.Check(file, info.Size())
	if err != nil {
		if d.Recorded(name) {
			return d.damaged(name, Bare(err))
		}
		return fmt.Errorf("%s: %w", d.shown(name), Bare(err))
	}
	if got != fingerprint {
		return fmt.Errorf("%s: %w", d.shown(name), ErrOther)
	}
	if d.sums == nil {
		return nil
	}
	if err := d.compare(name, file, info); err != errUnrecorded {
		return err
	}
	return d.adopt(name, file, info, c)
}

// openStat opens a file for reading and describes it.
func (d *Dir) openStat(name string) (*os.File, fs.FileInfo, error) {
	file, err := d.Open(name)
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, nil, fmt.Errorf("%s: %w", d.shown(name), Bare(err))
	}
	return file, info, nil
}

// errUnrecorded is the error of a file that has no record.
var errUnrecorded = errors.New("not recorded")

// compare returns nil if the file holds the written data: by its size and modification
// time, or else by all of its contents.
func (d *Dir) compare(name string, file *os.File, info fs.FileInfo) error {
	list, err := d.sums.of(name)
	if _, ok := recorded(list, info); ok {
		return nil
	}
	if err == nil {
		list, err = d.sums.reload(name)
	}
	if err != nil {
		return err
	}
	if _, ok := recorded(list, info); ok {
		return nil
	}
	if len(list) == 0 {
		return errUnrecorded
	}
	if !slices.ContainsFunc(list, func(r record) bool { return r.size == info.Size() }) {
		return d.damaged(name, errBytes)
	}
	s := newSummer()
	if _, err := io.Copy(s, io.NewSectionReader(file, 0, info.Size())); err != nil {
		return d.damaged(name, Bare(err))
	}
	r := s.record(info.ModTime())
	if !slices.ContainsFunc(list, func(old record) bool { return old.size == r.size && old.sha == r.sha }) {
		return d.damaged(name, errBytes)
	}
	d.note(name, r)
	return nil
}

// adopt records a file without a record, of a run of an older version or whose
// records were removed, if its format can read it.
func (d *Dir) adopt(name string, file *os.File, info fs.FileInfo, c Checker) error {
	s := newSummer()
	if _, err := io.Copy(s, io.NewSectionReader(file, 0, info.Size())); err != nil {
		return d.damaged(name, Bare(err))
	}
	if v, ok := c.(Verifier); ok {
		if err := v.Verify(io.NewSectionReader(file, 0, info.Size())); err != nil {
			return d.damaged(name, err)
		}
	}
	d.adopted.Add(1)
	d.note(name, s.record(info.ModTime()))
	return nil
}

// note records the result of a reading. If it cannot be kept, in a folder that cannot be
// written to, the file is read again.
func (d *Dir) note(name string, r record) { _ = d.sums.add(name, r) }

// Intact returns nil if the file holds the written data by its record, and an error if it
// does not or has none.
func (d *Dir) Intact(name string) error {
	file, info, err := d.openStat(name)
	if err != nil {
		return err
	}
	defer file.Close()
	if d.sums == nil {
		return fmt.Errorf("%s: %w", d.shown(name), errUnrecorded)
	}
	if err := d.compare(name, file, info); err == errUnrecorded {
		return fmt.Errorf("%s: %w", d.shown(name), err)
	} else if err != nil {
		return err
	}
	return nil
}

// Read opens a file, which f reads. If the folder has a record of the file, all of its
// bytes are verified, and a *Damaged is returned if they differ from those written. The
// results of f must then be discarded, and the file's modification time is no longer
// trusted.
func (d *Dir) Read(name string, f func(r io.Reader) error) error {
	file, err := d.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	return d.read(name, file, f)
}

// ReadMade reads a file like Read. Its error is ErrOther if the file has another
// fingerprint: another process may write files of other settings in the same folder at any
// time.
func (d *Dir) ReadMade(name string, c Checker, fingerprint string, f func(r io.Reader) error) error {
	file, info, err := d.openStat(name)
	if err != nil {
		return err
	}
	defer file.Close()
	// A file that cannot be checked is damaged, which read reports.
	if got, err := c.Check(file, info.Size()); err == nil && got != fingerprint {
		return fmt.Errorf("%s: %w", d.shown(name), ErrOther)
	}
	return d.read(name, file, f)
}

// read reads an open file for Read.
func (d *Dir) read(name string, file *os.File, f func(r io.Reader) error) error {
	if !d.Recorded(name) {
		if err := f(file); err != nil {
			return d.readError(name, err)
		}
		return nil
	}
	v := &verifier{file: file}
	err := f(v)
	if _, rest := io.Copy(io.Discard, v); rest != nil {
		return d.readError(name, rest)
	}
	if list, _ := d.sums.of(name); !matches(list, v.size, v.crc) {
		list, unread := d.sums.reload(name)
		if unread != nil {
			return unread
		}
		if len(list) > 0 && !matches(list, v.size, v.crc) {
			last := list[len(list)-1]
			last.modified = 0
			d.note(name, last)
			return d.damaged(name, errBytes)
		}
	}
	if err != nil {
		return d.readError(name, err)
	}
	return nil
}

// verifier sums up a file as it is read.
type verifier struct {
	file *os.File
	size int64
	crc  uint32
}

func (v *verifier) Read(p []byte) (int, error) {
	n, err := v.file.Read(p)
	v.size += int64(n)
	v.crc = crc32.Update(v.crc, castagnoli, p[:n])
	return n, err
}

// Stat lets decoders see how large the file is.
func (v *verifier) Stat() (fs.FileInfo, error) { return v.file.Stat() }

// Names returns the names of all files that have records, sorted.
func (d *Dir) Names() ([]string, error) {
	if d.sums == nil {
		return nil, nil
	}
	return d.sums.names()
}
