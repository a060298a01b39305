package figure

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Check returns the faults of a figure: texts that overlap or leave the page, a caption
// that is missing or that LaTeX cannot read, or malformed files. The tests of packages
// with figures use it.
func (p *Plot) Check() error {
	page := p.Page()
	if a, b, bad := page.overlaps(); bad {
		return fmt.Errorf("%q lies on %q", a, b)
	}
	if len(p.Caption) < 20 || !strings.HasSuffix(p.Caption, ".") {
		return fmt.Errorf("the caption %q is not a sentence", p.Caption)
	}
	var tex, svg, pdf, again bytes.Buffer
	if err := p.WriteTeX(&tex, "name"); err != nil {
		return err
	}
	for _, c := range tex.Bytes() {
		if c >= 0x80 {
			return fmt.Errorf("the caption has letters that LaTeX does not support: %s", tex.String())
		}
	}
	if strings.Count(tex.String(), "{") != strings.Count(tex.String(), "}") {
		return fmt.Errorf("braces do not match in %s", tex.String())
	}
	if err := page.WriteSVG(&svg, "title"); err != nil {
		return err
	}
	for d := xml.NewDecoder(bytes.NewReader(svg.Bytes())); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return fmt.Errorf("SVG: %w", err)
		}
	}
	if err := page.WritePDF(&pdf, "title"); err != nil {
		return err
	}
	if err := checkPDF(pdf.Bytes()); err != nil {
		return fmt.Errorf("PDF: %w", err)
	}
	if err := p.Page().WritePDF(&again, "title"); err != nil {
		return err
	}
	if !bytes.Equal(pdf.Bytes(), again.Bytes()) {
		return errors.New("PDF: it differs from run to run")
	}
	return nil
}

// checkPDF checks that every object is where the table says.
func checkPDF(data []byte) error {
	_, tail, ok := bytes.Cut(data, []byte("startxref\n"))
	if !ok {
		return errors.New("no startxref")
	}
	at, err := strconv.Atoi(strings.Fields(string(tail))[0])
	if err != nil || at >= len(data) || !bytes.HasPrefix(data[at:], []byte("xref\n")) {
		return fmt.Errorf("no table at %d", at)
	}
	lines := strings.Split(string(data[at:]), "\n")
	for n := 1; 2+n < len(lines) && strings.HasSuffix(lines[2+n], "n "); n++ {
		at, err := strconv.Atoi(lines[2+n][:10])
		if err != nil || !bytes.HasPrefix(data[at:], fmt.Appendf(nil, "%d 0 obj\n", n)) {
			return fmt.Errorf("object %d is not at %d", n, at)
		}
	}
	return nil
}
