package farm

import (
	_ "embed"
	"fmt"
	"strings"
)

func init() {
	Engines.Add("slurm", "jobs of Slurm, with dependencies, memory and time", "", func() Engine { return slurm{} })
}

// slurm submits a job for each segment and an array of jobs for the chunks of each.
type slurm struct{}

//go:embed scripts/slurm.sh
var slurmScript string

//go:embed scripts/slurm-task.sh
var slurmTask string

func (slurm) Scripts(p *Plan, tasks []Task) []Script {
	var b strings.Builder
	b.WriteString(header(slurmScript, p))
	jobs := map[string]string{} // shell variables of tasks
	for _, group := range groups(tasks) {
		p.submit(&b, group, jobs)
	}
	return []Script{{"slurm.sh", b.String()}, {"slurm-task.sh", header(slurmTask, p)}}
}

// submit writes the line that submits a task, or several as an array.
func (p *Plan) submit(b *strings.Builder, tasks []Task, jobs map[string]string) {
	variable := fmt.Sprintf("job%d", len(jobs))
	first := tasks[0]
	fmt.Fprintf(b, "%s=$(submit --job-name=%s", variable, quote(jobName(p.Name)+"-"+first.ID))
	if len(tasks) > 1 {
		fmt.Fprintf(b, " --array=0-%d --output=farm/log/%%x-%%a.txt", len(tasks)-1)
	} else {
		b.WriteString(" --output=farm/log/%x.txt")
	}
	fmt.Fprintf(b, " --cpus-per-task=%d --mem=%dM", p.CPUs, p.mebibytes())
	if m := minutes(tasks); m > 0 {
		fmt.Fprintf(b, " --time=%d", m)
	}
	if after := before(first, jobs); len(after) > 0 {
		fmt.Fprintf(b, " --dependency=afterok:$%s", strings.Join(after, ":$"))
	}
	b.WriteString(` "$@" farm/slurm-task.sh`)
	for _, t := range tasks {
		b.WriteString(" " + t.ID)
		jobs[t.ID] = variable
	}
	b.WriteString(")\n")
}

// jobName returns a name without blanks, of which Slurm makes the name of a file.
func jobName(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" %/\\", r) {
			return '-'
		}
		return r
	}, name)
}

func (slurm) Cancel() (string, error) { return "xargs scancel <farm/jobs.txt", nil }
