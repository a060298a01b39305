package farm

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"breakwater/out/store"
	"breakwater/sim/registry"
)

// Engine is a program that distributes tasks to machines, or a stand-in.
type Engine interface {
	// Scripts returns the files by which tasks of p reach the engine. The first is the shell
	// script to run.
	Scripts(p *Plan, tasks []Task) []Script
	// Cancel returns the shell command that ends all tasks, in the folder of the plan, or
	// an error that says how to end them.
	Cancel() (string, error)
}

// Script is a shell script in the folder of the plan, or a file that one reads. The name has
// slashes.
type Script struct{ Name, Text string }

// Engines are all engines.
var Engines = registry.Set[Engine]{Kind: "engine"}

// Engines that end a task which takes more than it asks for are asked for more than
// estimated.
const (
	moreTime    = 3
	leastTime   = 10 // minutes
	moreMemory  = 1.25
	leastMemory = 256 // MiB
)

// mebibytes returns the memory that a task asks for.
func (p *Plan) mebibytes() int64 {
	return max(leastMemory, int64(math.Ceil(moreMemory*float64(p.Memory)/(1<<20))))
}

// minutes returns the time that the longest of some tasks asks for, 0 if unknown.
func minutes(tasks []Task) int {
	longest := 0.0
	for _, t := range tasks {
		longest = max(longest, t.Seconds)
	}
	if longest == 0 {
		return 0
	}
	return max(leastTime, int(math.Ceil(moreTime*longest/60)))
}

// groups divides tasks into lists of one kind that depend on the same: the arrays of an
// engine.
func groups(tasks []Task) (list [][]Task) {
	for len(tasks) > 0 {
		n := 1
		for n < min(len(tasks), mostChunks) && tasks[n].Film == tasks[0].Film && slices.Equal(tasks[n].After, tasks[0].After) && slices.Equal(tasks[n].Stages, tasks[0].Stages) {
			n++
		}
		list = append(list, tasks[:n])
		tasks = tasks[n:]
	}
	return list
}

// before returns the names that an engine has for the tasks that t depends on, each once. of
// has the names of the tasks that are handed over with t; all others are done.
func before(t Task, of map[string]string) (names []string) {
	for _, id := range t.After {
		if name := of[id]; name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// indented returns a value, which JSON can hold, as text with line breaks.
func indented(v any) string {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		panic(err)
	}
	return text.String()
}

// writeScripts writes the scripts for some tasks, and returns the path of the one to run.
func (p *Plan) writeScripts(dir *store.Dir, tasks []Task) (path string, err error) {
	engine, err := Engines.New(p.Engine, registry.None)
	if err != nil {
		return "", err
	}
	scripts := engine.Scripts(p, tasks)
	for _, s := range scripts {
		err := dir.Write(s.Name, func(w io.Writer) error {
			_, err := io.WriteString(w, s.Text)
			return err
		})
		if err != nil {
			return "", err
		}
	}
	return filepath.Join(dir.Path(), scripts[0].Name), nil
}

// WriteScript writes the script that submits some tasks, and returns its path.
func (p *Plan) WriteScript(out string, tasks []Task) (script string, err error) {
	dir, err := store.OpenDir(filepath.Join(out, Folder))
	if err != nil {
		return "", err
	}
	defer dir.Close()
	return p.writeScripts(dir, tasks)
}

// Cancel returns the shell command that ends all tasks.
func (p *Plan) Cancel() (string, error) {
	engine, err := Engines.New(p.Engine, registry.None)
	if err != nil {
		return "", err
	}
	return engine.Cancel()
}

// programPath returns the path of this program, which scripts start.
func programPath() string {
	path, err := os.Executable()
	if err != nil {
		return "breakwater"
	}
	return path
}
