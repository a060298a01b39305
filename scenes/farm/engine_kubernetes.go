package farm

import (
	_ "embed"
	"fmt"
	"runtime"
	"strconv"
	"strings"
)

func init() {
	Engines.Add("kubernetes", "indexed Jobs of Kubernetes, with memory and rules for failures", "", func() Engine { return kubernetes{} })
}

// kubernetes has an indexed Job for each segment and for the chunks of each. Jobs have no
// dependencies there, so a script makes each Job when those before it are complete.
type kubernetes struct{}

//go:embed scripts/kubernetes.sh
var kubernetesScript string

//go:embed scripts/kubernetes-job.json
var kubernetesJob string

func (kubernetes) Scripts(p *Plan, tasks []Task) []Script {
	var b strings.Builder
	scripts := []Script{{"kubernetes.sh", kubernetesScript}}
	of := map[string]string{} // the Job of a task
	var jobs []string
	for _, group := range groups(tasks) {
		job := group[0].ID
		jobs = append(jobs, job)
		var ids []string
		for _, t := range group {
			of[t.ID] = job
			ids = append(ids, strconv.Quote(t.ID))
		}
		fmt.Fprintln(&b, strings.Join(append([]string{"start", job}, before(group[0], of)...), " "))
		text := strings.NewReplacer(
			"FIRST", job, "TASKS", fmt.Sprint(len(group)), "IDS", strings.Join(ids, ", "),
			"CPUS", fmt.Sprint(p.CPUs), "MEMORY", fmt.Sprint(p.mebibytes()), "ARCHITECTURE", runtime.GOARCH,
		).Replace(kubernetesJob)
		scripts = append(scripts, Script{Name: "kubernetes/" + job + ".json", Text: text})
	}
	fmt.Fprintf(&b, "finish %s\n", strings.Join(jobs, " "))
	return append(scripts, Script{"kubernetes/jobs.sh", "only " + strings.Join(jobs, " ") + "\n" + b.String()})
}

func (kubernetes) Cancel() (string, error) {
	return `options=()
while IFS= read -r option; do
	[ -z "$option" ] || options+=("$option")
done <farm/kubernetes/options.txt
kubectl ${options[@]+"${options[@]}"} delete jobs --selector="breakwater-run=$(printf %s "$(pwd -P)" | cksum | cut -d ' ' -f 1)"`, nil
}
