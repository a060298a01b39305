#!/usr/bin/env bash
# Runs the tasks of a plan on this machine, JOBS at a time (1 by default). Run it again to
# make what is missing. BREAKWATER may name the program.
set -um
cd "$(dirname "$0")/.." || exit 1
breakwater=${BREAKWATER:-/opt/breakwater}
jobs=${JOBS:-1}
threads=${THREADS:-8}
mkdir -p farm/log || exit 1
pid=() code=() name=()

# One script at a time: farm/shell.pid says which.
me="$(uname -n) $$"
until (set -o noclobber && echo "$me" >farm/shell.pid) 2>/dev/null; do
	read -r host other <farm/shell.pid || continue
	if [ "$host" != "$(uname -n)" ]; then
		echo "tasks of this plan run on $host; nothing was submitted. If they do not, remove farm/shell.pid" >&2
		exit 75
	elif kill -0 "$other" 2>/dev/null; then
		echo "tasks of this plan run already, by process $other; nothing was submitted" >&2
		exit 75
	fi
	rm -f farm/shell.pid
done
trap 'rm -f farm/shell.pid' EXIT

# task ID: runs a task, again if it was stopped or its input was late.
task() {
	local try status
	for try in 1 2 3 4 5; do
		"$breakwater" farm task . "$1" --threads="$threads" >>"farm/log/$1.txt" 2>&1
		status=$?
		[ $status -eq 75 ] || break
		sleep "$try"
	done
	exit $status
}

# ended N: waits for task N.
ended() {
	[ -z "${code[$1]:-}" ] || return
	wait "${pid[$1]}"
	code[$1]=$?
	[ "${code[$1]}" -eq 0 ] || echo "${name[$1]}: failed with exit status ${code[$1]}; see farm/log/${name[$1]}.txt" >&2
}

# start N ID M...: starts task N, once tasks M have ended.
start() {
	local n=$1 id=$2 before
	shift 2
	name[$n]=$id
	for before in "$@"; do
		ended "$before"
		if [ "${code[$before]}" -ne 0 ]; then
			code[$n]=${code[$before]}
			echo "$id: not run, because ${name[$before]} failed" >&2
			return
		fi
	done
	while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do sleep 0.2; done
	echo "$id"
	task "$id" &
	pid[$n]=$!
}

# finish N: waits for all N tasks, and exits with the first status that is not 0.
finish() {
	local n status=0
	for ((n = 0; n < $1; n++)); do
		ended $n
		[ $status -ne 0 ] || status=${code[$n]}
	done
	exit $status
}

# stop: ends the tasks with all their processes.
stop() {
	local p
	trap '' INT TERM HUP
	for p in $(jobs -p); do kill -TERM -- "-$p" 2>/dev/null; done
	wait
	exit 75
}
trap stop INT TERM HUP

start 0 sim-1
start 1 sim-2 0
start 2 frames-1-20 0
start 3 frames-21-30 0
start 4 sim-3 1
start 5 frames-31-50 1
start 6 frames-51-60 1
start 7 frames-61-80 4
start 8 frames-81-90 4
start 9 finish 2 3 5 6 7 8
finish 10
