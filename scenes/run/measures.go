package run

import (
	"slices"
	"strings"

	"breakwater/out"
	"breakwater/sim/gauge"
)

// statsName is the table of the sim stage's steps.
const statsName = "stats.csv"

// measures are the tables of the sim stage: its steps and the
// gauges. The particle file of a frame has the frame's rows as well, so that
// tables that are lost are made again without a step of the solver.
type measures struct {
	stats  *frameTable
	gauges []*frameTable
}

// tables returns all tables.
func (m *measures) tables() []*frameTable { return append([]*frameTable{m.stats}, m.gauges...) }

// openMeasures opens the tables, and takes the rows of frames that are kept
// from their particles where a table lacks them. todo are the frames that are
// to be made. A run of files per frame leaves kept frames to the run of all.
func (r *runner) openMeasures(todo []int) (m *measures, notice string, err error) {
	m = &measures{}
	if m.stats, err = r.statsTable(); err != nil {
		return nil, "", err
	}
	if m.gauges, err = r.openGauges(); err != nil {
		return nil, "", err
	}
	if r.apart() {
		return m, "", nil
	}
	var lost []string
	for _, t := range m.tables() {
		if !t.intact {
			lost = append(lost, t.name)
		}
	}
	found, last := false, r.last
	if len(lost) > 0 {
		last = r.scene.Time.Frames()
	}
	for n := 1; n <= last; n++ {
		mark := r.keys.Particles[n]
		if m.stats.has(n, mark) && (len(lost) == 0 || m.inParts(n, mark)) || slices.Contains(todo, n) || n > r.last && r.fresh(r.particleFiles(n)...) != nil {
			continue
		}
		f, err := r.readFrame(r.particleFiles(n)[0])
		if err != nil {
			return nil, "", err
		}
		for _, t := range m.tables() {
			var rows []string
			for _, row := range f.Rows {
				if row.Table == t.of {
					rows = append(rows, row.Text)
				}
			}
			t.take(t.byKey(rows))
		}
		found = true
	}
	if !found {
		return m, "", nil
	}
	for _, t := range m.tables() {
		if err := t.add(); err != nil {
			return nil, "", err
		}
	}
	if len(lost) > 0 {
		notice = "sim   " + strings.Join(lost, ", ") + ": missing or changed; made again from the particles"
	}
	return m, notice, nil
}

// inParts reports whether the rows of a frame are in the tables that are not whole because
// they were in parts of all these tables.
func (m *measures) inParts(frame int, fingerprint string) bool {
	at, ok := m.stats.taken.frames[rowKey{frame, mark(fingerprint)}]
	return ok && !slices.ContainsFunc(m.tables(), func(t *frameTable) bool { return !t.intact && !t.taken.whole[at] })
}

func (r *runner) statsTable() (*frameTable, error) {
	columns := stepColumns
	if r.scene.Gas != nil {
		columns = gasColumns
	}
	return r.frameTable(statsName, columns...)
}

// add writes the rows that were made on the way to frame n, and returns them: the values
// of its steps, and what the meters have read. The frames have these fingerprints.
func (m *measures) add(n int, fingerprints []string, steps []any, meters []*gauge.Meter) (rows []out.Row, err error) {
	row := m.stats.row(n, fingerprints[n], steps...)
	rows = append(rows, out.Row{Table: m.stats.of, Text: row})
	if err := m.stats.add(row); err != nil {
		return nil, err
	}
	for i, g := range m.gauges {
		lines := gaugeLines(n, fingerprints, meters[i].Take())
		if len(lines) == 0 && g.intact {
			continue
		}
		if err := g.add(lines...); err != nil {
			return nil, err
		}
		for _, line := range lines {
			rows = append(rows, out.Row{Table: g.of, Text: line})
		}
	}
	return rows, nil
}

// settle completes the tables, and drops the rows of all but the frames with these fingerprints.
func (m *measures) settle(fingerprints []string) error {
	for _, t := range m.tables() {
		if err := t.settle(fingerprints); err != nil {
			return err
		}
	}
	return nil
}
