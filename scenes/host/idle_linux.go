package host

import (
	"bufio"
	"os"
	"strconv"
	"strings"
)

// IdleTime returns the processor time that the machine has left to no program since it
// started, of all processors, in seconds. ok is false where the system does not say.
func IdleTime() (seconds float64, ok bool) {
	f, err := os.Open("/proc/stat")
	if err != nil {
		return 0, false
	}
	defer f.Close()
	line, err := bufio.NewReaderSize(f, 512).ReadString('\n')
	if err != nil {
		return 0, false
	}
	// The times of all processors: user, nice, system, idle, and idle until a disk answers.
	const idle, wait, perSecond = 4, 5, 100
	list := strings.Fields(line)
	if len(list) <= wait || list[0] != "cpu" {
		return 0, false
	}
	for _, i := range []int{idle, wait} {
		ticks, err := strconv.ParseFloat(list[i], 64)
		if err != nil {
			return 0, false
		}
		seconds += ticks / perSecond
	}
	return seconds, true
}
