package figure

// Page lays p out.
func (p *Plot) Page() *Page {
	page := &Page{W: pageWidth}
	for from, r := 0, 0; from < len(p.Panels); from, r = from+p.Columns, r+1 {
		row := p.Panels[from:min(from+p.Columns, len(p.Panels))]
		width := pageWidth / float64(p.Columns)
		if p.Wide {
			width = pageWidth / float64(len(row))
		}
		height := p.Row
		if r < len(p.Rows) && p.Rows[r] > 0 {
			height = p.Rows[r]
		}
		if height == 0 {
			height = rowHeight
		}
		// A long legend needs more room above all axes, and so does a title.
		more := 0.
		for i := range row {
			if panel := &row[i]; panel.axes() {
				lines, _ := panel.legendRows(width - left - right)
				need := float64(legendLine * float64(max(0, len(lines)-2)))
				if panel.Title != "" && len(panel.Curve) > 1 {
					need += legendLine
				}
				more = max(more, need)
			}
		}
		for i := range row {
			panel := &row[i]
			x, y := float64(float64(i)*width), page.H
			if panel.axes() {
				panel.draw(page, x+left, y+above+more, width-left-right, height-above-below)
				page.Text(panel.Title, x+left, y+6, 0, 1, Type{})
				continue
			}
			panel.fill(page, x, y, width, height+more)
		}
		page.H += height + more
	}
	return page
}

// axes reports whether the panel is a pair of axes.
func (p *Panel) axes() bool { return p.Sketch == nil && p.Image == nil && p.Table == nil }

// fill draws the contents of a panel without axes into a rectangle.
func (p *Panel) fill(page *Page, x, y, w, h float64) {
	const margin, title = 4., 13.
	x, y, w, h = x+margin, y+margin, w-2*margin, h-2*margin
	if p.Title != "" {
		page.Text(p.Title, x+float64(w/2), y+2, 0.5, 1, Type{})
		y, h = y+title, h-title
	}
	switch {
	case p.Sketch != nil:
		p.Sketch(&Sketch{Page: page, X: x, Y: y, W: w, H: h})
	case p.Image != nil:
		b := p.Image.Bounds()
		scale := min(w/float64(b.Dx()), h/float64(b.Dy()))
		iw, ih := float64(scale*float64(b.Dx())), float64(scale*float64(b.Dy()))
		page.Image(p.Image, x+float64((w-iw)/2), y, iw, ih)
	default:
		p.table(page, x, y, w)
	}
}

// table draws the rows of a table: the first column to the left, the others to the
// right, lines above and below and under the head.
func (p *Panel) table(page *Page, x, y, w float64) {
	const line, gap = 13., 14.
	wide := make([]float64, len(p.Table[0]))
	for r, row := range p.Table {
		for c, cell := range row {
			t := Type{}
			if r == 0 {
				t.Face = Bold
			}
			wide[c] = max(wide[c], t.Width(cell))
		}
	}
	total := -gap
	for _, c := range wide {
		total += c + gap
	}
	x += float64(max(0, w-total) / 2)
	rule := func(at float64) { page.Line(Pen(black, frameWidth), Point{x, at}, Point{x + total, at}) }
	rule(y + 2)
	for r, row := range p.Table {
		at := y + float64(line*float64(r+1)) - 1
		end := x
		for c, cell := range row {
			t := Type{}
			if r == 0 {
				t.Face = Bold
			}
			if c == 0 {
				page.Text(cell, x, at, 0, 0, t)
			} else {
				page.Text(cell, end+wide[c], at, 1, 0, t)
			}
			end += wide[c] + gap
		}
		if r == 0 {
			rule(at + 3.5)
			y += 2
		}
	}
	rule(y + float64(line*float64(len(p.Table))) + 3)
}

// draw draws the axes with the upper left corner (x, y), and everything in and around
// them.
func (p *Panel) draw(dc *Page, x, y, w, h float64) {
	sx := p.X.newSpan(p.values(func(c Curve) []float64 { return c.X }), 5, false)
	sy := p.Y.newSpan(p.values(func(c Curve) []float64 {
		if c.Bars && !p.Y.Log {
			return append([]float64{0}, c.Y...)
		}
		return c.Y
	}), 5, true)
	at := func(a, b float64) Point {
		return Point{x + w*(a-sx.lo)/(sx.hi-sx.lo), y + h - h*(b-sy.lo)/(sy.hi-sy.lo)}
	}
	thin, grid := Pen(black, frameWidth), Pen(Gray(0.9), frameWidth)
	for _, t := range sy.ticks {
		if q := at(0, t.at); t.text != "" {
			dc.Line(grid, Point{x, q.Y}, Point{x + w, q.Y})
		}
	}
	for _, t := range sx.ticks {
		q := at(t.at, 0)
		if p.X.Names == nil {
			dc.Line(thin, Point{q.X, y + h}, Point{q.X, y + h - t.length()})
		}
		dc.Text(t.text, q.X, y+h+4, 0.5, 1, Type{})
	}
	for _, t := range sy.ticks {
		q := at(0, t.at)
		dc.Line(thin, Point{x, q.Y}, Point{x + t.length(), q.Y})
		dc.Text(t.text, x-4, q.Y, 1, 0.5, Type{})
	}
	dc.Text(sx.power, x+w, y+h+17, 1, 1, Type{})
	dc.Text(sy.power, x-4, y-12, 1, 0.5, Type{})
	dc.Text(p.X.Label, x+float64(w/2), y+h+17, 0.5, 1, Type{})
	dc.Text(p.Y.Label, x-36, y+float64(h/2), 0.5, 0.5, Type{Angle: 90})

	bars := 0
	for _, c := range p.Curve {
		if c.Bars {
			bars++
		}
	}
	bar := 0
	for i, c := range p.Curve {
		var path Path
		style := curveStyle(i)
		open := false
		for k := range c.X {
			a, okX := sx.scale(c.X[k])
			b, okY := sy.scale(c.Y[k])
			if !okX || !okY {
				open = false
				continue
			}
			q := at(a, b)
			switch {
			case c.Bars:
				// All bars of a name take 0.7 of its room.
				wide := w / (sx.hi - sx.lo) * 0.7 / float64(bars)
				base := at(0, max(sy.lo, min(0, sy.hi))).Y
				dc.Rect(Style{Fill: style.Stroke}, q.X+float64(wide*(float64(bar)-float64(float64(bars)/2))), q.Y, wide, base-q.Y)
				continue
			case c.Dots || c.Both:
				dc.Circle(Style{Fill: style.Stroke}, q.X, q.Y, float64(dotRadius*size(c)))
			}
			if c.Dots {
				continue
			}
			if open {
				path.LineTo(q.X, q.Y)
			} else {
				path.MoveTo(q.X, q.Y)
			}
			open = true
		}
		if c.Bars {
			bar++
		}
		dc.Draw(path, style)
	}
	dc.Line(thin, Point{x, y}, Point{x, y + h}, Point{x + w, y + h})
	p.legend(dc, x, y, w)
}

// size is how much larger than the smallest the dots of c are.
func size(c Curve) float64 {
	if c.Both {
		return 1.6
	}
	return 1
}

// values goes through one coordinate of all points.
func (p *Panel) values(of func(Curve) []float64) func(yield func(float64) bool) {
	return func(yield func(float64) bool) {
		for _, c := range p.Curve {
			for _, v := range of(c) {
				if !yield(v) {
					return
				}
			}
		}
	}
}

// Of a legend's entry: the piece of its line, the gap to the name, that to the
// next entry, and the height, in points.
const legendKey, legendGap, legendApart, legendLine = 20., 4., 10., 11.

// legendRows returns the curves of each line of the legend, and how far from the
// left each has its entry.
func (p *Panel) legendRows(w float64) (rows [][]int, px []float64) {
	rows, px = [][]int{nil}, make([]float64, len(p.Curve))
	end := 0.
	for i, c := range p.Curve {
		if c.Name == "" {
			continue
		}
		wide := legendKey + legendGap + Type{}.Width(c.Name)
		if end > 0 && end+wide > w {
			rows, end = append(rows, nil), 0
		}
		px[i], end = end, end+wide+legendApart
		rows[len(rows)-1] = append(rows[len(rows)-1], i)
	}
	return rows, px
}

// legend names the curves above the axes, in rows that fill up from below.
func (p *Panel) legend(dc *Page, x, y, w float64) {
	rows, px := p.legendRows(w)
	for r, row := range rows {
		py := y - float64(legendLine*(float64(len(rows)-r)-0.25))
		for _, i := range row {
			style := curveStyle(i)
			switch c := p.Curve[i]; {
			case c.Bars:
				dc.Rect(Style{Fill: style.Stroke}, x+px[i]+legendKey-8, py-3.5, 8, 7)
			case c.Dots || c.Both:
				dc.Circle(Style{Fill: style.Stroke}, x+px[i]+legendKey/2, py, dotRadius*size(c))
			}
			if c := p.Curve[i]; !c.Dots && !c.Bars {
				dc.Line(style, Point{x + px[i], py}, Point{x + px[i] + legendKey, py})
			}
			dc.Text(p.Curve[i].Name, x+px[i]+legendKey+legendGap, py, 0, 0.5, Type{})
		}
	}
}

// length returns how long t is drawn, in points.
func (t tick) length() float64 {
	if t.text == "" {
		return tickLength / 2
	}
	return tickLength
}
