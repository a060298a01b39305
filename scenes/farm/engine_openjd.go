package farm

import (
	_ "embed"
	"fmt"
	"runtime"
	"strings"
	"unicode"
)

func init() {
	Engines.Add("openjd", "a job bundle for AWS Deadline Cloud and other programs that run jobs of OpenJD",
		"Open Job Description, Template Schemas 2023-09", func() Engine { return openJD{} })
}

// openJD has a step for each segment and one for the chunks of each, with a task for each
// chunk.
type openJD struct{}

//go:embed scripts/openjd.sh
var openJDScript string

// The objects of a template, as far as this program writes them.
type (
	openJDTemplate struct {
		SpecificationVersion string            `json:"specificationVersion"`
		Name                 string            `json:"name"`
		Description          string            `json:"description"`
		ParameterDefinitions []openJDParameter `json:"parameterDefinitions"`
		Steps                []openJDStep      `json:"steps"`
	}
	openJDParameter struct {
		Name        string `json:"name"`
		Type        string `json:"type"`
		Description string `json:"description"`
		ObjectType  string `json:"objectType,omitempty"`
		DataFlow    string `json:"dataFlow,omitempty"`
		Default     string `json:"default,omitempty"`
	}
	openJDStep struct {
		Name             string             `json:"name"`
		Dependencies     []openJDDependency `json:"dependencies,omitempty"`
		HostRequirements openJDHost         `json:"hostRequirements"`
		ParameterSpace   openJDSpace        `json:"parameterSpace"`
		Script           openJDScriptObject `json:"script"`
	}
	openJDDependency struct {
		DependsOn string `json:"dependsOn"`
	}
	openJDHost struct {
		Amounts    []openJDAmount    `json:"amounts"`
		Attributes []openJDAttribute `json:"attributes,omitempty"`
	}
	openJDAmount struct {
		Name string `json:"name"`
		Min  int64  `json:"min"`
	}
	openJDAttribute struct {
		Name  string   `json:"name"`
		AnyOf []string `json:"anyOf"`
	}
	openJDSpace struct {
		TaskParameterDefinitions []openJDTaskParameter `json:"taskParameterDefinitions"`
	}
	openJDTaskParameter struct {
		Name  string   `json:"name"`
		Type  string   `json:"type"`
		Range []string `json:"range"`
	}
	openJDScriptObject struct {
		Actions openJDActions `json:"actions"`
	}
	openJDActions struct {
		OnRun openJDAction `json:"onRun"`
	}
	openJDAction struct {
		Command     string       `json:"command"`
		Args        []string     `json:"args"`
		Timeout     int          `json:"timeout,omitempty"` // s
		Cancelation openJDCancel `json:"cancelation"`
	}
	openJDCancel struct {
		Mode   string `json:"mode"`
		Period int    `json:"notifyPeriodInSeconds"`
	}
)

func (openJD) Scripts(p *Plan, tasks []Task) []Script {
	t := openJDTemplate{
		SpecificationVersion: "jobtemplate-2023-09",
		Name:                 openJDName(p.Name),
		Description:          "The tasks of a plan of breakwater farm.",
		ParameterDefinitions: []openJDParameter{
			{Name: "Folder", Type: "PATH", Description: "Folder of the run, with the plan in it, on a disk that all workers share.", ObjectType: "DIRECTORY", DataFlow: "NONE"},
			{Name: "Program", Type: "STRING", Description: "The program, as workers find it.", Default: "breakwater"},
		},
	}
	host := openJDHost{Amounts: []openJDAmount{{"amount.worker.vcpu", int64(p.CPUs)}, {"amount.worker.memory", p.mebibytes()}}}
	if arch := map[string]string{"amd64": "x86_64", "arm64": "arm64"}[runtime.GOARCH]; arch != "" {
		host.Attributes = []openJDAttribute{{"attr.worker.cpu.arch", []string{arch}}}
	}
	of := map[string]string{} // the step of a task
	for _, group := range groups(tasks) {
		step := openJDStep{Name: group[0].ID, HostRequirements: host}
		var ids []string
		for _, task := range group {
			of[task.ID] = step.Name
			ids = append(ids, task.ID)
		}
		for _, name := range before(group[0], of) {
			step.Dependencies = append(step.Dependencies, openJDDependency{name})
		}
		step.ParameterSpace.TaskParameterDefinitions = []openJDTaskParameter{{"Task", "STRING", ids}}
		step.Script.Actions.OnRun = openJDAction{
			Command: "{{Param.Program}}",
			Args:    []string{"farm", "task", "{{Param.Folder}}", "{{Task.Param.Task}}", fmt.Sprintf("--threads=%d", p.CPUs), "--openjd"},
			Timeout: 60 * minutes(group),
			// A task stops within a step or a frame.
			Cancelation: openJDCancel{"NOTIFY_THEN_TERMINATE", 120},
		}
		t.Steps = append(t.Steps, step)
	}
	return []Script{{"openjd.sh", openJDScript}, {"openjd/template.json", indented(t)}}
}

// openJDName returns a valid name of a job: 1 to 128 characters, without control characters
// and without the braces of a format string.
func openJDName(name string) string {
	r := []rune(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || strings.ContainsRune("{}", r) {
			return '-'
		}
		return r
	}, "breakwater "+name))
	return string(r[:min(len(r), 128)])
}

func (openJD) Cancel() (string, error) {
	return `where=()
while IFS= read -r option; do [ -z "$option" ] || where+=("$option"); done <farm/openjd/options.txt
while read -r job; do
	deadline job cancel --yes ${where[@]+"${where[@]}"} --job-id "$job" </dev/null || exit 1
done <farm/openjd/jobs.txt`, nil
}
