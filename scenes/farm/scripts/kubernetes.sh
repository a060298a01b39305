#!/usr/bin/env bash
# Makes the Jobs of a plan in Kubernetes, each when the Jobs that it depends on are
# complete, and ends with the last. Run it again if it was stopped. Arguments are options
# of kubectl, such as --namespace=film. These variables describe the cluster:
#   IMAGE  image with the program as its entry point (default: breakwater)
#   CLAIM  claim of the volume that has this folder (default: shared)
#   MOUNT  path of the volume, here and in the containers (default: the first folder of
#          this folder's path)
set -eu
cd "$(dirname "$0")/.."
folder=$(pwd -P)
first=${folder#/}
image=${IMAGE:-breakwater} claim=${CLAIM:-shared} mount=${MOUNT:-/${first%%/*}}
run=$(printf %s "$folder" | cksum | cut -d ' ' -f 1)
case "$folder/" in
"$mount"/*) ;;
*)
	echo "$folder is not in $mount: set MOUNT to the path of the shared volume" >&2
	exit 2
	;;
esac
case "$image$claim$folder" in
*[\"\\\|\&]*)
	echo "IMAGE, CLAIM and $folder must have none of \" \\ | and &" >&2
	exit 2
	;;
esac
options=("$@")
printf '%s\n' "$@" >farm/kubernetes/options.txt # for farm cancel
broken=" " whole=" "

# kube ARGUMENT...: calls kubectl with the options.
kube() { kubectl ${options[@]+"${options[@]}"} "$@"; }

# The claim must be there, or pods would wait for it for ever. Who may not ask goes on.
if found=$(kube get persistentvolumeclaim "$claim" --ignore-not-found -o name) && [ -z "$found" ]; then
	echo "there is no persistent volume claim $claim: set CLAIM to that of the shared volume" >&2
	exit 2
fi

# only JOB...: exits if another Job of this folder than these is active.
only() {
	local name type
	while read -r name type; do
		case "$name/$type" in
		/* | */*Complete* | */*Fail*) continue ;;
		esac
		case " $* " in
		*" ${name#bw-"$run"-} "*) ;;
		*)
			echo "the Job $name is active; nothing was submitted. breakwater farm cancel deletes it" >&2
			exit 75
			;;
		esac
	done <<<"$(kube get jobs "--selector=breakwater-run=$run" -o 'jsonpath={range .items[*]}{.metadata.name} {.status.conditions[?(@.status=="True")].type}{"\n"}{end}')"
}

# condition JOB: prints Complete, Failed, Active, or nothing if there is no such Job.
condition() {
	local found
	found=$(kube get job "bw-$run-$1" --ignore-not-found -o 'jsonpath=Active {.status.conditions[?(@.status=="True")].type}') || return 1
	case " $found " in
	*" Failed "*) echo Failed ;;
	*" Complete "*) echo Complete ;;
	*" Active "*) echo Active ;;
	esac
}

# ended JOB: waits for a Job, and returns 1 if it failed or was deleted.
ended() {
	local now
	case "$whole" in *" $1 "*) return 0 ;; esac
	case "$broken" in *" $1 "*) return 1 ;; esac
	while :; do
		now=$(condition "$1") || now=Active # the cluster may answer later
		[ "$now" = Active ] || break
		sleep "${POLL:-5}"
	done
	if [ "$now" = Complete ]; then
		whole="$whole$1 "
		return 0
	fi
	echo "$1: ${now:-deleted}; see kubectl logs job/bw-$run-$1, and breakwater farm status" >&2
	broken="$broken$1 "
	return 1
}

# start JOB BEFORE...: makes a Job when the Jobs before it are complete. A Job of an
# earlier run of this script stays if it is active.
start() {
	local job=$1 before now
	shift
	for before in "$@"; do
		if ! ended "$before"; then
			echo "$job: not made, because $before failed" >&2
			broken="$broken$job "
			return
		fi
	done
	now=$(condition "$job")
	case "$now" in
	Active)
		echo "$job is active already"
		return
		;;
	Complete | Failed) kube delete job "bw-$run-$job" --wait >/dev/null ;;
	esac
	echo "$job"
	sed -e "s|@RUN@|$run|g; s|@IMAGE@|$image|; s|@CLAIM@|$claim|; s|@MOUNT@|$mount|; s|@FOLDER@|$folder|" \
		-e "s|\"@USER@\"|$(id -u)|; s|\"@GROUP@\"|$(id -g)|" "farm/kubernetes/$job.json" | kube create -f - >/dev/null
}

# finish JOB...: waits for all Jobs, and exits.
finish() {
	local job status=0
	for job in "$@"; do ended "$job" || status=1; done
	exit $status
}

. farm/kubernetes/jobs.sh
