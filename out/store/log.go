package store

import (
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path"
	"time"
)

// Log is a text file of a run that grows at its end. Append records the checksums of the
// longer file twice: before it writes, with no modification time, and after the text is
// on the disk. A crash leaves a file that begins as one of its records says. The rest is
// a part of the text that was being appended; Read leaves it out, and Write removes it.
// Several processes may write it in turn, each in a call of Dir.Alone.
type Log struct {
	dir  *Dir
	name string
	sum  *summer     // of the contents; nil if the file cannot be extended
	seen fs.FileInfo // the file when it was last read or written; nil if there was none
}

// Log returns the named log of a folder that OpenRun has opened.
func (d *Dir) Log(name string) *Log { return &Log{dir: d, name: path.Clean(name)} }

// Read returns the contents up to the end of the longest recorded part. whole is false if
// anything else is missing than the text of an interrupted Append.
func (l *Log) Read() (text []byte, whole bool, err error) {
	l.sum, l.seen = nil, nil
	f, info, err := l.dir.openStat(l.name)
	var damaged *Damaged
	if errors.Is(err, fs.ErrNotExist) || errors.As(err, &damaged) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	if text, err = io.ReadAll(f); err != nil {
		return nil, false, l.dir.readError(l.name, err)
	}
	l.seen = info
	list, err := l.dir.sums.reload(l.name)
	if err != nil {
		return nil, false, err
	}
	longest := -1
	for i, r := range list {
		if r.size <= int64(len(text)) && (longest < 0 || r.size >= list[longest].size) && crc32.Checksum(text[:r.size], castagnoli) == r.crc {
			longest = i
		}
	}
	if longest < 0 {
		return nil, false, nil
	}
	last, part := len(list)-1, text[:list[longest].size]
	interrupted := list[last].modified == 0 && longest == last-1
	if whole = len(part) == len(text); whole {
		l.sum = newSummer()
		l.sum.Write(text)
	}
	return part, interrupted || whole && longest == last, nil
}

// Extensible reports whether Append can be tried.
func (l *Log) Extensible() bool { return l.sum != nil }

// Changed reports whether another process has written the file since.
func (l *Log) Changed() bool {
	info, err := l.dir.Stat(l.name)
	return err == nil && !l.unchanged(info)
}

func (l *Log) unchanged(info fs.FileInfo) bool {
	return l.seen != nil && os.SameFile(info, l.seen) && info.Size() == l.seen.Size() && info.ModTime().Equal(l.seen.ModTime())
}

// Write replaces the contents.
func (l *Log) Write(text []byte) error {
	l.sum = nil
	err := l.dir.Write(l.name, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
	if err != nil {
		return err
	}
	if l.seen, err = l.dir.Stat(l.name); errors.Is(err, fs.ErrNotExist) { // another process has removed it since
		return nil
	} else if err != nil {
		return err
	}
	l.sum = newSummer()
	l.sum.Write(text)
	return nil
}

// Append adds text at the end and waits until it is on the disk. If the file cannot be
// extended or another process has written it since, Append changes nothing and returns
// false. If the disk is full, the file keeps its contents.
func (l *Log) Append(text []byte) (ok bool, err error) {
	if l.sum == nil {
		return false, nil
	}
	root, rest := l.dir.at(l.name)
	f, err := root.OpenFile(rest, os.O_WRONLY|os.O_APPEND|openFlags, 0)
	if err != nil {
		return false, nil
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !l.unchanged(info) {
		return false, nil
	}
	l.sum.Write(text)
	if err := l.extend(f, text); err != nil {
		l.sum = nil
		_ = f.Truncate(l.seen.Size()) // otherwise Read cuts it off
		return false, l.dir.writeError(l.name, Bare(err))
	}
	return true, nil
}

func (l *Log) extend(f *os.File, text []byte) error {
	if err := l.dir.sums.add(l.name, l.sum.record(time.Unix(0, 0))); err != nil {
		return err
	}
	if _, err := f.Write(text); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	l.seen = info
	return l.dir.sums.add(l.name, l.sum.record(info.ModTime()))
}
