package farm

import (
	"slices"
	"strings"
	"testing"

	"breakwater/scenes/estimate"
	"breakwater/scenes/farm/flamencotest"
	"breakwater/sim/longtest"
)

// TestFlamenco compiles jobs as Flamenco does, and compares their tasks with the plan. Faults
// of a job and of its type are found.
func TestFlamenco(t *testing.T) {
	longtest.NotShort(t)
	p, _ := example(t, "", Options{Engine: "flamenco", Segments: 3, Chunk: 10, CPUs: 4}, estimate.Estimate{})
	for _, tasks := range [][]Task{p.Tasks, p.Tasks[2:]} {
		s := flamenco{}.Scripts(p, tasks)
		list, err := flamencotest.Compile([]byte(s[2].Text), []byte(s[1].Text))
		if err != nil {
			t.Fatal(err)
		}
		sameTasks(t, tasks, func(yield func(id string, after []string)) {
			for i, f := range list {
				var after []string
				for _, d := range f.Dependencies {
					after = append(after, d.Name)
				}
				yield(f.Name, after)
				command := f.Commands[0]
				args, _ := command.Parameters["args"].([]any)
				if f.Type != "misc" || len(f.Commands) != 1 || command.Name != "exec" || command.Parameters["exe"] != "@PROGRAM@" ||
					!slices.Equal(args, []any{"farm", "task", "@FOLDER@", tasks[i].ID, "--threads=4", "--json"}) {
					t.Errorf("%+v", command)
				}
			}
		})
	}
	s := flamenco{}.Scripts(p, p.Tasks)
	for old, wrong := range map[string]string{
		"required: true": "required: true, visible: \"never\"", `type: "int32"`: `type: "integer"`, "compileJob": "compile",
		"author.Task": "author.task", "made[id]": "made[\"none\"]", "(const planned": "(planned",
		`"priority"`: `"importance"`, `"threads": 4`: `"threads": "4"`, `"submitter_platform"`: `"platform"`, `"folder"`: `"path"`,
	} {
		script, job := strings.Replace(s[2].Text, old, wrong, 1), strings.Replace(s[1].Text, old, wrong, 1)
		if script == s[2].Text && job == s[1].Text {
			t.Errorf("no %s", old)
		}
		if _, err := flamencotest.Compile([]byte(script), []byte(job)); err == nil {
			t.Errorf("%s for %s is not found to be wrong", wrong, old)
		}
	}
}
