package out

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"

	"breakwater/out/store"
)

// Gzipped is a PerFrame whose files are compressed (RFC 1952). A file has two members:
// the format's own bytes, with the fingerprint as its comment, and an empty one that
// marks a complete file.
type Gzipped struct{ PerFrame }

// Ext returns the end of the names of files, without the dot.
func (g Gzipped) Ext() string { return g.PerFrame.Ext() + ".gz" }

// gzipEnd is the empty member that ends a file.
var gzipEnd = func() []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Comment = notePrefix + "end"
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}()

// Encode writes f. The level is the fastest: of text it leaves about a third.
func (g Gzipped) Encode(w io.Writer, f *Frame) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		return err
	}
	z.Comment = noteFingerprint + " " + f.Fingerprint
	if err := g.PerFrame.Encode(z, f); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	_, err = w.Write(gzipEnd)
	return err
}

// Decode implements Decoder for a format that does.
func (g Gzipped) Decode(r io.Reader) (*Frame, error) {
	d, ok := g.PerFrame.(Decoder)
	if !ok {
		return nil, fmt.Errorf("%s: cannot be read back", g.Ext())
	}
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", g.Ext(), err)
	}
	return d.Decode(z)
}

// Verify implements Verifier.
func (g Gzipped) Verify(r io.Reader) error { return verify(g, r) }

// Check implements Checker.
func (g Gzipped) Check(r io.ReaderAt, size int64) (string, error) {
	wrong := fmt.Errorf("%s: cut short, or not a file written by this program", g.Ext())
	tail := make([]byte, len(gzipEnd))
	if _, err := r.ReadAt(tail, size-int64(len(tail))); err != nil && !errors.Is(err, io.EOF) || !bytes.Equal(tail, gzipEnd) {
		return "", wrong
	}
	z, err := gzip.NewReader(io.NewSectionReader(r, 0, size-int64(len(tail))))
	if err != nil {
		return "", wrong
	}
	mark, ok := strings.CutPrefix(z.Comment, noteFingerprint+" ")
	if !ok {
		return "", wrong
	}
	if err := store.CheckFingerprint(mark); err != nil {
		return "", fmt.Errorf("%s: %w", g.Ext(), err)
	}
	return mark, nil
}
