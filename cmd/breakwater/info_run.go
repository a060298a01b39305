package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"breakwater/out/store"
)

// describeRun says what a folder's manifest lists.
func (c *infoCommand) describeRun(w io.Writer) error {
	if c.JSON {
		return usageError{errors.New("this is a folder; --json applies to meshes, and manifest.json already is JSON")}
	}
	if c.Check {
		return usageError{fmt.Errorf("this is a folder; verify it with breakwater verify %s", quoted(c.File))}
	}
	f, _, err := store.OpenRegular(filepath.Join(c.File, "manifest.json"))
	if err == nil {
		defer f.Close()
		err = describeManifest(w, f)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return usageError{errors.New("this folder has no manifest.json, which a run of all frames writes when it is done; name a file in it")}
	}
	return err
}
