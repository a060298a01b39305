package wedge

import (
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"breakwater/out/pngfile"
	"breakwater/out/store"
	"breakwater/raster/figure"
	"breakwater/scenes"
	"breakwater/scenes/run"
)

// sheetFile is the picture of all variants.
const sheetFile = "contact-sheet.png"

// sheet writes contact-sheet.png: a frame of each variant over its values. It writes nothing
// if no variant has the frame. last is the last frame that was made, 0 for all.
func (m *Summary) sheet(out string, list []*scenes.Scene, last int) error {
	const ( // points
		width  = 360.
		border = 8.
		line   = 13.
		size   = 9.
	)
	n := m.Frame
	if n == 0 {
		n = math.MaxInt
		for _, s := range list {
			n = min(n, s.Time.Frames())
		}
		if last > 0 {
			n = min(n, last)
		}
	}
	images := make([]image.Image, len(list))
	height, any := 0., false
	for i, s := range list {
		name := filepath.Join(out, m.Variants[i].Folder, run.Picture(s, n))
		data, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			images[i], err = pngfile.Decode(data)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		any = true
		b := images[i].Bounds()
		height = max(height, width*float64(b.Dy())/float64(b.Dx()))
	}
	if !any {
		return nil
	}
	columns := int(math.Ceil(math.Sqrt(float64(len(list)))))
	rows := (len(list) + columns - 1) / columns
	cellX, cellY := width+border, height+border+float64(line*float64(1+len(m.Keys)))
	page := &figure.Page{W: border + float64(cellX*float64(columns)), H: border + float64(cellY*float64(rows))}
	for i, v := range m.Variants {
		x, y := border+float64(cellX*float64(i%columns)), border+float64(cellY*float64(i/columns))
		if img := images[i]; img != nil {
			b := img.Bounds()
			page.Image(img, x, y, width, width*float64(b.Dy())/float64(b.Dx()))
		}
		texts := []string{fmt.Sprint(i + 1)}
		for k, key := range m.Keys {
			texts = append(texts, key+" = "+v.Labels[k])
		}
		for k, text := range texts {
			page.Text(text, x, y+height+float64(line*float64(k+1))-2, 0, 0, figure.Type{Size: size})
		}
	}
	img, err := page.Raster(96)
	if err != nil {
		return err
	}
	dir, err := store.OpenDir(out)
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Write(sheetFile, func(w io.Writer) error { return png.Encode(w, img) })
}
