package farm

import (
	"io"
	"os"
	"path/filepath"

	"breakwater/out/store"
	"breakwater/sim/registry"
)

// Engine is a program that distributes tasks to machines, or a stand-in.
type Engine interface {
	// Scripts returns the shell scripts by which tasks of p reach the engine. The first is
	// the one to run.
	Scripts(p *Plan, tasks []Task) []Script
	// Cancel returns the shell command that ends all tasks, in the folder of the plan, or
	// an error that says how to end them.
	Cancel() (string, error)
}

// Script is a shell script in the folder of the plan.
type Script struct{ Name, Text string }

// Engines are all engines.
var Engines = registry.Set[Engine]{Kind: "engine"}

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

// program returns the path of this program, which scripts start.
func program() string {
	path, err := os.Executable()
	if err != nil {
		return "breakwater"
	}
	return path
}
