package out

import (
	"bufio"
	"fmt"
	"io"

	"breakwater/out/ply"
)

// startPLY starts a file with f's notes and the head's lines for its elements.
func startPLY(w io.Writer, f *Frame, elements string) (*ply.Encoder, error) {
	notes, err := f.notes()
	if err != nil {
		return nil, err
	}
	var comments []string
	for _, n := range notes {
		comments = append(comments, n.key+" "+n.value)
	}
	return ply.NewEncoder(w, comments, elements), nil
}

// checkPLY does what Checker says for our files with the elements named.
func checkPLY(r io.ReaderAt, size int64, elements ...string) (string, error) {
	var f Frame
	h, err := ply.ReadHead(bufio.NewReaderSize(io.NewSectionReader(r, 0, size), ply.MaxLine), f.readNote)
	if err != nil {
		return "", fmt.Errorf("ply: %w", err)
	}
	if err := h.Check(size, elements...); err != nil {
		return "", fmt.Errorf("ply: %w", err)
	}
	return f.Fingerprint, nil
}
