package farm

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"slices"
)

func init() {
	Engines.Add("flamenco", "a job type of Flamenco 3, Blender's render farm, and a job of it", "", func() Engine { return flamenco{} })
}

// flamenco has a task of Flamenco for each task. The manager makes them, by a script that is
// the same for all plans.
type flamenco struct{}

//go:embed scripts/flamenco.sh
var flamencoScript string

//go:embed scripts/breakwater.js
var flamencoType string

// flamencoTask is a task as the job type reads it.
type flamencoTask struct {
	ID    string   `json:"id"`
	After []string `json:"after"`
}

func (flamenco) Scripts(p *Plan, tasks []Task) []Script {
	list := []flamencoTask{}
	for _, t := range tasks {
		f := flamencoTask{t.ID, []string{}}
		for _, id := range t.After {
			if slices.ContainsFunc(list, func(before flamencoTask) bool { return before.ID == id }) { // else it is done
				f.After = append(f.After, id)
			}
		}
		list = append(list, f)
	}
	tree, err := json.Marshal(list)
	if err != nil {
		panic(err) // strings can be written
	}
	job := map[string]any{ // of the manager's API, version 3
		"name": "breakwater " + p.Name, "type": "breakwater", "priority": 50, "submitter_platform": "manager",
		"settings": map[string]any{"program": "@PROGRAM@", "folder": "@FOLDER@", "threads": p.CPUs, "tasks": string(tree)},
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(job); err != nil {
		panic(err)
	}
	return []Script{{"flamenco.sh", flamencoScript}, {"flamenco/job.json", text.String()}, {"flamenco/breakwater.js", flamencoType}}
}

func (flamenco) Cancel() (string, error) {
	return `while read -r job; do
	curl --fail --silent --show-error --header 'Content-Type: application/json' --data '{"status": "cancel-requested", "reason": "breakwater farm cancel"}' \
		"${FLAMENCO:-http://localhost:8080}/api/v3/jobs/$job/setstatus" || exit 1
done <farm/flamenco/jobs.txt`, nil
}
