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

