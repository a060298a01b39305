package figure

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image/png"
	"io"
	"math"
)

// printDPI is what journals ask of figures, at least.
const printDPI = 300

// WritePNG writes p for print, with its resolution (the chunk pHYs of ISO/IEC
// 15948:2004, 11.3.5.3), so that it comes out in its size.
func (p *Plot) WritePNG(w io.Writer) error {
	img, err := p.Draw(printDPI)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return err
	}
	const head = 8 + 12 + 13 // the signature and IHDR, after which pHYs may stand
	perMetre := uint32(math.Round(printDPI / 0.0254))
	chunk := []byte("pHYs")
	chunk = binary.BigEndian.AppendUint32(chunk, perMetre)
	chunk = binary.BigEndian.AppendUint32(chunk, perMetre)
	chunk = append(chunk, 1) // a metre
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk))
	size := binary.BigEndian.AppendUint32(nil, 9)
	for _, part := range [][]byte{b.Bytes()[:head], size, chunk, b.Bytes()[head:]} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}
