package farm

import (
	_ "embed"
	"encoding/json"
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
	of := map[string]string{} // the same names
	for _, t := range tasks {
		list = append(list, flamencoTask{t.ID, append([]string{}, before(t, of)...)})
		of[t.ID] = t.ID
	}
	tree, err := json.Marshal(list)
	if err != nil {
		panic(err) // strings can be written
	}
	job := map[string]any{ // of the manager's API, version 3
		"name": "breakwater " + p.Name, "type": "breakwater", "priority": 50, "submitter_platform": "manager",
		"settings": map[string]any{"program": "@PROGRAM@", "folder": "@FOLDER@", "threads": p.CPUs, "tasks": string(tree)},
	}
	return []Script{{"flamenco.sh", flamencoScript}, {"flamenco/job.json", indented(job)}, {"flamenco/breakwater.js", flamencoType}}
}

func (flamenco) Cancel() (string, error) {
	return `while read -r job; do
	curl --fail --silent --show-error --header 'Content-Type: application/json' --data '{"status": "cancel-requested", "reason": "breakwater farm cancel"}' \
		"${FLAMENCO:-http://localhost:8080}/api/v3/jobs/$job/setstatus" || exit 1
done <farm/flamenco/jobs.txt`, nil
}
