package wedge

import (
	"errors"
	"os"
	"path/filepath"

	"breakwater/scenes"
)

// indexFile is the table of the values of the variants, which a summary has last.
const indexFile = "variants.csv"

// Summary is what the tables and the contact sheet of a wedge are made of, besides the runs
// of its variants.
type Summary struct {
	Keys     []string  `json:"keys"`
	Frame    int       `json:"frame,omitempty"` // on the contact sheet; 0 for the last that all have
	Variants []Summand `json:"variants"`
}

// Summand is a variant in a summary.
type Summand struct {
	Folder string   `json:"folder"`
	Labels []string `json:"labels"` // the values of the keys
}

// Summary returns the summary of some variants of p.
func (p *Plan) Summary(list []*Variant) *Summary {
	m := &Summary{Keys: p.Keys(), Frame: p.Frame}
	for _, v := range list {
		m.Variants = append(m.Variants, Summand{v.Name, v.Labels})
	}
	return m
}

// Write makes the contact sheet and the tables of the variants in a folder. list has their
// scenes. last is the last frame that was made, 0 for all.
func (m *Summary) Write(out string, list []*scenes.Scene, last int) error {
	return errors.Join(m.sheet(out, list, last), m.tables(out))
}

// Written reports whether a folder has the tables and the contact sheet, made after all
// runs of the variants had ended.
func (m *Summary) Written(out string) bool {
	index, err := os.Stat(filepath.Join(out, indexFile))
	if err != nil {
		return false
	}
	for _, v := range m.Variants {
		manifest, err := os.Stat(filepath.Join(out, v.Folder, "manifest.json"))
		if err != nil || manifest.ModTime().After(index.ModTime()) {
			return false
		}
	}
	_, err = os.Stat(filepath.Join(out, sheetFile))
	return err == nil
}
