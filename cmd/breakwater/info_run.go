package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"breakwater/out/store"
	"breakwater/scenes/run"
	"breakwater/sim/num"
)

// describeRun says what a folder's manifest lists, and checks the files.
func (c *infoCommand) describeRun(w io.Writer) error {
	if c.JSON {
		return usageError{errors.New("this is a folder; --json applies to meshes, and manifest.json already is JSON")}
	}
	f, _, err := store.OpenRegular(filepath.Join(c.File, "manifest.json"))
	if err == nil {
		defer f.Close()
		err = describeManifest(w, f)
	}
	switch {
	case c.Check: // which finds the fault of the manifest
		return c.checkRun(w)
	case errors.Is(err, fs.ErrNotExist):
		return usageError{errors.New("this folder has no manifest.json, which a run of all frames writes when it is done; name a file in it")}
	}
	return err
}

// checkRun reads all files of a run and compares them with what was written.
func (c *infoCommand) checkRun(w io.Writer) error {
	files, bytes, bad, err := run.Verify(c.File)
	if err != nil {
		return err
	}
	if files == 0 {
		return usageError{errors.New("this folder has no files of a run")}
	}
	row(w, "checked", "%d files, %s: %d damaged", files, num.Bytes(float64(bytes)), len(bad))
	if len(bad) == 0 {
		return nil
	}
	return fmt.Errorf("%w\nRun the command that made them again", errors.Join(bad...))
}
