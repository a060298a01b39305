#!/usr/bin/env bash
# Submits the tasks of a plan to Slurm. Arguments are further options of sbatch, such as
# --partition=cpu. The numbers of the jobs are in farm/jobs.txt.
set -eu
cd "$(dirname "$0")/.."
queued=
[ ! -s farm/jobs.txt ] || queued=$(squeue --noheader --array --jobs="$(paste -sd, farm/jobs.txt)" --format='%i %r' 2>/dev/null || true)
held=$(sed -n 's/ .*requeued in held state.*//p' <<<"$queued" | paste -sd, -)
if [ -n "$held" ]; then
	scontrol release "$held"
	echo "the tasks that were held go on"
	exit 0
elif [ -n "$queued" ]; then
	echo "tasks of this plan are queued or running; nothing was submitted" >&2
	exit 75
fi
mkdir -p farm/log
: >farm/jobs.txt

# submit OPTION... SCRIPT TASK...: submits a job and prints its number.
submit() {
	local job
	job=$(sbatch --parsable --kill-on-invalid-dep=yes --requeue --open-mode=append --signal=B:TERM@60 "$@") || return 1
	echo "${job%%;*}" >>farm/jobs.txt
	echo "${job%%;*}"
}

job0=$(submit --job-name='dam-break-sim-1' --output=farm/log/%x.txt --cpus-per-task=8 --mem=3577M --time=90 "$@" farm/slurm-task.sh sim-1)
job1=$(submit --job-name='dam-break-sim-2' --output=farm/log/%x.txt --cpus-per-task=8 --mem=3577M --time=90 --dependency=afterok:$job0 "$@" farm/slurm-task.sh sim-2)
job2=$(submit --job-name='dam-break-frames-1-20' --array=0-1 --output=farm/log/%x-%a.txt --cpus-per-task=8 --mem=3577M --time=60 --dependency=afterok:$job0 "$@" farm/slurm-task.sh frames-1-20 frames-21-30)
job4=$(submit --job-name='dam-break-sim-3' --output=farm/log/%x.txt --cpus-per-task=8 --mem=3577M --time=90 --dependency=afterok:$job1 "$@" farm/slurm-task.sh sim-3)
job5=$(submit --job-name='dam-break-frames-31-50' --array=0-1 --output=farm/log/%x-%a.txt --cpus-per-task=8 --mem=3577M --time=60 --dependency=afterok:$job1 "$@" farm/slurm-task.sh frames-31-50 frames-51-60)
job7=$(submit --job-name='dam-break-frames-61-80' --array=0-1 --output=farm/log/%x-%a.txt --cpus-per-task=8 --mem=3577M --time=60 --dependency=afterok:$job4 "$@" farm/slurm-task.sh frames-61-80 frames-81-90)
job9=$(submit --job-name='dam-break-finish' --output=farm/log/%x.txt --cpus-per-task=8 --mem=3577M --time=270 --dependency=afterok:$job2:$job5:$job7 "$@" farm/slurm-task.sh finish)
