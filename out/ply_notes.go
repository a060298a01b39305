package out

import (
	"bufio"
	"fmt"
	"io"
)

// startPLY starts a file with f's notes and the head's lines for its elements.
func startPLY(w io.Writer, f *Frame, elements string) (*plyEncoder, error) {
	notes, err := f.notes()
	if err != nil {
		return nil, err
	}
	var comments []string
	for _, n := range notes {
		comments = append(comments, n.key+" "+n.value)
	}
	return newPLYEncoder(w, comments, elements), nil
}

// checkPLY does what Checker says for our files with the elements named.
func checkPLY(r io.ReaderAt, size int64, elements ...string) (string, error) {
	var f Frame
	h, err := readPLYHead(bufio.NewReaderSize(io.NewSectionReader(r, 0, size), plyMaxLine), f.readNote)
	if err != nil {
		return "", fmt.Errorf("ply: %w", err)
	}
	if err := h.check(size, elements...); err != nil {
		return "", fmt.Errorf("ply: %w", err)
	}
	return f.Fingerprint, nil
}
