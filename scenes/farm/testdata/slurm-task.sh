#!/usr/bin/env bash
# Runs the task whose name is the argument at the array's index. A task that was
# stopped, or whose input was late, goes back to the queue. One that found the disk full is
# held until somebody makes room, and runs farm retry.
breakwater=${BREAKWATER:-/opt/breakwater}
tasks=("$@")
id=${tasks[${SLURM_ARRAY_TASK_ID:-0}]}
[ -z "${SLURM_MEM_PER_NODE:-}" ] || export GOMEMLIMIT="${SLURM_MEM_PER_NODE}MiB"
"$breakwater" farm task . "$id" --threads="${SLURM_8_PER_TASK:-8}" &
pid=$!
trap 'kill -TERM $pid' TERM
wait $pid
status=$?
while kill -0 $pid 2>/dev/null; do # wait ends at the signal, too
	wait $pid
	status=$?
done
job=$SLURM_JOB_ID # of the last task of an array, this is the number of the whole array, too
[ -z "${SLURM_ARRAY_TASK_ID:-}" ] || job=${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID
# A job that was cancelled is not running any more, and must not come back.
[ "$(squeue --noheader --jobs="$job" --format=%T)" = RUNNING ] || exit $status
if [ $status -eq 75 ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 5 ]; then
	scontrol requeue "$job" && sleep 60
elif [ $status -eq 5 ]; then
	scontrol requeuehold "$job" && sleep 60
fi
exit $status
