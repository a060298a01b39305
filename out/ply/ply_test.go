package ply

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"breakwater/out/numbers"
	"breakwater/sim/vec"
)

// TestTypes reads a row with a number and a list of each type, as text and in both orders
// of bytes.
func TestTypes(t *testing.T) {
	names := []string{"char", "uint8", "short", "uint16", "int", "uint32", "float", "float64"}
	elements := "element none 0\nelement row 2\n"
	for _, name := range names {
		elements += "property " + name + " a\nproperty list uchar " + name + " b\n"
	}
	// value returns number k of row i, whose upper bits are set where the type has a sign.
	value := func(typ numbers.Type, i, k int) float64 {
		v := float64(1 + i + 10*k)
		switch typ {
		case numbers.Float32, numbers.Float64:
			return v + 0.25
		case numbers.Int8, numbers.Int16, numbers.Int32:
			return -v
		}
		return v
	}
	put := func(b []byte, o binary.AppendByteOrder, typ numbers.Type, v float64) []byte {
		switch typ.Size() {
		case 1:
			return append(b, byte(int(v)))
		case 2:
			return o.AppendUint16(b, uint16(int(v)))
		}
		switch typ {
		case numbers.Float32:
			return o.AppendUint32(b, math.Float32bits(float32(v)))
		case numbers.Float64:
			return o.AppendUint64(b, math.Float64bits(v))
		}
		return o.AppendUint32(b, uint32(int(v)))
	}
	for format, order := range map[string]binary.AppendByteOrder{"ascii": nil, "binary_little_endian": binary.LittleEndian, "binary_big_endian": binary.BigEndian} {
		var b []byte
		for i := range 2 {
			for _, name := range names {
				typ := types[name]
				if order == nil {
					b = fmt.Appendln(b, value(typ, i, 0), 2, value(typ, i, 1), value(typ, i, 2))
					continue
				}
				b = append(put(b, order, typ, value(typ, i, 0)), 2)
				b = put(put(b, order, typ, value(typ, i, 1)), order, typ, value(typ, i, 2))
			}
		}
		r := bufio.NewReader(strings.NewReader("ply\nformat " + format + " 1.0\nobj_info none\n" + elements + "end_header\n" + string(b)))
		h, err := ReadHead(r, nil)
		if err != nil {
			t.Fatal(err)
		}
		rows := 0
		err = NewReader(r, h.Order).ReadAll(h, map[string]Row{"row": func(i int, num []float64, list [][]float64) error {
			rows++
			for k, name := range names {
				typ := types[name]
				if num[2*k] != value(typ, i, 0) || num[2*k+1] != 2 || !slices.Equal(list[2*k+1], []float64{value(typ, i, 1), value(typ, i, 2)}) {
					t.Errorf("%s: row %d has %s %g and %v", format, i, name, num[2*k], list[2*k+1])
				}
			}
			return nil
		}})
		if err != nil || rows != 2 {
			t.Errorf("%s: %d rows, %v", format, rows, err)
		}
	}
}

// TestEncoder reads what an Encoder writes, and checks the size of the file.
func TestEncoder(t *testing.T) {
	const rows = 5000 // more than a buffer
	var b bytes.Buffer
	e := NewEncoder(&b, []string{"by hand"}, fmt.Sprintf("element vertex %d\nproperty float x\nproperty float y\nproperty float z\nproperty uint id\n", rows))
	for i := range rows {
		e.Vec(vec.New(float64(i), 0.5, -1))
		e.Uint32(uint32(i))
		if err := e.EndRow("vertex", i); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Flush(); err != nil {
		t.Fatal(err)
	}
	var comment string
	size, data := int64(b.Len()), bytes.NewReader(b.Bytes())
	h, r, err := Open(data, func(s string) error { comment = s; return nil })
	if err != nil || comment != " by hand" {
		t.Fatalf("%q, %v", comment, err)
	}
	for off, want := range map[int64]string{0: "", -1: "cut short", 1: "1 bytes after"} {
		if err := h.Check(size+off, "vertex"); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%+d bytes: %v", off, err)
		}
	}
	err = r.ReadAll(h, map[string]Row{"vertex": func(i int, num []float64, _ [][]float64) error {
		if !slices.Equal(num, []float64{float64(i), 0.5, -1, float64(i)}) {
			return fmt.Errorf("reads %v", num)
		}
		return nil
	}})
	if err != nil {
		t.Error(err)
	}
	e.Float(1e39)
	if err := e.EndRow("vertex", 7); err == nil || err.Error() != "vertex 7: a value is not finite" {
		t.Error(err)
	}
}

// TestFaults holds that every fault is reported, and that a head which promises much data
// costs no memory.
func TestFaults(t *testing.T) {
	const xyz = "property float x\nproperty float y\nproperty float z\n"
	little := "ply\nformat binary_little_endian 1.0\n"
	for _, c := range []struct{ file, want string }{
		{"", "cut short"},
		{"plywood\n", "not a PLY file"},
		{"ply\nformat ascii 1.0\nelement vertex 1\n", "line 4: cut short"},
		{"ply\nelement vertex 0\n" + xyz + "end_header\n", "no format"},
		{"ply\nformat ascii 2.0\n", "version 1.0"},
		{"ply\nformat morse 1.0\n", "morse"},
		{"ply\nformat ascii 1.0\nproperty float x\n", "before any element"},
		{"ply\nformat ascii 1.0\nelement vertex 1\nproperty quad x\n", "line 4"},
		{"ply\nformat ascii 1.0\nelement vertex 1\nproperty list float int x\n", "line 4"},
		{"ply\nformat ascii 1.0\nelement vertex -1\n", "line 3: -1 elements"},
		{"ply\nformat ascii 1.0\nelement vertex 99999999999999999999\n", "line 3"},
		{"ply\nformat ascii 1.0\nhello\n", `unknown word "hello"`},
		{"ply\n" + strings.Repeat("comment x\n", maxHead/10+1), "has no end"},
		{"ply\ncomment " + strings.Repeat("x", 100_000), "has no end"},
		{little + "element face 0\nend_header\n", "no element vertex"},
		{little + "element vertex 0\nproperty float x\nend_header\n", "no y"},
		{little + "element none 2000000000\nelement vertex 0\n" + xyz + "end_header\n", "no properties"},
		{little + "element vertex 2000000000\n" + xyz + "end_header\n" + strings.Repeat("\x00", 30), "vertex 2: property y: cut short"},
		{little + "element vertex 1\n" + xyz + "end_header\n" + strings.Repeat("\x00", 13), "more after the last element"},
		{"ply\nformat ascii 1.0\nelement vertex 1\n" + xyz + "end_header\n1 2\n", "property z: cut short"},
		{"ply\nformat ascii 1.0\nelement vertex 1\n" + xyz + "end_header\n1 two 3\n", "vertex 0: property y"},
		{"ply\nformat ascii 1.0\nelement vertex 1\n" + xyz + "end_header\n1 " + strings.Repeat("2", 100), "not a number"},
		{"ply\nformat ascii 1.0\nelement vertex 1\n" + xyz + "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n3 0 1", "cut short"},
		{"ply\nformat ascii 1.0\nelement vertex 1\n" + xyz + "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n-3", "a list of -3"},
		{"ply\nformat ascii 1.0\nelement vertex 1\n" + xyz + "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n70000", "a list of 70000"},
	} {
		h, r, err := Open(strings.NewReader(c.file), nil)
		if err == nil {
			err = r.ReadAll(h, map[string]Row{})
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60q: %v, want %q", c.file, err, c.want)
		}
	}
}
