package run

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"breakwater/out/store"
	"breakwater/scenes"
)

// Picture returns the name of the picture of frame n of a scene in its output folder.
func Picture(s *scenes.Scene, n int) string {
	return filepath.Join(frameFolder, store.FrameName(s.Name, n, s.Time.Frames(), "png"))
}

// Tables returns the names of the tables that a run has left in folder, in a fixed order.
func Tables(folder string) (list []string, err error) {
	for _, name := range []string{statsName, meshFile, whitewaterTable} {
		if _, err := os.Stat(filepath.Join(folder, name)); err == nil {
			list = append(list, name)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	gauges, err := filepath.Glob(filepath.Join(folder, gaugeFolder, "*.csv"))
	for _, g := range gauges {
		list = append(list, filepath.Join(gaugeFolder, filepath.Base(g)))
	}
	return list, err
}
