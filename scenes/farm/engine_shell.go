package farm

import (
	_ "embed"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

func init() {
	Engines.Add("shell", "a shell script that runs the tasks on this machine", "", func() Engine { return shell{} })
}

// shell runs the tasks on one machine, several at a time, by a script for Bash 3.2 and
// later, as macOS has it.
type shell struct{}

//go:embed scripts/shell.sh
var shellScript string

func (shell) Scripts(p *Plan, tasks []Task) []Script {
	var b strings.Builder
	b.WriteString(header(shellScript, p))
	of := map[string]string{} // the number of a task
	for i, t := range tasks {
		of[t.ID] = strconv.Itoa(i)
		fmt.Fprintln(&b, strings.Join(append([]string{"start", of[t.ID], t.ID}, before(t, of)...), " "))
	}
	fmt.Fprintf(&b, "finish %d\n", len(tasks))
	return []Script{{"shell.sh", b.String()}}
}

func (shell) Cancel() (string, error) {
	return "", errors.New("the engine shell has no queue: press Ctrl-C where farm submit or its script runs")
}

// header returns the constant part of a script, for p.
func header(script string, p *Plan) string {
	return strings.NewReplacer("PROGRAM", quote(programPath()), "CPUS", fmt.Sprint(p.CPUs)).Replace(script)
}

// quote returns a word as a shell takes it.
func quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
