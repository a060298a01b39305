package figure

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"image/png"
	"io/fs"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"breakwater/raster/golden"
	"breakwater/sim/longtest"
	"breakwater/sim/registry/registrytest"
)

// plots returns what every figure shows of the run in testdata.
func plots(t *testing.T) map[string]*Plot {
	t.Helper()
	all := map[string]*Plot{}
	for e, f := range Figures.Defaults() {
		plot, err := f.Plot(os.DirFS("testdata"))
		if err != nil {
			t.Fatal(err)
		}
		all[e.Name] = plot
	}
	return all
}

// TestGolden compares small prints of all figures with those kept in testdata.
func TestGolden(t *testing.T) {
	for name, p := range plots(t) {
		got, err := p.Draw(100)
		if err != nil {
			t.Fatal(err)
		}
		golden.Compare(t, name, got, golden.Tolerance{Mean: 0.5, Far: 1})
	}
}

// TestCSV reads back the numbers beside every figure.
func TestCSV(t *testing.T) {
	for name, p := range plots(t) {
		var b bytes.Buffer
		if err := p.WriteCSV(&b); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&b).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		rows = rows[1:]
		for _, panel := range p.Panels {
			for _, c := range panel.Curve {
				for i := range c.X {
					if rows[0][0] != panel.Name || rows[0][3] != c.Name {
						t.Fatalf("%s: row %q is not of %s, %s", name, rows[0], panel.Name, c.Name)
					}
					for k, want := range []float64{c.X[i], c.Y[i]} {
						got, err := strconv.ParseFloat(rows[0][4+k], 64)
						if err != nil || math.Abs(got-want) > 1e-5*math.Abs(want) || math.IsNaN(got) != math.IsNaN(want) {
							t.Fatalf("%s: %s, %s: got %v, want %v", name, panel.Name, c.Name, got, want)
						}
					}
					rows = rows[1:]
				}
			}
		}
		if len(rows) != 0 {
			t.Errorf("%s: %d rows too many", name, len(rows))
		}
	}
}

// TestPrint checks that the file has the resolution where readers look for it.
func TestPrint(t *testing.T) {
	longtest.NotShort(t)
	var b bytes.Buffer
	if err := plots(t)["kernels"].WritePNG(&b); err != nil {
		t.Fatal(err)
	}
	if _, err := png.Decode(bytes.NewReader(b.Bytes())); err != nil {
		t.Error(err) // it checks the sums of chunks too
	}
	at := bytes.Index(b.Bytes(), []byte("pHYs"))
	if at != 8+25+4 {
		t.Fatalf("pHYs at %d", at)
	}
	if got := binary.BigEndian.Uint32(b.Bytes()[at+4:]); got != 11811 { // 300 / 0.0254
		t.Errorf("%d dots a metre", got)
	}
}

func TestSpan(t *testing.T) {
	for _, c := range []struct {
		axis   Axis
		values []float64
		lo, hi float64
		texts  string
	}{
		{Axis{}, []float64{0, 4.7}, 0, 5, "0 1 2 3 4 5"},
		{Axis{}, []float64{-14, 0}, -15, 0, "−15 −10 −5 0"},
		{Axis{}, []float64{0.013, 0.021}, 0.012, 0.022, "0.012 0.014 0.016 0.018 0.020 0.022"},
		{Axis{}, []float64{3, 3}, 2.4, 3.6, "2.4 2.6 2.8 3.0 3.2 3.4 3.6"},
		{Axis{}, []float64{-3.1e-14, 3e-14}, -4e-14, 4e-14, "−4 −2 0 2 4 ·10^{−14}"},
		{Axis{}, []float64{0, 4.2e5}, 0, 5e5, "0 100000 200000 300000 400000 500000"},
		{Axis{}, []float64{0, 2.3e6}, 0, 2.5e6, "0.0 0.5 1.0 1.5 2.0 2.5 ·10^{6}"},
		{Axis{}, []float64{3.00001, 3.00006}, 3.00001, 3.00006, "3.00001 3.00002 3.00003 3.00004 3.00005 3.00006"},
		{Axis{}, []float64{math.NaN()}, 0, 1, "0.0 0.2 0.4 0.6 0.8 1.0"},
		{Axis{Log: true}, []float64{0, 0.02, 30}, -2, 2, "0.01 0.1 1 10 100"},
		{Axis{Log: true}, []float64{1}, 0, 1, "1 10"},
		{Axis{Log: true}, []float64{1e-9, 1}, -9, 0, "10^{−9} 10^{−7} 10^{−5} 0.001 0.1"},
	} {
		values := func(yield func(float64) bool) {
			for _, v := range c.values {
				if !yield(v) {
					return
				}
			}
		}
		s := c.axis.newSpan(values, 5, true)
		var texts []string
		for _, k := range s.ticks {
			if k.text != "" {
				texts = append(texts, k.text)
			}
		}
		if s.power != "" {
			texts = append(texts, s.power)
		}
		if math.Abs(s.lo-c.lo) > 1e-9 || math.Abs(s.hi-c.hi) > 1e-9 || strings.Join(texts, " ") != c.texts {
			t.Errorf("%v: got %g to %g with %q, want %g to %g with %q", c.values, s.lo, s.hi, strings.Join(texts, " "), c.lo, c.hi, c.texts)
		}
	}
}

// TestStatsFaults reads runs that cannot be plotted, and checks the errors.
func TestStatsFaults(t *testing.T) {
	good, err := os.ReadFile("testdata/stats.csv")
	if err != nil {
		t.Fatal(err)
	}
	header, rest, _ := strings.Cut(string(good), "\n")
	first, _, _ := strings.Cut(rest, "\n")
	f := registrytest.New(t, &Figures, "stats")
	for _, c := range []struct {
		run  fs.FS
		says string
	}{
		{nil, "name the folder"},
		{fstest.MapFS{}, "make it with the command sim"},
		{file(header + "\n"), "no frames yet"},
		{file(header + "\n" + first + "\n" + first + "\n"), "line 3: frame 1 appears twice"},
		{file(header + "\n" + strings.Replace(first, ",", ",x", 1) + "\n"), "line 2: time_s: \"x0\" is not a number"},
		{file("frame,time_s\n1,0\n"), "no column kinetic_energy_j"},
		{file(header + "\n1,2\n"), "wrong number of fields"},
	} {
		if _, err := f.Plot(c.run); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("got %v, want %q", err, c.says)
		}
	}
}

// TestWhitewater plots the whitewater of a run, and of the runs in a folder.
func TestWhitewater(t *testing.T) {
	const table = "frame,time_s,parcels,spray_m3,foam_m3,bubbles_m3,mist_m3,air_entrained_m3,sprayed_m3\n" +
		"1,0,0,0,0,0,0,0,0\n2,0.5,9,0.001,0.002,0.003,0.0005,0.006,0.0025\n"
	f := registrytest.New(t, &Figures, "whitewater")
	one := fstest.MapFS{"whitewater.csv": {Data: []byte(table)}}
	two := fstest.MapFS{
		"b/whitewater.csv": {Data: []byte(table)}, "a/whitewater.csv": {Data: []byte(table)}, "c/stats.csv": {Data: []byte(table)}, "d.txt": {},
	}
	for _, c := range []struct {
		run   fs.FS
		names string
	}{{one, "run"}, {two, "a b"}} {
		p, err := f.Plot(c.run)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Check(); err != nil {
			t.Error(err)
		}
		for i, want := range []float64{6, 5, 2.5, 1.5} { // litres
			var names []string
			for _, k := range p.Panels[i].Curve {
				names = append(names, k.Name)
				if math.Abs(k.Y[1]-want) > 1e-12 || k.X[1] != 0.5 {
					t.Errorf("%s: %g L at %g s, want %g at 0.5", p.Panels[i].Name, k.Y[1], k.X[1], want)
				}
			}
			if got := strings.Join(names, " "); got != c.names {
				t.Errorf("%s: the curves are %q, want %q", p.Panels[i].Name, got, c.names)
			}
		}
	}
	many := fstest.MapFS{}
	for _, name := range strings.Split("abcdefg", "") {
		many[name+"/whitewater.csv"] = &fstest.MapFile{Data: []byte(table)}
	}
	for _, c := range []struct {
		run  fs.FS
		says string
	}{
		{nil, "name the folder"},
		{fstest.MapFS{}, "make it with the command whitewater"},
		{many, "7 runs have a whitewater.csv; expected at most 6"},
		{fstest.MapFS{"a/whitewater.csv": {Data: []byte("frame,time_s\n1,0\n")}}, "no column air_entrained_m3; was it made by another version? (run a)"},
	} {
		if _, err := f.Plot(c.run); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("got %v, want %q", err, c.says)
		}
	}
}

// TestWhitewaterSpacing plots the last volumes of runs with two lists of sources.
func TestWhitewaterSpacing(t *testing.T) {
	table := func(litres string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("frame,air_entrained_m3,sprayed_m3\n1,0,0\n2,0.00" + litres + ",0.001\n")}
	}
	manifest := func(spacing, source string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(`{"spacing": ` + spacing + `, "sources": ["strays", "` + source + `"]}`)}
	}
	f := registrytest.New(t, &Figures, "whitewater-spacing")
	p, err := f.Plot(fstest.MapFS{
		"a/whitewater.csv": table("4"), "a/manifest.json": manifest("0.04", "entrainment"),
		"b/whitewater.csv": table("3"), "b/manifest.json": manifest("0.02", "entrainment"),
		"c/whitewater.csv": table("9"), "c/manifest.json": manifest("0.02", "ihmsen"),
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Check(); err != nil {
		t.Error(err)
	}
	air := p.Panels[0].Curve
	if len(air) != 2 || air[0].Name != "strays, entrainment" || air[1].Name != "strays, ihmsen" ||
		!slices.Equal(air[0].X, []float64{2, 4}) || !slices.Equal(air[0].Y, []float64{3, 4}) || !slices.Equal(air[1].Y, []float64{9}) {
		t.Errorf("the curves of air are %+v", air)
	}
	for _, c := range []struct {
		run  fs.FS
		says string
	}{
		{nil, "name the folder"},
		{fstest.MapFS{}, "make them with the command whitewater"},
		{fstest.MapFS{"a/whitewater.csv": table("1")}, "finish the run a"},
		{fstest.MapFS{"a/whitewater.csv": table("1"), "a/manifest.json": {Data: []byte(`{"spacing": 1}`)}}, "no sources of whitewater"},
		{fstest.MapFS{
			"a/whitewater.csv": table("1"), "a/manifest.json": manifest("1", "x"), "b/whitewater.csv": table("1"), "b/manifest.json": manifest("1", "x"),
		}, "have a spacing of 100 cm"},
	} {
		if _, err := f.Plot(c.run); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("got %v, want %q", err, c.says)
		}
	}
}

func file(text string) fs.FS { return fstest.MapFS{"stats.csv": {Data: []byte(text)}} }

// TestGaugesFaults reads runs whose gauges cannot be plotted, and checks the errors.
func TestGaugesFaults(t *testing.T) {
	const header = "time_s,level_m,frame,fingerprint\n"
	f := registrytest.New(t, &Figures, "gauges")
	run := func(text string) fs.FS { return fstest.MapFS{"gauges/h.csv": {Data: []byte(text)}} }
	for _, c := range []struct {
		run  fs.FS
		says string
	}{
		{nil, "name the folder"},
		{fstest.MapFS{}, "add a [[gauge]]"},
		{run(header), "gauges/h.csv: it has no readings yet"},
		{run(header + "0,1,2,a\n0,1,2,b\n"), "line 3: the time 0 s follows 0 s, from another run"},
		{run(header + "0,1,2,a\nsoon,1,2,a\n"), "line 3: \"soon\" is not a time"},
		{run(header + "0,high,2,a\n"), "line 2: level_m: \"high\" is not a number"},
		{run(header + "0,1\n"), "wrong number of fields"},
	} {
		if _, err := f.Plot(c.run); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("got %v, want %q", err, c.says)
		}
	}
	p, err := f.Plot(run(header + "0,,2,a\n1,0.5,2,a\n"))
	if err != nil || len(p.Panels) != 1 || p.Panels[0].Y.Label != "h: level (m)" {
		t.Fatalf("%v, %v", p, err)
	}
	if y := p.Panels[0].Curve[0].Y; !math.IsNaN(y[0]) || y[1] != 0.5 {
		t.Errorf("an empty cell and 0.5 are %v", y)
	}
}

// TestPages checks that each figure's texts are on the page and do not overlap. The SVG
// must be well-formed, and the PDF's objects must be where its table says. The bytes must
// be reproducible, and the captions valid LaTeX.
func TestPages(t *testing.T) {
	for name, p := range plots(t) {
		if err := p.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestCheck checks that it finds faults.
func TestCheck(t *testing.T) {
	good := func() *Plot {
		return &Plot{Columns: 1, Caption: "A test of ρ_{0} ≤ 5 % over time.", Panels: []Panel{{Sketch: func(s *Sketch) {
			s.Window(0, 0, 10, 10)
			s.Label("here", 5, 5, 0, 0, Type{})
		}}}}
	}
	if err := good().Check(); err != nil {
		t.Fatal(err)
	}
	for says, spoil := range map[string]func(p *Plot){
		"lies on \"here\"":            func(p *Plot) { p.Panels[0].Sketch = two },
		"lies on \"the page's edge\"": func(p *Plot) { p.Panels[0].Sketch = outside },
		"not a sentence":              func(p *Plot) { p.Caption = "" },
		"does not support":            func(p *Plot) { p.Caption = "A test of characters like 水 here." },
		"no letter":                   func(p *Plot) { p.Panels[0].Title = "水" },
	} {
		p := good()
		spoil(p)
		if err := p.Check(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("got %v, want %q", err, says)
		}
	}
	var tex bytes.Buffer
	if err := good().WriteTeX(&tex, "fig"); err != nil || !strings.Contains(tex.String(), `\caption{A test of $\rho$$_{\mathrm{0}}$ $\le$ 5 \% over time.}`) {
		t.Errorf("%v: %s", err, tex.String())
	}
}

func two(s *Sketch) {
	s.Window(0, 0, 10, 10)
	s.Label("here", 5, 5, 0, 0, Type{})
	s.Label("there", 5, 5, 0, 0, Type{})
}

func outside(s *Sketch) {
	s.Window(0, 0, 10, 10)
	s.Label("a long text at the edge that is cut off there", -30, 5, 0, 0, Type{})
}
