#!/usr/bin/env bash
# Submits a plan to a manager of Flamenco 3, which has the job type farm/flamenco/breakwater.js.
# Arguments are options of curl. These variables describe the farm:
#   FLAMENCO    address of the manager (default: http://localhost:8080)
#   BREAKWATER  the program, as workers find it (default: breakwater)
set -eu
cd "$(dirname "$0")/.."
folder=$(pwd -P) program=${BREAKWATER:-breakwater}
case "$folder$program" in
*[\"\\\|\&]*)
	echo "BREAKWATER and $folder must have none of \" \\ | and &" >&2
	exit 2
	;;
esac
manager=${FLAMENCO:-http://localhost:8080}
if [ -s farm/flamenco/jobs.txt ]; then
	while read -r job; do
		state=$(curl --fail --silent "$@" "$manager/api/v3/jobs/$job" | grep -o '"status": *"[a-z-]*"' | head -n 1) || state=gone
		case "$state" in
		*active* | *queue* | *construction\" | *paused* | *requested*)
			echo "job $job is queued or running; nothing was submitted. breakwater farm cancel ends it" >&2
			exit 75
			;;
		esac
	done <farm/flamenco/jobs.txt
	: >farm/flamenco/jobs.txt # they have ended
fi
answer=$(sed -e "s|@FOLDER@|$folder|; s|@PROGRAM@|$program|" farm/flamenco/job.json |
	curl --fail --silent --show-error --header 'Content-Type: application/json' --data-binary @- "$@" "$manager/api/v3/jobs")
job=$(printf %s "$answer" | sed -n 's/.*"id": *"\([0-9a-f-]\{36\}\)".*/\1/p' | head -n 1)
[ -n "$job" ] || {
	echo "the manager answers: $answer" >&2
	exit 1
}
echo "$job" >>farm/flamenco/jobs.txt
echo "job $job"
