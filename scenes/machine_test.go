package scenes

import "breakwater/scenes/memory"

// The tests' machine has all the memory that a scene may need, so that the expected
// results do not depend on the machine that they run on.
func init() { memory.Machine = func() (int64, string) { return 0, "" } }
