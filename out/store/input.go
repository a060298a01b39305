package store

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
)

// OpenRegular opens a file that a person has named, for reading. A device or a
// pipe, which may have no end, is an error.
func OpenRegular(path string) (*os.File, os.FileInfo, error) {
	stat, err := os.Stat(path)
	if err != nil {
		return nil, nil, Bare(err)
	}
	switch {
	case stat.IsDir():
		return nil, stat, errors.New("this is a folder")
	case !stat.Mode().IsRegular():
		return nil, stat, errors.New("this is a device or a pipe, not a file")
	}
	f, err := os.Open(path)
	return f, stat, Bare(err)
}

// CheckSize returns an error for a file of more bytes than the program may read as a
// whole, because its memory is limited.
func CheckSize(bytes int64) error {
	if have := debug.SetMemoryLimit(-1); bytes > have/2 {
		return fmt.Errorf("a file of %.3g GB, but only %.3g GB of memory are allowed", float64(bytes)/1e9, float64(have)/1e9)
	}
	return nil
}

// ReadFile returns the contents of a file that the user has named, unless that is more
// than the memory that the program may use.
func ReadFile(path string) ([]byte, error) {
	f, stat, err := OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := CheckSize(stat.Size()); err != nil {
		return nil, err
	}
	data := make([]byte, stat.Size())
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, Bare(err)
	}
	return data, nil
}

// Gunzip returns the uncompressed contents of r, a gzipped file.
func Gunzip(r io.Reader) ([]byte, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("gzip: %w", err)
	}
	data, err := ReadUnpacked(z, MaxUnpacked())
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, errors.New("gzip: cut short")
	}
	if err != nil {
		return nil, fmt.Errorf("gzip: %w", err)
	}
	return data, nil
}

// MaxUnpacked returns how many bytes a compressed file may hold: a quarter of the memory
// that the program may use, because the buffer grows by copies.
func MaxUnpacked() int64 { return debug.SetMemoryLimit(-1) / 4 }

// MaxDeflated is the largest ratio of data to their deflated form.
const MaxDeflated = 1032

// ReadUnpacked decompresses r, up to most bytes.
func ReadUnpacked(r io.Reader, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, most))
	if err == nil && int64(len(data)) == most {
		if n, _ := io.ReadFull(r, make([]byte, 1)); n > 0 {
			return nil, fmt.Errorf("it holds more than %d bytes when unpacked, which do not fit into memory", most)
		}
	}
	return data, err
}
