package farm

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"breakwater/scenes/estimate"
	"breakwater/sim/longtest"
)

// The schema of a job template, as far as the specification says what must hold: Open Job
// Description, Template Schemas 2023-09. Numbers of sections are of that document. Optional
// values are pointers.
type (
	specTemplate struct { // 1.1
		SpecificationVersion string          `json:"specificationVersion"`
		Name                 string          `json:"name"`
		Description          *string         `json:"description"`
		ParameterDefinitions []specParameter `json:"parameterDefinitions"`
		Steps                []specStep      `json:"steps"`
	}
	specParameter struct { // 2.1 and 2.2
		Name          string   `json:"name"`
		Type          string   `json:"type"`
		Description   *string  `json:"description"`
		Default       *string  `json:"default"`
		AllowedValues []string `json:"allowedValues"`
		ObjectType    *string  `json:"objectType"`
		DataFlow      *string  `json:"dataFlow"`
	}
	specStep struct { // 3
		Name         string  `json:"name"`
		Description  *string `json:"description"`
		Dependencies []struct {
			DependsOn string `json:"dependsOn"`
		} `json:"dependencies"`
		HostRequirements *struct { // 3.3
			Amounts []struct {
				Name string   `json:"name"`
				Min  *float64 `json:"min"`
				Max  *float64 `json:"max"`
			} `json:"amounts"`
			Attributes []struct {
				Name  string   `json:"name"`
				AnyOf []string `json:"anyOf"`
				AllOf []string `json:"allOf"`
			} `json:"attributes"`
		} `json:"hostRequirements"`
		ParameterSpace *struct { // 3.4
			TaskParameterDefinitions []struct {
				Name  string   `json:"name"`
				Type  string   `json:"type"`
				Range []string `json:"range"`
			} `json:"taskParameterDefinitions"`
			Combination *string `json:"combination"`
		} `json:"parameterSpace"`
		Script struct { // 3.5
			Actions struct {
				OnRun *struct { // 5
					Command     string   `json:"command"`
					Args        []string `json:"args"`
					Timeout     *int     `json:"timeout"`
					Cancelation *struct {
						Mode   string `json:"mode"`
						Period *int   `json:"notifyPeriodInSeconds"`
					} `json:"cancelation"`
				} `json:"onRun"`
			} `json:"actions"`
		} `json:"script"`
	}
)

var (
	specIdentifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)                                                                // 7.1
	specCapability = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_]*:)?(amount|attr)\.[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$`) // 3.3.1.1
	specAttribute  = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]{0,99}$`)                                                               // 3.3.2.2
	specReference  = regexp.MustCompile(`\{\{\s*([^{}]*?)\s*\}\}`)                                                                      // 7.3
)

// checkOpenJD returns what of the specification a job template does not keep to.
func checkOpenJD(text string) error {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.DisallowUnknownFields()
	var t specTemplate
	if err := dec.Decode(&t); err != nil {
		return err
	}
	var wrong []error
	must := func(ok bool, format string, args ...any) {
		if !ok {
			wrong = append(wrong, fmt.Errorf(format, args...))
		}
	}
	plain := func(what, s string, most int) {
		n := utf8.RuneCountInString(s)
		must(n >= 1 && n <= most && !strings.ContainsFunc(s, unicode.IsControl), "%s %q", what, s)
	}
	known := map[string]bool{}
	format := func(s string) {
		must(!strings.ContainsFunc(s, unicode.IsControl), "control characters in %q", s)
		for _, m := range specReference.FindAllStringSubmatch(s, -1) {
			must(known[m[1]], "%q refers to %q", s, m[1])
		}
		rest := specReference.ReplaceAllString(s, "")
		must(!strings.Contains(rest, "{{") && !strings.Contains(rest, "}}"), "braces in %q", s)
	}

	must(t.SpecificationVersion == "jobtemplate-2023-09", "specificationVersion %q", t.SpecificationVersion)
	format(t.Name) // with no value known yet
	plain("the job's name", t.Name, 128)
	must(t.Description == nil || *t.Description != "" && len(*t.Description) <= 2048, "description")
	must(t.ParameterDefinitions == nil || len(t.ParameterDefinitions) >= 1 && len(t.ParameterDefinitions) <= 50, "%d parameters", len(t.ParameterDefinitions))
	for _, p := range t.ParameterDefinitions {
		must(specIdentifier.MatchString(p.Name) && !known["Param."+p.Name], "parameter %q", p.Name)
		known["Param."+p.Name], known["RawParam."+p.Name] = true, true
		switch p.Type {
		case "STRING":
			must(p.ObjectType == nil && p.DataFlow == nil, "a string %q with properties of a path", p.Name)
		case "PATH":
			must(p.ObjectType == nil || slices.Contains([]string{"FILE", "DIRECTORY"}, *p.ObjectType), "objectType of %q", p.Name)
			must(p.DataFlow == nil || slices.Contains([]string{"NONE", "IN", "OUT", "INOUT"}, *p.DataFlow), "dataFlow of %q", p.Name)
		default:
			must(false, "type %q", p.Type)
		}
	}
	must(len(t.Steps) > 0, "no steps")
	before := map[string]bool{}
	for _, s := range t.Steps {
		plain("the step's name", s.Name, 64)
		must(!before[s.Name], "two steps %q", s.Name)
		must(s.Dependencies == nil || len(s.Dependencies) > 0, "%s has an empty list of dependencies", s.Name)
		for _, d := range s.Dependencies {
			must(before[d.DependsOn], "%s depends on %q, which is not before it", s.Name, d.DependsOn)
		}
		before[s.Name] = true
		if h := s.HostRequirements; h != nil {
			must(len(h.Amounts)+len(h.Attributes) >= 1 && len(h.Amounts)+len(h.Attributes) <= 50, "%s: requirements", s.Name)
			for _, a := range h.Amounts {
				must(specCapability.MatchString(a.Name) && len(a.Name) <= 100 && strings.HasPrefix(a.Name, "amount."), "amount %q", a.Name)
				must(a.Min != nil && *a.Min >= 0 || a.Max != nil && *a.Max > 0, "%s: no amount", a.Name)
				must(a.Name != "amount.worker.vcpu" || *a.Min >= 1, "%s: %v", a.Name, a.Min)
			}
			for _, a := range h.Attributes {
				must(specCapability.MatchString(a.Name) && len(a.Name) <= 100 && strings.HasPrefix(a.Name, "attr."), "attribute %q", a.Name)
				must(len(a.AnyOf)+len(a.AllOf) > 0 && len(a.AnyOf) <= 50, "%s: no value", a.Name)
				for _, v := range slices.Concat(a.AnyOf, a.AllOf) {
					must(specAttribute.MatchString(v), "%s: %q", a.Name, v)
					must(a.Name != "attr.worker.cpu.arch" || v == "x86_64" || v == "arm64", "%s: %q", a.Name, v)
				}
			}
		}
		var own []string
		if p := s.ParameterSpace; p != nil {
			must(len(p.TaskParameterDefinitions) >= 1 && len(p.TaskParameterDefinitions) <= 16, "%s: parameters", s.Name)
			for _, d := range p.TaskParameterDefinitions {
				must(specIdentifier.MatchString(d.Name) && d.Type == "STRING", "parameter %q of type %q", d.Name, d.Type)
				must(len(d.Range) >= 1 && len(d.Range) <= 1024, "%s: a range of %d values", s.Name, len(d.Range))
				for _, v := range d.Range {
					must(v != "" && len(v) <= 1024, "%s: value %q", s.Name, v)
					format(v)
				}
				own = append(own, "Task.Param."+d.Name, "Task.RawParam."+d.Name)
			}
		}
		for _, name := range own {
			known[name] = true
		}
		if a := s.Script.Actions.OnRun; a == nil {
			must(false, "%s runs nothing", s.Name)
		} else {
			must(a.Command != "", "%s has no command", s.Name)
			for _, text := range append(a.Args, a.Command) {
				format(text)
			}
			must(a.Timeout == nil || *a.Timeout > 0, "%s: timeout", s.Name)
			if c := a.Cancelation; c != nil {
				must(c.Mode == "TERMINATE" && c.Period == nil || c.Mode == "NOTIFY_THEN_TERMINATE" && (c.Period == nil || *c.Period > 0 && *c.Period <= 600), "%s: cancelation", s.Name)
			}
		}
		for _, name := range own {
			delete(known, name)
		}
	}
	return errors.Join(wrong...)
}

// TestOpenJD checks templates of short and long films, and of a part of the tasks, against
// the specification, and their steps against the plan. Faults of a template are found.
func TestOpenJD(t *testing.T) {
	longtest.NotShort(t)
	for _, c := range []struct {
		fps string
		e   estimate.Estimate
	}{{"", estimate.Estimate{Memory: 3e9, SimTime: 7200, MeshTime: 3000, DrawTime: 4000, FilmTime: 30}}, {"1000", estimate.Estimate{}}} {
		p, _ := example(t, c.fps, Options{Engine: "openjd", Segments: 3, Chunk: 1, CPUs: 4}, c.e)
		p.Name = "dam {{break}}\n" + strings.Repeat("x", 200)
		for _, tasks := range [][]Task{p.Tasks, p.Tasks[2:]} {
			text := openJD{}.Scripts(p, tasks)[1].Text
			if err := checkOpenJD(text); err != nil {
				t.Errorf("%v", err)
			}
			var s specTemplate
			if err := json.Unmarshal([]byte(text), &s); err != nil {
				t.Fatal(err)
			}
			sameTasks(t, tasks, func(yield func(id string, after []string)) {
				of := map[string][]string{}
				for _, step := range s.Steps {
					var after []string
					for _, d := range step.Dependencies {
						after = append(after, of[d.DependsOn]...)
					}
					of[step.Name] = step.ParameterSpace.TaskParameterDefinitions[0].Range
					for _, id := range of[step.Name] {
						yield(id, after)
					}
				}
			})
		}
	}

	p, _ := example(t, "", Options{Engine: "openjd", Segments: 2}, estimate.Estimate{Memory: 3e9, SimTime: 7200, MeshTime: 3000, DrawTime: 4000, FilmTime: 30})
	text := openJD{}.Scripts(p, p.Tasks)[1].Text
	for old, wrong := range map[string]string{
		`jobtemplate-2023-09`:        `jobtemplate-2024-01`,
		`"dependsOn": "sim-1"`:       `"dependsOn": "sim-3"`,
		`{{Task.Param.Task}}`:        `{{Task.Param.Chunk}}`,
		`{{Param.Program}}`:          `{{Param.Programm}}`,
		`"timeout": `:                `"timeout": -`,
		`"timeout"`:                  `"timeOut2"`,
		`amount.worker.vcpu`:         `worker.vcpu`,
		`NOTIFY_THEN_TERMINATE`:      `NOTIFY`,
		`"name": "Folder"`:           `"name": "the folder"`,
		`DIRECTORY`:                  `FOLDER`,
		`"type": "STRING",` + "\n  ": `"type": "TEXT",` + "\n  ",
		`"name": "sim-2"`:            `"name": "sim-1"`,
	} {
		if bad := strings.Replace(text, old, wrong, 1); bad == text || checkOpenJD(bad) == nil {
			t.Errorf("a template with %s for %s is not found to be wrong", wrong, old)
		}
	}
}

// sameTasks compares the tasks that an engine was given with the tasks of a plan. Each must
// be there once, after the given tasks that it depends on.
func sameTasks(t *testing.T, tasks []Task, given func(yield func(id string, after []string))) {
	t.Helper()
	after := map[string][]string{}
	given(func(id string, list []string) {
		if after[id] != nil {
			t.Errorf("%s is there twice", id)
		}
		after[id] = append([]string{}, list...)
	})
	for _, task := range tasks {
		got, ok := after[task.ID]
		if !ok {
			t.Errorf("%s is not there", task.ID)
		}
		var want []string
		for _, id := range task.After {
			if after[id] != nil {
				want = append(want, id)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s comes after %v, want %v", task.ID, got, want)
		}
	}
	if len(after) != len(tasks) {
		t.Errorf("%d tasks of %d", len(after), len(tasks))
	}
}
