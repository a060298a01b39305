package out

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"slices"

	"breakwater/sim/par"
)

// Manifest says what a run made. It is written last: where there is one, the
// run was completed.
type Manifest struct {
	Scene   string            `json:"scene"`
	Version string            `json:"version"` // of the program
	Stages  map[string]string `json:"stages"`  // fingerprint of each
	Files   []FileSum         `json:"files"`   // sorted by name
}

// FileSum identifies what is in a file.
type FileSum struct {
	Name   string `json:"name"` // in the folder, with slashes
	Size   int64  `json:"size"` // bytes
	SHA256 string `json:"sha256"`
}

// Sum reads files, several at a time, and returns what they hold, sorted by
// name.
func (d *Dir) Sum(names ...string) ([]FileSum, error) {
	sums, errs := make([]FileSum, len(names)), make([]error, len(names))
	par.Each(len(names), func(i int) {
		errs[i] = d.Read(names[i], func(r io.Reader) error {
			h := sha256.New()
			n, err := io.Copy(h, r)
			sums[i] = FileSum{names[i], n, hex.EncodeToString(h.Sum(nil))}
			return err
		})
	})
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	slices.SortFunc(sums, func(a, b FileSum) int { return cmp.Compare(a.Name, b.Name) })
	return sums, nil
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
