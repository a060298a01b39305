package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// table is an outcome of bench.
type table struct {
	Name    string   `json:"table"`
	Title   string   `json:"-"`
	Command string   `json:"command,omitempty"` // that makes it again
	About   string   `json:"about,omitempty"`
	Columns []string `json:"columns"`
	Rows    [][]any  `json:"rows"` // strings, integers, and float64, NaN for a missing value
}

// write writes t as a section of Markdown, or as a line of JSON.
func (t *table) write(w io.Writer, asJSON bool) error {
	if asJSON {
		for _, row := range t.Rows {
			for i, v := range row {
				if x, ok := v.(float64); ok && (math.IsNaN(x) || math.IsInf(x, 0)) {
					row[i] = nil
				}
			}
		}
		return json.NewEncoder(w).Encode(t)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n", t.Title)
	if t.Command != "" {
		fmt.Fprintf(&b, "    %s\n\n", t.Command)
	}
	if t.About != "" {
		fmt.Fprintf(&b, "%s\n\n", t.About)
	}
	line := func(cells []string) { fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | ")) }
	line(t.Columns)
	fmt.Fprintf(&b, "|%s\n", strings.Repeat("---|", len(t.Columns)))
	for _, row := range t.Rows {
		cells := make([]string, len(row))
		for i, v := range row {
			switch v := v.(type) {
			case float64:
				cells[i] = threeDigits(v)
			case int:
				cells[i] = thousands(v)
			default:
				cells[i] = fmt.Sprint(v)
			}
		}
		line(cells)
	}
	b.WriteByte('\n')
	_, err := io.WriteString(w, b.String())
	return err
}

// threeDigits writes x to three digits without an exponent, or "–" for NaN.
func threeDigits(x float64) string {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return "–"
	case x == 0:
		return "0"
	}
	if x >= 999.5 {
		return thousands(int(math.Round(x)))
	}
	return strconv.FormatFloat(x, 'f', min(6, max(0, 2-int(math.Floor(math.Log10(math.Abs(x)))))), 64)
}

// thousands writes n with a comma before each three digits.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
