package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"breakwater/out/store"
)

// Verify reads all files in the folder of a run and compares them with the records of
// their contents. It returns the number of files, their bytes, and an error for each
// damaged file, which the next run makes again.
func Verify(folder string) (files int, bytes int64, bad []error, err error) {
	dir, err := store.OpenRun(folder, runFolders...)
	if err != nil {
		return 0, 0, nil, err
	}
	defer dir.Close()
	files, bytes, bad = dir.Verify()
	var m Manifest
	err = dir.Read(manifestName, func(r io.Reader) error { return json.NewDecoder(r).Decode(&m) })
	var damaged *store.Damaged
	if errors.Is(err, fs.ErrNotExist) || errors.As(err, &damaged) { // which Verify has found
		return files, bytes, bad, nil
	}
	if err != nil {
		return 0, 0, nil, err
	}
	for _, want := range m.Files {
		if _, err := dir.Stat(want.Name); err != nil {
			bad = append(bad, err)
			continue
		}
		if dir.Recorded(want.Name) {
			continue
		}
		files++
		bytes += want.Size
		switch got, err := dir.Sum(want.Name); {
		case err != nil:
			bad = append(bad, err)
		case got[0] != want:
			bad = append(bad, fmt.Errorf("%s: damaged: its bytes differ from the record in the manifest; remove it", want.Name))
		}
	}
	return files, bytes, bad, nil
}
