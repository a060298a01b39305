#!/usr/bin/env bash
# Submits a plan, as a job bundle of Open Job Description, by the command of AWS Deadline
# Cloud. Arguments are further options of deadline bundle submit, such as --queue-id.
# BREAKWATER may name the program, as the workers find it. The jobs are in
# farm/openjd/jobs.txt, and the options that say where they are, in options.txt.
set -eu
cd "$(dirname "$0")/.."
where=() named=
for option in "$@"; do
	case "$option" in
	--profile | --farm-id | --queue-id)
		named=$option
		where+=("$option")
		continue
		;;
	--profile=* | --farm-id=* | --queue-id=*) where+=("$option") ;;
	*) [ -z "$named" ] || where+=("$option") ;;
	esac
	named=
done
if [ -s farm/openjd/jobs.txt ]; then
	while read -r job; do
		state=$(deadline job get ${where[@]+"${where[@]}"} --job-id "$job" 2>/dev/null | sed -n 's/^taskRunStatus: *//p') || state=gone
		case "$state" in
		"" | gone | SUCCEEDED | FAILED | CANCELED) ;;
		*)
			echo "$job is queued or running ($state); nothing was submitted. breakwater farm cancel ends it" >&2
			exit 75
			;;
		esac
	done <farm/openjd/jobs.txt
	: >farm/openjd/jobs.txt # they have ended
fi
printf '%s\n' ${where[@]+"${where[@]}"} >farm/openjd/options.txt
deadline bundle submit --yes -p "Folder=$(pwd -P)" -p "Program=${BREAKWATER:-breakwater}" "$@" farm/openjd | while IFS= read -r line; do
	printf '%s\n' "$line"
	job=$(printf %s "$line" | sed -n 's/.*\(job-[0-9a-f]\{32\}\).*/\1/p')
	if [ -n "$job" ] && ! grep -q "$job" farm/openjd/jobs.txt 2>/dev/null; then echo "$job" >>farm/openjd/jobs.txt; fi
done
exit "${PIPESTATUS[0]}"
