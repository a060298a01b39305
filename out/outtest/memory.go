package outtest

import (
	"sync"
	"testing"

	"breakwater/sim/heaptest"
)

// LongRun is the number of frames of a long run.
const LongRun = 2000

// growth is how much the memory in use may grow over all but the first frames of a long
// run. An index of some hundred bytes per frame and the pictures under way may stay.
// The frames themselves are far larger.
const growth = 2 << 20

// Memory measures the memory in use at frames 200 and 1990 of a long run.
type Memory struct {
	mu    sync.Mutex
	early float64
	grown float64
}

// At takes note that frame i is requested.
func (m *Memory) At(i int) {
	if i != 200 && i != LongRun-10 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if i == 200 {
		m.early = heaptest.InUse()
	} else {
		m.grown = heaptest.InUse() - m.early
	}
}

// Measured reports whether frame 200 was requested.
func (m *Memory) Measured() bool { return m.early > 0 }

// Check fails the test if the memory in use grew.
func (m *Memory) Check(t *testing.T) {
	t.Helper()
	if m.grown > growth {
		t.Errorf("over %d frames the memory in use grows by %.0f bytes", LongRun, m.grown)
	}
}
