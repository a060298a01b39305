package scenes

import (
	"bytes"
	"os"
	"testing"

	"breakwater/out"
	"breakwater/sim/registry/registrytest"
)

// TestREADMEPicture holds that the README's picture is what the README's command
// draws today.
func TestREADMEPicture(t *testing.T) {
	const frame = 74
	s, err := Load("dam-break")
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Build()
	if err != nil {
		t.Fatal(err)
	}
	k, err := NewKeys(s, b)
	if err != nil {
		t.Fatal(err)
	}
	picture, err := os.ReadFile("../docs/dam-break.png")
	if err != nil {
		t.Fatal(err)
	}
	format := registrytest.New(t, &out.Formats, "png")
	got, err := format.Check(bytes.NewReader(picture), int64(len(picture)))
	if err != nil {
		t.Fatal(err)
	}
	if got != k.Pictures[frame] {
		t.Error("docs/dam-break.png is not the frame that this version draws: run go run ./cmd/gallery README")
	}
}
