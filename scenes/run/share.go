package run

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// ShareParticles links the particles of the run in folder to, to the same particles of
// another. Where there are some already, or links are not allowed, the run has its own.
func ShareParticles(from, to string) error {
	for _, folder := range []string{to, filepath.Join(from, ParticleFolder)} {
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return err
		}
	}
	link := filepath.Join(to, ParticleFolder)
	if _, err := os.Lstat(link); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	target, err := filepath.Rel(to, filepath.Join(from, ParticleFolder))
	if err != nil {
		return err
	}
	_ = os.Symlink(target, link)
	return nil
}
