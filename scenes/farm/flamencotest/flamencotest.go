// Package flamencotest compiles jobs as the manager of Flamenco 3 does, for tests: by the
// script of their job type, in the same interpreter, with objects of the same shape.
package flamencotest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/dop251/goja"
)

// Task is a task that a job consists of.
type Task struct {
	Name         string
	Type         string
	Commands     []*Command
	Dependencies []*Task
}

// Command is a command of a task.
type Command struct {
	Name       string
	Parameters map[string]any
}

// AddCommand and AddDependency are called by scripts.
func (t *Task) AddCommand(c *Command) { t.Commands = append(t.Commands, c) }

// AddDependency adds a task that must be completed before.
func (t *Task) AddDependency(d *Task) error {
	if d == nil {
		return errors.New("a dependency that is not a task")
	}
	t.Dependencies = append(t.Dependencies, d)
	return nil
}

// Job is a job while its script compiles it.
type Job struct {
	Name     string
	Settings map[string]any
	Tasks    []*Task
}

// AddTask is called by scripts. A manager keeps a copy, so later additions to the task
// are lost.
func (j *Job) AddTask(t *Task) {
	kept := *t
	j.Tasks = append(j.Tasks, &kept)
}

// submitted is a job as the manager's API takes it, version 3.
type submitted struct {
	Name      string            `json:"name"`
	Type      string            `json:"type"`
	TypeEtag  string            `json:"type_etag"`
	Priority  *int              `json:"priority"`
	Settings  map[string]any    `json:"settings"`
	Metadata  map[string]string `json:"metadata"`
	Platform  string            `json:"submitter_platform"`
	WorkerTag string            `json:"worker_tag"`
}

// jobType is a job type, as scripts declare it.
type jobType struct {
	Label    string
	Settings []struct {
		Key, Type, Subtype, Visible string
		Required                    bool
	}
}

// Compile compiles a job by the script of its type.
func Compile(script, job []byte) ([]*Task, error) {
	dec := json.NewDecoder(bytes.NewReader(job))
	dec.DisallowUnknownFields()
	var s submitted
	if err := dec.Decode(&s); err != nil {
		return nil, err
	}
	if s.Name == "" || s.Type != "breakwater" || s.Priority == nil || s.Platform == "" {
		return nil, fmt.Errorf("the job lacks a name, type, priority or platform: %s", job)
	}
	vm := goja.New()
	vm.SetFieldNameMapper(goja.UncapFieldNameMapper())
	author := map[string]any{
		"Task": func(name, kind string) (*Task, error) {
			if name == "" || kind == "" {
				return nil, errors.New("a task without a name or type")
			}
			return &Task{Name: name, Type: kind}, nil
		},
		"Command": func(name string, parameters map[string]any) *Command { return &Command{name, parameters} },
	}
	if err := vm.Set("author", author); err != nil {
		return nil, err
	}
	program, err := goja.Compile("breakwater.js", string(script), true)
	if err != nil {
		return nil, err
	}
	if _, err := vm.RunProgram(program); err != nil {
		return nil, err
	}
	var kind jobType
	if err := vm.ExportTo(vm.Get("JOB_TYPE"), &kind); err != nil {
		return nil, err
	}
	if err := s.check(kind); err != nil {
		return nil, err
	}
	compile, ok := goja.AssertFunction(vm.Get("compileJob"))
	if !ok {
		return nil, errors.New("no function compileJob")
	}
	j := &Job{Name: s.Name, Settings: s.Settings}
	if _, err := compile(nil, vm.ToValue(j)); err != nil {
		return nil, err
	}
	for _, t := range j.Tasks {
		for _, c := range t.Commands {
			if err := c.check(); err != nil {
				return nil, fmt.Errorf("task %s: %w", t.Name, err)
			}
		}
	}
	return j.Tasks, nil
}

// check does what a worker does before it runs a command.
func (c *Command) check() error {
	exe, _ := c.Parameters["exe"].(string)
	args, ok := c.Parameters["args"].([]any)
	if c.Name != "exec" || exe == "" || !ok || slices.ContainsFunc(args, func(a any) bool { _, ok := a.(string); return !ok }) {
		return fmt.Errorf("command %s with %v", c.Name, c.Parameters)
	}
	return nil
}

// check compares the settings of a job with the settings of its type.
func (s *submitted) check(kind jobType) error {
	if kind.Label == "" || len(kind.Settings) == 0 {
		return errors.New("the job type has no label or no settings")
	}
	for _, of := range kind.Settings {
		value, ok := s.Settings[of.Key]
		switch {
		case !slices.Contains([]string{"string", "int32", "float", "bool"}, of.Type),
			!slices.Contains([]string{"", "file_path", "dir_path", "file_name", "hashed_file_path"}, of.Subtype),
			!slices.Contains([]string{"", "visible", "hidden", "submission", "web"}, of.Visible):
			return fmt.Errorf("setting %q of type %q, %q, %q", of.Key, of.Type, of.Subtype, of.Visible)
		case of.Required && !ok:
			return fmt.Errorf("the job lacks the setting %q", of.Key)
		}
		switch x := value.(type) {
		case string:
			ok = of.Type == "string"
		case float64:
			ok = of.Type == "float" || of.Type == "int32" && x == float64(int32(x))
			if of.Type == "int32" {
				s.Settings[of.Key] = int32(x)
			}
		case bool:
			ok = of.Type == "bool"
		}
		if !ok {
			return fmt.Errorf("the setting %q is %v", of.Key, value)
		}
	}
	if len(s.Settings) != len(kind.Settings) {
		return fmt.Errorf("%d settings of %d", len(s.Settings), len(kind.Settings))
	}
	return nil
}
