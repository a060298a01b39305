package store

import (
	"cmp"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"slices"

	"breakwater/sim/par"
)

// Manifest lists the products of a run. It is written last: a run with a manifest was
// completed.
type Manifest struct {
	Scene   string            `json:"scene"`
	Version string            `json:"version"` // of the program
	Stages  map[string]string `json:"stages"`  // fingerprint of each
	Files   []FileSum         `json:"files"`   // sorted by name
}

// FileSum identifies the contents of a file.
type FileSum struct {
	Name   string `json:"name"` // in the folder, with slashes
	Size   int64  `json:"size"` // bytes
	SHA256 string `json:"sha256"`
}

// Sum returns the checksums of files, sorted by name: from their records, if they have
// any, or else by reading them, several at a time.
func (d *Dir) Sum(names ...string) ([]FileSum, error) {
	sums, errs := make([]FileSum, len(names)), make([]error, len(names))
	par.Each(len(names), func(i int) { sums[i], errs[i] = d.sum(names[i]) })
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	slices.SortFunc(sums, func(a, b FileSum) int { return cmp.Compare(a.Name, b.Name) })
	return sums, nil
}

func (d *Dir) sum(name string) (FileSum, error) {
	if d.sums != nil {
		info, err := d.Stat(name)
		if err != nil {
			return FileSum{}, err
		}
		list, err := d.sums.of(name)
		if err != nil {
			return FileSum{}, err
		}
		if r, ok := recorded(list, info); ok {
			return FileSum{name, r.size, r.sha}, nil
		}
	}
	s := newSummer()
	if err := d.Read(name, func(r io.Reader) error { _, err := io.Copy(s, r); return err }); err != nil {
		return FileSum{}, err
	}
	return FileSum{name, s.size, hex.EncodeToString(s.sha.Sum(nil))}, nil
}

// WriteJSON writes v as indented JSON: the same bytes for the same value.
func (d *Dir) WriteJSON(name string, v any) error {
	return d.Write(name, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(v)
	})
}
