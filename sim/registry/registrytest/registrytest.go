// Package registrytest makes variants for tests.
package registrytest

import (
	"testing"

	"breakwater/sim/registry"
)

// New returns the variant of a name with its default settings, or ends the test.
func New[T any](t testing.TB, s *registry.Set[T], name string) T {
	t.Helper()
	v, err := s.New(name, registry.None)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
