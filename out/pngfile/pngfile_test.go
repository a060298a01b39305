package pngfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/png"
	"slices"
	"strings"
	"testing"
)

// file returns a PNG file with a text chunk after its head.
func file(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 5, 3))); err != nil {
		t.Fatal(err)
	}
	head := AppendChunk(bytes.Clone(b.Next(HeadSize)), "tEXt", []byte("key\x00value"))
	return append(head, b.Bytes()...)
}

// TestChunks finds the chunks of a file that other decoders read, and no end in a file
// that is cut short at any byte.
func TestChunks(t *testing.T) {
	data := file(t)
	if img, err := Decode(data); err != nil || img.Bounds().Dx() != 5 {
		t.Errorf("%v, %v", img, err)
	}
	var types []string
	err := EachChunk(bytes.NewReader(data), int64(len(data)), func(typ string, data []byte) error {
		if types = append(types, typ); typ == "tEXt" && string(data) != "key\x00value" {
			t.Errorf("text %q", data)
		}
		return nil
	})
	if err != nil || !slices.Equal(types, []string{"IHDR", "tEXt"}) {
		t.Errorf("%q, %v", types, err)
	}
	none := func(string, []byte) error { return nil }
	for n := range data {
		if err := EachChunk(bytes.NewReader(data[:n]), int64(n), none); err == nil {
			t.Errorf("a file of %d bytes of %d is whole", n, len(data))
		}
	}
	if err := EachChunk(bytes.NewReader(append(data, 0)), int64(len(data)+1), none); err == nil || !strings.Contains(err.Error(), "after its end") {
		t.Error(err)
	}
	mine := errors.New("mine")
	if err := EachChunk(bytes.NewReader(data), int64(len(data)), func(string, []byte) error { return mine }); !errors.Is(err, mine) {
		t.Error(err)
	}
}

// TestDecodeLarge refuses a picture by its head.
func TestDecodeLarge(t *testing.T) {
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, 1<<14), 1<<13)
	data := AppendChunk([]byte(Signature), "IHDR", append(head, 8, 0, 0, 0, 0))
	if _, err := Decode(data); err == nil || !strings.Contains(err.Error(), "16384 × 8192 pixels; expected at most") {
		t.Error(err)
	}
	for _, size := range [][2]int{{0, 1}, {1, -1}, {maxPixels + 1, 1}} {
		if CheckSize(size[0], size[1]) == nil {
			t.Errorf("%v is read", size)
		}
	}
	if err := CheckSize(8192, 8192); err != nil {
		t.Error(err)
	}
}
