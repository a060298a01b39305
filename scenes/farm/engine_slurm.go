package farm

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
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

// Slurm ends a job that takes more than it asks for, so jobs ask for more than estimated.
const (
	moreTime    = 3
	leastTime   = 10 // minutes
	moreMemory  = 1.25
	leastMemory = 256 // MiB
)

func (slurm) Scripts(p *Plan, tasks []Task) []Script {
	var b strings.Builder
	b.WriteString(header(slurmScript, p))
	jobs := map[string]string{} // shell variables of tasks
	for len(tasks) > 0 {
		array := 1 // as many tasks of one kind as depend on the same
		for array < min(len(tasks), mostChunks) && slices.Equal(tasks[array].After, tasks[0].After) && slices.Equal(tasks[array].Stages, tasks[0].Stages) {
			array++
		}
		p.submit(&b, tasks[:array], jobs)
		tasks = tasks[array:]
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
	fmt.Fprintf(b, " --cpus-per-task=%d --mem=%dM", p.CPUs, max(leastMemory, int64(math.Ceil(moreMemory*float64(p.Memory)/(1<<20)))))
	longest := 0.0
	for _, t := range tasks {
		longest = max(longest, t.Seconds)
	}
	if longest > 0 {
		fmt.Fprintf(b, " --time=%d", max(leastTime, int(math.Ceil(moreTime*longest/60))))
	}
	var after []string
	for _, id := range first.After {
		if job := jobs[id]; job != "" && !slices.Contains(after, "$"+job) { // else it is done
			after = append(after, "$"+job)
		}
	}
	if len(after) > 0 {
		fmt.Fprintf(b, " --dependency=afterok:%s", strings.Join(after, ":"))
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
