package out

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"breakwater/out/store"
)

func init() {
	Archives.Add("pvd", "a list of the VTP files with their simulated times, which ParaView plays as a film",
		"Kitware, VTK File Formats, 1993–2023", func() Archive { return &pvd{} })
}

// pvd writes no frame itself.
type pvd struct{}

// A Lister is an archive that lists the frames' files of a format.
type Lister interface{ Lists() (format string) }

func (p *pvd) Lists() string { return "vtp" }

func (p *pvd) Ext() string { return "pvd" }

func (p *pvd) Holds() Part { return NeedsMesh | NeedsParticles }

const pvdEnd = "</Collection>\n</VTKFile>\n"

func (p *pvd) Encode(_ context.Context, f *store.File, info ArchiveInfo, _ func(i int) (*Frame, error)) error {
	if err := info.check(p); err != nil {
		return fmt.Errorf("pvd: %w", err)
	}
	var b bytes.Buffer
	b.WriteString("<?xml version=\"1.0\"?>\n")
	if info.Fingerprint != "" {
		fmt.Fprintf(&b, "<!-- %s %s -->\n", noteFingerprint, info.Fingerprint)
	}
	b.WriteString("<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n<Collection>\n")
	for i := range info.Frames {
		fmt.Fprintf(&b, "<DataSet timestep=\"%v\" part=\"0\" file=%q/>\n", info.Time(i), info.File(i))
		if info.Bodies != nil {
			fmt.Fprintf(&b, "<DataSet timestep=\"%v\" part=\"1\" file=%q/>\n", info.Time(i), info.Bodies(i))
		}
	}
	b.WriteString(pvdEnd)
	_, err := f.Write(b.Bytes())
	return err
}

func (p *pvd) Check(r io.ReaderAt, size int64) (string, error) {
	data := make([]byte, min(size, 1<<10))
	if _, err := r.ReadAt(data, 0); err != nil && err != io.EOF {
		return "", err
	}
	tail := make([]byte, len(pvdEnd))
	if _, err := r.ReadAt(tail, max(0, size-int64(len(tail)))); err != nil || string(tail) != pvdEnd {
		return "", errors.New("pvd: cut short, or not a file written by this program")
	}
	var f Frame
	for line := range strings.Lines(string(data)) {
		comment, ok := strings.CutPrefix(line, "<!-- ")
		if !ok {
			continue
		}
		comment, _, _ = strings.Cut(comment, " -->")
		if err := f.readNote(comment); err != nil {
			return "", fmt.Errorf("pvd: %w", err)
		}
	}
	return f.Fingerprint, nil
}
