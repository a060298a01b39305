package main

import (
	"io"
	"strings"
	"testing"
)

// TestRunFindsTheGallery runs from the root of the repository, where an unknown
// scene is the only fault, and from elsewhere.
func TestRunFindsTheGallery(t *testing.T) {
	for dir, want := range map[string]string{"../..": `no scene "nothing"`, ".": "root of the repository"} {
		t.Run(dir, func(t *testing.T) {
			t.Chdir(dir)
			if err := run(t.Context(), []string{"nothing"}, io.Discard); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want %s", err, want)
			}
		})
	}
}
