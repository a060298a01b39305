package store

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"
	"unicode"
)

// partSuffix ends the names of files that are not whole. Such a name also has the host and
// the process that write the file, and a random number. The process holds a lock on the
// file, which the system releases when the process ends in any way. A part of this host
// without a lock is a leftover.
const partSuffix = ".breakwater-part"

// partAge is the age above which a part is a leftover where locks say nothing: on another
// host, or on a file system without locks. Its process touches it every partBeat.
const partAge = time.Hour

var partBeat = partAge / 6 // tests do not wait that long

// mostBase is how many bytes of a file's name its part has. File systems allow 255 in all.
const mostBase = 150

// partName returns a name for a part of the file base that no other process has.
func partName(base string) string {
	if len(base) > mostBase {
		base = strings.ToValidUTF8(base[:mostBase], "")
	}
	return fmt.Sprintf(".%s.%s.%d.%08x%s", base, hostName(), os.Getpid(), rand.Uint32(), partSuffix)
}

// hostName returns a name for this machine since it was started, without dots. Hosts with
// one name have different names here where the system numbers its starts.
var hostName = sync.OnceValue(func() string {
	name, _ := os.Hostname()
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	sum := crc32.Checksum(append([]byte(name), boot...), castagnoli)
	short := strings.Map(func(r rune) rune {
		if r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return '-'
	}, name)
	return fmt.Sprintf("%s-%08x", short[:min(24, len(short))], sum)
})

// isPart reports whether a file has the name of a part, and whether this host made it.
func isPart(name string) (part, here bool) {
	rest, ok := strings.CutSuffix(name, partSuffix)
	if !ok || !strings.HasPrefix(name, ".") {
		return false, false
	}
	fields := strings.Split(rest, ".")
	return true, len(fields) >= 5 && fields[len(fields)-3] == hostName()
}

// newPart makes a file to be written under a name of its own, in the folder of
// the name that it will have.
func newPart(root *os.Root, folder, base string) (file *os.File, temp string, err error) {
	for range 1000 {
		temp = filepath.Join(folder, partName(base))
		file, err = root.OpenFile(temp, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, "", Bare(err)
		}
		// Another process may have cleaned it away before the lock was there.
		held := lockFile(file) == errLocked
		here, err1 := root.Lstat(temp)
		mine, err2 := file.Stat()
		if !held && err1 == nil && err2 == nil && os.SameFile(here, mine) {
			return file, temp, nil
		}
		file.Close()
	}
	return nil, "", fmt.Errorf("files %s are removed by another program as soon as they are made", filepath.Join(folder, "."+base+".*"+partSuffix))
}

// Clean removes the unfinished files of killed processes from the folders. Files that a
// living process is writing stay: of this host those with a lock, of other hosts those
// written within the last hour. A missing folder is clean.
func (d *Dir) Clean(folders ...string) error {
	for _, folder := range folders {
		entries, err := d.ReadDir(folder)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("clean %s: %w", d.shown(folder), Bare(err))
		}
		for _, e := range entries {
			if part, _ := isPart(e.Name()); part && e.Type().IsRegular() {
				name := path.Join(folder, e.Name())
				d.ifLeft(name, func(root *os.Root, rest string) { root.Remove(rest) })
			}
		}
	}
	return nil
}

// ifLeft calls f if no process writes the named part any more. A part that cannot be
// opened is somebody else's, and harms nobody.
func (d *Dir) ifLeft(name string, f func(root *os.Root, rest string)) {
	root, rest := d.at(name)
	file, err := root.OpenFile(rest, os.O_RDWR|openFlags, 0)
	if err != nil {
		return
	}
	defer file.Close()
	_, here := isPart(path.Base(name))
	if err := lockFile(file); here && locksHold && err == nil {
		f(root, rest)
		return
	} else if err == errLocked {
		return
	}
	info, err := file.Stat()
	if err != nil {
		return
	}
	if now, err := fileTime(root, filepath.Dir(rest)); err == nil && now.Sub(info.ModTime()) > partAge {
		if !locksHold { // an open file cannot be removed there
			file.Close()
		}
		f(root, rest)
	}
}

// fileTime returns the time by the clock of the file system that a folder is on, which may
// be another machine's.
func fileTime(root *os.Root, folder string) (time.Time, error) {
	file, temp, err := newPart(root, folder, "clock")
	if err != nil {
		return time.Time{}, err
	}
	info, err := file.Stat()
	err = errors.Join(err, file.Close(), root.Remove(temp))
	if err != nil {
		return time.Time{}, err
	}
	return info.ModTime(), nil
}

// Now returns the time by the clock of the file system that the folder is on.
func (d *Dir) Now() (time.Time, error) { return fileTime(d.root, ".") }

// keepYoung sets the time of a file that this process holds to the present time of the file
// system, at the interval every, until stop is called. So no other process takes it for a leftover.
func keepYoung(root *os.Root, name string, every time.Duration) (stop func()) {
	over, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for tick := time.NewTicker(every); ; {
			select {
			case <-over:
				tick.Stop()
				return
			case <-tick.C:
				if now, err := fileTime(root, filepath.Dir(name)); err == nil {
					_ = root.Chtimes(name, now, now)
				}
			}
		}
	}()
	return func() {
		close(over)
		<-stopped
	}
}

// whileYoung calls f, and keeps the named part young meanwhile.
func whileYoung(root *os.Root, name string, f func() error) error {
	defer keepYoung(root, name, partBeat)()
	return f()
}

// Refresh makes a network file system read a folder again, of which it may remember for
// a minute that a file is not there.
func (d *Dir) Refresh(folder string) {
	root, rest := d.at(folder)
	_, _ = fileTime(root, rest) // a folder that is not there cannot be remembered
}

// Share makes a folder, for files that go in the end, known to be in use by
// this process. The last process that calls leave with gone set removes the
// folder with all that is in it.
func (d *Dir) Share(folder string) (leave func(gone bool) error, err error) {
	var f *os.File
	for range 100 { // another process may be removing it
		if err := d.root.MkdirAll(filepath.FromSlash(folder), 0o777); err != nil {
			return nil, fmt.Errorf("make folder %s: %w", d.shown(folder), Bare(err))
		}
		if f, err = d.root.Open(filepath.FromSlash(folder)); err != nil {
			continue
		}
		_ = shareLock(f) // without locks, a process is assumed to be alone
		here, err1 := d.root.Stat(filepath.FromSlash(folder))
		mine, err2 := f.Stat()
		if err1 == nil && err2 == nil && os.SameFile(here, mine) {
			return func(gone bool) error { return d.leave(folder, f, gone) }, nil
		}
		f.Close()
	}
	return nil, fmt.Errorf("make folder %s: another process is removing it", d.shown(folder))
}

func (d *Dir) leave(folder string, f *os.File, gone bool) error {
	defer f.Close()
	if lockFile(f) == errLocked {
		return nil
	}
	if !locksHold { // an open folder may not be removable there
		f.Close()
	}
	var entries []fs.DirEntry
	if gone {
		entries, _ = d.ReadDir(folder)
	}
	for _, e := range entries {
		if err := d.Remove(path.Join(folder, e.Name())); err != nil {
			return err
		}
	}
	if err := d.root.Remove(filepath.FromSlash(folder)); err != nil && gone {
		return fmt.Errorf("remove %s: %w", d.shown(folder), Bare(err))
	}
	return nil
}

// errLocked is the error of a file that another process has locked.
var errLocked = errors.New("locked by another process")
