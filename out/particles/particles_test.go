package particles

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"breakwater/out/numbers"
	"breakwater/sim/registry"
	"breakwater/sim/vec"
)

// What the files below hold: five particles, their velocities, a number each,
// and their ids. All are exact in a float32 and short in text.
var (
	handX     = []vec.Vec3{{X: 0.5, Y: -1.25, Z: 3}, {X: 0.0625, Y: 2, Z: -8}, {X: 1024, Y: 0.25, Z: 1.5}, {X: -0.75, Y: 0, Z: 0.125}, {X: 6, Y: 7, Z: 8.5}}
	handV     = []vec.Vec3{{X: 1, Y: 2, Z: 3}, {X: -4, Y: 5, Z: 6}, {X: 7, Y: -8, Z: 9}, {X: 0.5, Y: 0.25, Z: 0.125}, {X: -1, Y: -2, Z: -3}}
	handHeat  = []float64{20, 21.5, -3.25, 0, 100}
	handID    = []float64{7, 5, 3, 1, 0}
	handCount = fmt.Sprint(len(handX))
)

// numbersOf writes numbers of a type one after the other.
func numbersOf(order binary.ByteOrder, t numbers.Type, v ...float64) (b []byte) {
	for _, x := range v {
		n := make([]byte, 8)
		switch t {
		case numbers.Int8, numbers.Uint8:
			n[0] = byte(int64(x))
		case numbers.Int16, numbers.Uint16:
			order.PutUint16(n, uint16(int64(x)))
		case numbers.Int32, numbers.Uint32:
			order.PutUint32(n, uint32(int64(x)))
		case numbers.Int64, numbers.Uint64:
			order.PutUint64(n, uint64(int64(x)))
		case numbers.Float16:
			order.PutUint16(n, halfBits(x))
		case numbers.Float32:
			order.PutUint32(n, math.Float32bits(float32(x)))
		case numbers.Float64:
			order.PutUint64(n, math.Float64bits(x))
		}
		b = append(b, n[:t.Size()]...)
	}
	return b
}

// halfBits returns the binary16 of x, which must have one.
func halfBits(x float64) uint16 {
	for b := range 1 << 16 {
		if numbers.Half(uint16(b)) == x {
			return uint16(b)
		}
	}
	panic(fmt.Sprintf("%g is not a number of 16 bits", x))
}

// flat returns the parts of vectors one after the other.
func flat(v []vec.Vec3) (f []float64) {
	for _, x := range v {
		f = append(f, x.X, x.Y, x.Z)
	}
	return f
}

// textOf writes numbers as text, with perLine numbers on each line.
func textOf(perLine int, v ...float64) string {
	var b strings.Builder
	for i, x := range v {
		fmt.Fprintf(&b, "%g", x)
		if (i+1)%perLine == 0 {
			b.WriteByte('\n')
		} else {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

func zipped(b []byte) []byte {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	w.Write(b)
	w.Close()
	return z.Bytes()
}

// handFile is a file written by hand after the published description of its format.
type handFile struct {
	name string
	data []byte
	// What of the file there is beside the positions.
	velocity, heat, id bool
	open               bool // the format does not say where a file ends
}

// handFiles are the files of all formats.
func handFiles() []handFile {
	return slices.Concat(vtkFiles(), plyFiles(), textFiles(), numpyFiles(), bgeoFiles(), vtuFiles())
}

func vtkFiles() []handFile {
	be := binary.BigEndian
	n := handCount
	cells := func() string {
		var b strings.Builder
		for i := range handX {
			fmt.Fprintf(&b, "1 %d\n", i)
		}
		return b.String()
	}()
	binaryCells := func() (b []byte) {
		for i := range handX {
			b = append(b, numbersOf(be, numbers.Int32, 1, float64(i))...)
		}
		return b
	}()
	join := func(parts ...any) (b []byte) {
		for _, p := range parts {
			b = fmt.Appendf(b, "%s", p)
		}
		return b
	}
	return []handFile{
		{name: "ascii.vtk", velocity: true, heat: true, id: true, open: true, data: join(
			"# vtk DataFile Version 3.0\nfive of them\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS ", n, " double\n", textOf(9, flat(handX)...), "\n",
			"CELLS ", n, " 10\n", cells, "CELL_TYPES ", n, "\n", strings.Repeat("1\n", len(handX)),
			"POINT_DATA ", n, "\nSCALARS heat float\nLOOKUP_TABLE default\n", textOf(1, handHeat...), "VECTORS velocity float\n", textOf(3, flat(handV)...),
			"SCALARS id int 1\nLOOKUP_TABLE default\n", textOf(5, handID...))},
		{name: "polydata.vtk", velocity: true, heat: true, open: true, data: join(
			"# vtk DataFile Version 5.1\r\nvtk output\r\nASCII\r\nDATASET POLYDATA\r\nPOINTS ", n, " float\r\n", strings.ReplaceAll(textOf(3, flat(handX)...), "\n", "\r\n"),
			"METADATA\r\nINFORMATION 0\r\n\r\nVERTICES 2 5\r\nOFFSETS vtktypeint64\r\n0 5 \r\nCONNECTIVITY vtktypeint64\r\n0 1 2 3 4 \r\n",
			"CELL_DATA 1\r\nSCALARS other float\r\nLOOKUP_TABLE default\r\n4\r\nPOINT_DATA ", n, "\r\nFIELD FieldData 2\r\nheat 1 ", n, " double\r\n", textOf(5, handHeat...), "METADATA\r\nINFORMATION 0\r\n\r\nvelocity 3 ", n, " float\r\n", textOf(3, flat(handV)...))},
		// As SPlisHSPlasH and splashsurf write it.
		{name: "binary.vtk", velocity: true, heat: true, id: true, open: true, data: join(
			"# vtk DataFile Version 4.1\nSPlisHSPlasH particle data\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS ", n, " float\n", numbersOf(be, numbers.Float32, flat(handX)...),
			"\nCELLS ", n, " 10\n", binaryCells, "\nCELL_TYPES ", n, "\n", numbersOf(be, numbers.Int32, 1, 1, 1, 1, 1),
			"\nPOINT_DATA ", n, "\nSCALARS id unsigned_int 1\nLOOKUP_TABLE id_table\n", numbersOf(be, numbers.Uint32, handID...),
			"\nFIELD FieldData 2\nheat 1 ", n, " double\n", numbersOf(be, numbers.Float64, handHeat...), "\nvelocity 3 ", n, " float\n", numbersOf(be, numbers.Float32, flat(handV)...), "\n")},
		{name: "newer.vtk", heat: true, open: true, data: join(
			"# vtk DataFile Version 5.1\nvtk output\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS ", n, " double\n", numbersOf(be, numbers.Float64, flat(handX)...),
			"\nMETADATA\nINFORMATION 1\nNAME L2_NORM_RANGE LOCATION vtkDataArray\nDATA 2 0 1\n\nCELLS 2 5\nOFFSETS vtktypeint64\n", numbersOf(be, numbers.Int64, 0, 5), "\nCONNECTIVITY vtktypeint64\n", numbersOf(be, numbers.Int64, 0, 1, 2, 3, 4),
			"\nCELL_TYPES 1\n", numbersOf(be, numbers.Int32, 2),
			"\nPOINT_DATA ", n, "\nSCALARS heat short\nLOOKUP_TABLE default\n", numbersOf(be, numbers.Int16, 20, 21, -3, 0, 100),
			"\nTENSORS stress float\n", numbersOf(be, numbers.Float32, make([]float64, 9*len(handX))...), "\nCOLOR_SCALARS color 3\n", make([]byte, 3*len(handX)), "\n")},
	}
}

func plyFiles() (list []handFile) {
	head := func(format, element string) string {
		return "ply\nformat " + format + " 1.0\ncomment by hand\n" + element + "end_header\n"
	}
	vertex := "element vertex " + handCount + "\nproperty float x\nproperty float y\nproperty float z\nproperty double heat\nproperty short vx\nproperty float vy\nproperty float vz\nproperty uchar id\n"
	face := "element face 1\nproperty list uchar int vertex_indices\n"
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		var rows []byte
		for i := range handX {
			rows = append(rows, numbersOf(order, numbers.Float32, handX[i].X, handX[i].Y, handX[i].Z)...)
			rows = append(rows, numbersOf(order, numbers.Float64, handHeat[i])...)
			rows = append(rows, numbersOf(order, numbers.Int16, handV[i].X)...)
			rows = append(rows, numbersOf(order, numbers.Float32, handV[i].Y, handV[i].Z)...)
			rows = append(rows, byte(handID[i]))
		}
		format, name := "binary_little_endian", "little.ply"
		if order == binary.ByteOrder(binary.BigEndian) {
			format, name = "binary_big_endian", "big.ply"
		}
		triangle := append([]byte{3}, numbersOf(order, numbers.Int32, 0, 1, 2)...)
		list = append(list,
			handFile{name: name, velocity: true, heat: true, id: true, data: append([]byte(head(format, vertex)), rows...)},
			handFile{name: "faces_first_" + name, velocity: true, heat: true, id: true, data: slices.Concat([]byte(head(format, face+vertex)), triangle, rows)})
	}
	var rows strings.Builder
	for i, x := range handX {
		fmt.Fprintf(&rows, "%g %g %g %g %g %g %g %g\n", x.X, x.Y, x.Z, handHeat[i], handV[i].X, handV[i].Y, handV[i].Z, handID[i])
	}
	// The vx of these files are whole numbers.
	return append(list,
		handFile{name: "text.ply", velocity: true, heat: true, id: true, data: []byte(head("ascii", strings.Replace(vertex, "short", "float", 1)) + rows.String())},
		handFile{name: "text_faces.ply", velocity: true, heat: true, id: true, data: []byte(head("ascii", face+strings.Replace(vertex, "short", "float", 1)) + "3 0 1 2\n" + rows.String())})
}

func textFiles() []handFile {
	table := func(head, separator string, columns ...[]float64) []byte {
		b := []byte(head)
		for i := range handX {
			for k, c := range columns {
				if k > 0 {
					b = append(b, separator...)
				}
				b = fmt.Appendf(b, "%g", c[i])
			}
			b = append(b, '\n')
		}
		return b
	}
	axis := func(v []vec.Vec3) (x, y, z []float64) {
		for _, p := range v {
			x, y, z = append(x, p.X), append(y, p.Y), append(z, p.Z)
		}
		return x, y, z
	}
	x, y, z := axis(handX)
	vx, vy, vz := axis(handV)
	molecule := strings.ReplaceAll("\n"+string(table("", " ", x, y, z)), "\n", "\nH ")
	return []handFile{
		{name: "names.csv", velocity: true, heat: true, id: true, open: true, data: table("x,y,z,vx,vy,vz,heat,id\n", ",", x, y, z, vx, vy, vz, handHeat, handID)},
		{name: "paraview.csv", velocity: true, heat: true, open: true, data: table("\"heat\",\"velocity:0\",\"velocity:1\",\"velocity:2\",\"Points:0\",\"Points:1\",\"Points:2\"\n", ",", handHeat, vx, vy, vz, x, y, z)},
		{name: "comma.csv", velocity: true, open: true, data: bytes.ReplaceAll(table("X;Y;Z;velocity_x;velocity_y;velocity_z\n", ";", x, y, z, vx, vy, vz), []byte("."), []byte(","))},
		{name: "quoted.csv", velocity: true, heat: true, open: true, data: table("\"velocity, x\",\"velocity, y\",\"velocity, z\",heat,\"a \"\"b\"\", c\", x ,y,z\n", ",", vx, vy, vz, handHeat, handHeat, x, y, z)},
		{name: "quotes.csv", id: true, open: true, data: table("\"id\" \"p x\" \"p y\" \"p z\"\n", " ", handID, x, y, z)},
		{name: "nameless.csv", open: true, data: table("# by hand\n\n", ", ", x, y, z)},
		{name: "tabs.tsv", heat: true, open: true, data: table("\ufeffheat\tx\ty\tz\r\n", "\t", handHeat, x, y, z)},
		{name: "plain.xyz", open: true, data: table("", " ", x, y, z)},
		{name: "counted.xyz", open: true, data: table("5\n", " ", x, y, z)},
		{name: "molecule.xyz", open: true, data: []byte("5\nwater, by hand" + molecule[:len(molecule)-2])},
		{name: "raw.xyz", open: true, data: numbersOf(binary.LittleEndian, numbers.Float32, flat(handX)...)},
	}
}

func npyFile(version byte, head string, data []byte) []byte {
	size := binary.LittleEndian.AppendUint16(nil, uint16(len(head)))
	if version > 1 {
		size = binary.LittleEndian.AppendUint32(nil, uint32(len(head)))
	}
	return slices.Concat([]byte("\x93NUMPY"), []byte{version, 0}, size, []byte(head), data)
}

func numpyFiles() []handFile {
	le, be := binary.LittleEndian, binary.BigEndian
	var columns []float64 // x, then y, then z
	for a := range 3 {
		for i := range handX {
			columns = append(columns, flat(handX)[3*i+a])
		}
	}
	var records []byte
	for i := range handX {
		records = slices.Concat(records, []byte("ab"), numbersOf(le, numbers.Float64, flat(handX)[3*i:3*i+3]...), numbersOf(le, numbers.Int64, handID[i]),
			numbersOf(be, numbers.Float32, handHeat[i]), numbersOf(le, numbers.Float32, flat(handV)[3*i:3*i+3]...))
	}
	archive := func(method uint16, files ...string) []byte {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for k := 0; k < len(files); k += 2 {
			w, err := z.CreateHeader(&zip.FileHeader{Name: files[k], Method: method})
			if err != nil {
				panic(err)
			}
			w.Write([]byte(files[k+1]))
		}
		z.Close()
		return b.Bytes()
	}
	x := npyFile(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (5, 3), }\n", numbersOf(le, numbers.Float32, flat(handX)...))
	v := npyFile(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (5, 3), }\n", numbersOf(le, numbers.Float64, flat(handV)...))
	heat := npyFile(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (5,), }\n", numbersOf(le, numbers.Float64, handHeat...))
	other := npyFile(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }\n", numbersOf(le, numbers.Float64, 1, 2))
	return []handFile{
		{name: "float.npy", data: x},
		{name: "half.npy", data: npyFile(1, "{'descr': '<f2', 'fortran_order': False, 'shape': (5, 3), }\n", numbersOf(le, numbers.Float16, flat(handX)...))},
		{name: "columns.npy", data: npyFile(2, "{'descr': '>f8', 'fortran_order': True, 'shape': (5, 3), }\n", numbersOf(be, numbers.Float64, columns...))},
		{name: "records.npy", velocity: true, heat: true, id: true, data: npyFile(3,
			"{'descr': [('name', '|S2'), ('position', '<f8', (3,)), ('id', '<i8'), ('heat', '>f4'), ('vel', '<f4', (3,))], 'fortran_order': False, 'shape': (5,), }\n", records)},
		{name: "stored.npz", velocity: true, heat: true, data: archive(zip.Store, "velocity.npy", string(v), "heat.npy", string(heat), "arr_0.npy", string(x), "bounds.npy", string(other))},
		{name: "deflated.npz", heat: true, data: archive(zip.Deflate, "positions.npy", string(x), "heat.npy", string(heat), "readme.txt", "five of them")},
	}
}

// bgeoFiles are as Partio writes them.
func bgeoFiles() []handFile {
	be := binary.BigEndian
	name := func(s string) []byte { return append(be.AppendUint16(nil, uint16(len(s))), s...) }
	attr := func(s string, size int, kind float64, more ...float64) []byte {
		return slices.Concat(name(s), be.AppendUint16(nil, uint16(size)), numbersOf(be, numbers.Int32, kind), numbersOf(be, numbers.Int32, more...))
	}
	data := slices.Concat([]byte("BgeoV"), numbersOf(be, numbers.Int32, 5, float64(len(handX)), 0, 0, 0, 4, 0, 0, 0),
		attr("velocity", 3, bgeoVector, 0, 0, 0), attr("heat", 1, bgeoFloat, 0), attr("kind", 1, bgeoString, 2), name("water"), name("oil"), attr("id", 1, bgeoInt, 0))
	for i := range handX {
		data = slices.Concat(data, numbersOf(be, numbers.Float32, append(flat(handX)[3*i:3*i+3:3*i+3], 1)...), numbersOf(be, numbers.Float32, flat(handV)[3*i:3*i+3]...),
			numbersOf(be, numbers.Float32, handHeat[i]), numbersOf(be, numbers.Int32, 1), numbersOf(be, numbers.Int32, handID[i]))
	}
	return []handFile{
		{name: "partio.bgeo", velocity: true, heat: true, id: true, data: data},
		{name: "zipped.bhclassic", velocity: true, heat: true, id: true, data: zipped(data)},
	}
}

// vtuFiles are files of VTK's XML formats, with their arrays in all forms.
func vtuFiles() (list []handFile) {
	for _, c := range []struct {
		name, kind, form string // form: ascii, binary, raw, base64
		order            binary.ByteOrder
		word             int
		zip              bool
		pieces           int
	}{
		{"text.vtu", "UnstructuredGrid", "ascii", binary.LittleEndian, 4, false, 1},
		{"pieces.vtp", "PolyData", "ascii", binary.LittleEndian, 4, false, 2},
		{"inline.vtu", "UnstructuredGrid", "binary", binary.LittleEndian, 4, false, 1},
		{"inline_big.vtu", "UnstructuredGrid", "binary", binary.BigEndian, 8, false, 2},
		{"inline_zip.vtu", "UnstructuredGrid", "binary", binary.LittleEndian, 4, true, 1},
		{"inline_zip8.vtu", "UnstructuredGrid", "binary", binary.LittleEndian, 8, true, 1},
		{"appended.vtu", "UnstructuredGrid", "raw", binary.LittleEndian, 8, false, 1},
		{"appended_zip.vtu", "UnstructuredGrid", "raw", binary.LittleEndian, 4, true, 2},
		{"appended_base64.vtp", "PolyData", "base64", binary.LittleEndian, 4, false, 1},
		{"appended_base64_zip.vtu", "UnstructuredGrid", "base64", binary.BigEndian, 8, true, 1},
	} {
		list = append(list, handFile{name: c.name, velocity: true, heat: true, id: true, data: vtuFile(c.kind, c.form, c.order, c.word, c.zip, c.pieces)})
	}
	return list
}

// vtuFile writes a file, in blocks of 20 bytes if it is compressed.
func vtuFile(kind, form string, order binary.ByteOrder, word int, zip bool, pieces int) []byte {
	var b, appended bytes.Buffer
	endian, header, compressor := "LittleEndian", "UInt32", ""
	if order == binary.ByteOrder(binary.BigEndian) {
		endian = "BigEndian"
	}
	size := numbers.Uint32
	if word == 8 {
		header, size = "UInt64", numbers.Uint64
	}
	if zip {
		compressor = ` compressor="vtkZLibDataCompressor"`
	}
	fmt.Fprintf(&b, "<?xml version=\"1.0\"?>\n<!-- by hand: <Piece> -->\n<VTKFile type=%q version=\"1.0\" byte_order=%q header_type=%q%s>\n<%s>\n", kind, endian, header, compressor, kind)
	array := func(name, typ string, t numbers.Type, width int, v []float64) {
		fmt.Fprintf(&b, "<DataArray type=%q Name=%q NumberOfComponents='%d' ", typ, name, width)
		if form == "ascii" {
			fmt.Fprintf(&b, "format=\"ascii\">\n%s</DataArray>\n", textOf(4, v...))
			return
		}
		data := numbersOf(order, t, v...)
		head, body := numbersOf(order, size, float64(len(data))), data
		if zip {
			const block = 20
			var sizes []float64
			body = nil
			for from := 0; from < len(data); from += block {
				var z bytes.Buffer
				w := zlib.NewWriter(&z)
				w.Write(data[from:min(len(data), from+block)])
				w.Close()
				sizes, body = append(sizes, float64(z.Len())), append(body, z.Bytes()...)
			}
			head = numbersOf(order, size, append([]float64{float64(len(sizes)), block, float64(len(data) % block)}, sizes...)...)
		}
		encoded := append(head, body...)
		if form != "raw" && zip {
			encoded = []byte(base64.StdEncoding.EncodeToString(head) + base64.StdEncoding.EncodeToString(body))
		} else if form != "raw" {
			encoded = []byte(base64.StdEncoding.EncodeToString(encoded))
		}
		if form == "binary" {
			fmt.Fprintf(&b, "format=\"binary\">\n  %s\n</DataArray>\n", encoded)
			return
		}
		fmt.Fprintf(&b, "format=\"appended\" offset=\"%d\"/>\n", appended.Len())
		appended.Write(encoded)
	}
	for k := range pieces {
		lo, hi := len(handX)*k/pieces, len(handX)*(k+1)/pieces
		fmt.Fprintf(&b, "<Piece NumberOfPoints=\"%d\" NumberOfCells=\"0\">\n<PointData Scalars=\"id\">\n", hi-lo)
		array("id", "UInt64", numbers.Uint64, 1, handID[lo:hi])
		array("velocity", "Float32", numbers.Float32, 3, flat(handV[lo:hi]))
		array("heat", "Float64", numbers.Float64, 1, handHeat[lo:hi])
		b.WriteString("</PointData>\n<CellData></CellData>\n<Points>\n")
		array("Points", "Float32", numbers.Float32, 3, flat(handX[lo:hi]))
		b.WriteString("</Points>\n<Cells>\n")
		array("types", "UInt8", numbers.Uint8, 1, nil)
		b.WriteString("</Cells>\n</Piece>\n")
	}
	fmt.Fprintf(&b, "</%s>\n", kind)
	if appended.Len() > 0 {
		encoding := form
		fmt.Fprintf(&b, "<AppendedData encoding=%q>\n_%s\n</AppendedData>\n", encoding, appended.Bytes())
	}
	b.WriteString("</VTKFile>\n")
	return b.Bytes()
}

// TestParticleReaders reads all files by hand, gzipped too, all fields and
// none.
func TestParticleReaders(t *testing.T) {
	tested := map[string]bool{}
	for _, f := range handFiles() {
		t.Run(f.name, func(t *testing.T) {
			tested[Ext(f.name)] = true
			p, err := Read(f.name, f.data, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(p.X, handX) {
				t.Errorf("positions %v", p.X)
			}
			var names []string
			for _, field := range p.Fields {
				names = append(names, field.Name)
			}
			if !slices.Equal(names, p.Names) {
				t.Errorf("fields %v, but Names has %v", names, p.Names)
			}
			checkField(t, p, "velocity", f.velocity, nil, handV)
			checkField(t, p, "heat", f.heat, handHeat, nil)
			checkField(t, p, "id", f.id, handID, nil)

			few, err := Read("a.b/"+strings.ToUpper(f.name), f.data, func(name string) bool { return name == "heat" })
			if err != nil || len(few.Fields) > 1 || !slices.Equal(few.Names, p.Names) {
				t.Errorf("asked for heat: %v, %v, %v", few.Fields, few.Names, err)
			}
			if bytes.HasPrefix(f.data, []byte{0x1f, 0x8b}) { // already
				return
			}
			if z, err := Read(f.name+".gz", zipped(f.data), nil); err != nil || !slices.Equal(z.X, p.X) {
				t.Errorf("gzipped: %v", err)
			}
		})
	}
	for _, ext := range Exts() {
		if !tested[ext] && ext != "txt" { // as .csv
			t.Errorf("no file of the format .%s is tested", ext)
		}
	}
	if _, err := Read("a.doc", nil, nil); err == nil || !strings.Contains(err.Error(), ".vtk") {
		t.Errorf("an unknown format: %v", err)
	}
}

// checkField compares one of p's fields with what it should be.
func checkField(t *testing.T, p *Cloud, name string, there bool, scalar []float64, vector []vec.Vec3) {
	t.Helper()
	k := slices.IndexFunc(p.Fields, func(f Field) bool { return f.Name == name })
	if k < 0 {
		if there {
			t.Errorf("no %s", name)
		}
		return
	}
	f := p.Fields[k]
	close := func(a, b float64) bool { return math.Abs(a-b) < 1 } // some are written as whole numbers
	if !slices.EqualFunc(f.Scalar, scalar, close) || !slices.EqualFunc(flat(f.Vector), flat(vector), close) {
		t.Errorf("%s is %v%v", name, f.Scalar, f.Vector)
	}
}

// TestParticlesCutShort cuts files short at every byte. There is an error, or
// where the format does not say how long a file is, no more than there was.
func TestParticlesCutShort(t *testing.T) {
	for _, f := range handFiles() {
		end := len(bytes.TrimRight(f.data, "\r\n"))
		for n := range end {
			p, err := Read(f.name, f.data[:n], nil)
			switch {
			case err != nil:
			case !f.open:
				t.Fatalf("%s: %d of %d bytes are read without an error", f.name, n, len(f.data))
			case len(p.X) > len(handX) || len(p.X) > 1 && !slices.Equal(p.X[:len(p.X)-1], handX[:len(p.X)-1]):
				t.Fatalf("%s: of %d of %d bytes are read %v", f.name, n, len(f.data), p.X)
			}
		}
	}
}

// TestParticlesHuge claims more than a file has, and must neither be believed
// nor take memory.
func TestParticlesHuge(t *testing.T) {
	for _, f := range handFiles() {
		for at := range f.data {
			if f.data[at] != handCount[0] {
				continue
			}
			for _, count := range []string{"-5", "2147483647", "99999999999", "9223372036854775807", "99999999999999999999999999"} {
				data := slices.Concat(f.data[:at], []byte(count), f.data[at+1:])
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				p, err := Read(f.name, data, nil)
				runtime.ReadMemStats(&after)
				if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 {
					t.Errorf("%s with %s at byte %d: took %d bytes", f.name, count, at, took)
				}
				if err == nil && len(p.X) > 2*len(handX) {
					t.Errorf("%s with %s at byte %d: read %d particles", f.name, count, at, len(p.X))
				}
			}
		}
	}
}

// npzFile is an archive of arrays of zeros: name, shape, and how many numbers.
func npzFile(arrays ...any) string {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for k := 0; k < len(arrays); k += 3 {
		w, err := z.Create(arrays[k].(string) + ".npy")
		if err != nil {
			panic(err)
		}
		w.Write(npyFile(1, fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': %s}\n", arrays[k+1]), make([]byte, 4*arrays[k+2].(int))))
	}
	z.Close()
	return b.String()
}

// TestMisfits drops arrays of another length, unless they are velocities, and velocities
// that were not asked for.
func TestMisfits(t *testing.T) {
	for _, c := range []struct {
		name string
		want bool
	}{{"bounds", true}, {"velocity", false}} {
		data := npzFile("positions", "(2, 3)", 6, c.name, "(1, 3)", 3)
		p, err := Read("a.npz", []byte(data), func(string) bool { return c.want })
		if err != nil || len(p.X) != 2 || len(p.Fields) != 0 {
			t.Errorf("%s: %+v, %v", c.name, p, err)
		}
	}
}

func TestParticleFaults(t *testing.T) {
	for _, c := range []struct{ name, data, says string }{
		{"a.vtk", "ply\n", "its first line"},
		{"a.vtk", "# vtk DataFile Version 3.0\n\nTEXT\n", "line 3: expected ASCII or BINARY"},
		{"a.vtk", "# vtk DataFile Version 3.0\n\nASCII\nDATASET STRUCTURED_POINTS\n", "line 4: STRUCTURED_POINTS are a grid"},
		{"a.vtk", "# vtk DataFile Version 3.0\n\nASCII\nDATASET POLYDATA\n", "no POINTS"},
		{"a.vtk", "# vtk DataFile Version 3.0\n\nASCII\nDATASET POLYDATA\nPOINTS 2 float\n1 2 3\n4 x 6\n", "line 7: \"x\" is not a number"},
		{"a.vtk", "# vtk DataFile Version 3.0\n\nASCII\nDATASET POLYDATA\nPOINTS 1 real\n", "unknown type \"real\""},
		{"a.vtk", "# vtk DataFile Version 3.0\n\nASCII\nDATASET POLYDATA\nPOINTS 1 float\n1 2 3\nWATER 3\n", "line 7: unknown keyword \"WATER\""},
		{"a.vtk", "# vtk DataFile Version 3.0\n\nASCII\nDATASET POLYDATA\nPOINTS 1 float\n1 2 3\nPOINT_DATA 2\n", "line 7: POINT_DATA of 2 for 1 points"},
		{"a.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nend_header\n1 2\n", "no columns x, y, z among x, y"},
		{"a.ply", "ply\nformat ascii 1.0\nelement face 0\nproperty float x\nend_header\n", "no element vertex"},
		{"a.csv", "x,y,z\n1,2,3\n1,2\n", "line 3: 2 columns, but the first line has 3"},
		{"a.csv", "x,y,z\n1,2,3\n1,2,water\n", "line 3: \"water\" is not a number"},
		{"a.csv", "a,b,c\n1,2,3\n", "no columns x, y, z among a, b, c"},
		{"a.csv", "x,y,z,w\n1,2,3\n", "3 columns, but 4 column names"},
		{"a.csv", "# nothing\n", "no line with numbers"},
		{"a.xyz", "abc\x00\xff", "not a whole number of triples"},
		{"a.xyz", "1 2\n", "no columns x, y, z"},
		{"a.npy", "NUMPY", "does not begin with"},
		{"a.npy", string(npyFile(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 17)}\n", make([]byte, 204))), "write its transpose"},
		{"a.npy", string(npyFile(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (6, 20)}\n", make([]byte, 480))), "write its transpose"},
		{"a.npz", npzFile("positions", "(2, 3)", 6, "velocity", "(1, 3)", 3), "\"velocity\" has 1 rows of 3 numbers for 2 particles"},
		{"a.npz", npzFile("positions", "(2, 3)", 6, "v", "(2, 2)", 4), "\"v\" has the shape [2 2]"},
		{"a.vtk", "# vtk DataFile Version 3.0\n\nASCII\nDATASET POLYDATA\nPOINTS 2 float\n1 2 3\n4 5 6\nPOINT_DATA 2\nFIELD f 1\nvelocity 3 1 float\n1 2 3\n", "\"velocity\" has 1 rows"},
		{"a.npy", string(npyFile(1, "{'descr': '<c8', 'fortran_order': False, 'shape': (1, 3)}\n", make([]byte, 24))), "numbers of type \"<c8\" are not supported"},
		{"a.npy", string(npyFile(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (6,)}\n", make([]byte, 24))), "an array of shape [6]"},
		{"a.npz", "PK\x03\x04", "zip"},
		{"a.bgeo", "\x7fNSJ", "save it as .bhclassic from Houdini"},
		{"a.bgeo", "BgeoV\x00\x00\x00\x04" + strings.Repeat("\x00", 40), "version 4"},
		{"a.vtu", "<VTKFile type=\"UnstructuredGrid\" compressor=\"vtkLZ4DataCompressor\">", "compressed by vtkLZ4DataCompressor"},
		{"a.vtu", "<VTKFile type=\"UnstructuredGrid\"></VTKFile>", "no Piece"},
		{"a.vtu", "<VTKFile><Piece NumberOfPoints=\"1\"></Piece></VTKFile>", "no Points"},
		{"a.vtu", "<VTKFile><Piece NumberOfPoints=\"x\"></Piece></VTKFile>", "NumberOfPoints \"x\""},
		{"a.vtu", "<VTKFile><Piece", "its end is missing"},
		{"a.vtu", "ply", "it has no VTKFile"},
		{"a.vtu", "<!-->", "it has no VTKFile"},
		{"a.vtk.gz", "\x1f\x8b\x08\x00", "gzip"},
	} {
		if _, err := Read(c.name, []byte(c.data), nil); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v, want %q", c.data, err, c.says)
		}
	}
}

// fuzzReader reads what the fuzzer makes of the files of a format by hand.
func fuzzReader(f *testing.F, name string) {
	r, err := Readers.New(name, registry.None)
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range handFiles() {
		if slices.Contains(r.Exts(), Ext(file.name)) {
			f.Add(file.data)
		}
	}
	// Numbers of failed simulations, as text and as float64.
	f.Add([]byte("x,y,z\n1e308,-1e308,1e150\n1e-310,5e-324,nan\ninf,1e999,0\n"))
	f.Add(npyFile(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }\n", numbersOf(binary.LittleEndian, numbers.Float64, 1e308, -1e308, 1e-310, 5e-324, math.NaN(), math.Inf(1))))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := r.Read(data, func(string) bool { return true })
		if err != nil {
			return
		}
		for _, field := range p.Fields {
			if len(field.Scalar)+len(field.Vector) != len(p.X) {
				t.Errorf("field %q has %d values for %d particles", field.Name, len(field.Scalar)+len(field.Vector), len(p.X))
			}
		}
		if len(p.X) > len(data) {
			t.Errorf("%d particles in %d bytes", len(p.X), len(data))
		}
	})
}

func FuzzVTK(f *testing.F)          { fuzzReader(f, "vtk") }
func FuzzPLYParticles(f *testing.F) { fuzzReader(f, "ply") }
func FuzzCSV(f *testing.F)          { fuzzReader(f, "csv") }
func FuzzXYZ(f *testing.F)          { fuzzReader(f, "xyz") }
func FuzzNumPy(f *testing.F)        { fuzzReader(f, "numpy") }
func FuzzBGEO(f *testing.F)         { fuzzReader(f, "bgeo") }
func FuzzVTU(f *testing.F)          { fuzzReader(f, "vtu") }

// BenchmarkReadParticles reads a hundred thousand particles.
func BenchmarkReadParticles(b *testing.B) {
	const n = 100_000
	x := make([]float64, 3*n)
	for i := range x {
		x[i] = float64(float32(math.Sin(float64(i))))
	}
	head := fmt.Sprintf("# vtk DataFile Version 4.1\n\nBINARY\nDATASET POLYDATA\nPOINTS %d float\n", n)
	ply := fmt.Sprintf("ply\nformat binary_little_endian 1.0\nelement vertex %d\nproperty float x\nproperty float y\nproperty float z\nend_header\n", n)
	for name, data := range map[string][]byte{
		"binary.vtk": append([]byte(head), numbersOf(binary.BigEndian, numbers.Float32, x...)...),
		"text.vtk":   []byte(strings.Replace(head, "BINARY", "ASCII", 1) + textOf(3, x...)),
		"binary.ply": append([]byte(ply), numbersOf(binary.LittleEndian, numbers.Float32, x...)...),
		"text.ply":   []byte(strings.Replace(ply, "binary_little_endian", "ascii", 1) + textOf(3, x...)),
		"text.xyz":   []byte(textOf(3, x...)),
		"raw.xyz":    numbersOf(binary.LittleEndian, numbers.Float32, x...),
		"float.npy":  npyFile(1, fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': (%d, 3)}\n", n), numbersOf(binary.LittleEndian, numbers.Float32, x...)),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if _, err := Read(name, data, nil); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mparticles/s")
		})
	}
}
