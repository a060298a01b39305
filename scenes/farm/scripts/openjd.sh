#!/usr/bin/env bash
# Submits a plan, as a job bundle of Open Job Description, by the command of AWS Deadline
# Cloud. Arguments are further options of deadline bundle submit, such as --queue-id.
# BREAKWATER may name the program, as the workers find it.
set -eu
cd "$(dirname "$0")/.."
exec deadline bundle submit --yes -p "Folder=$(pwd -P)" -p "Program=${BREAKWATER:-breakwater}" "$@" farm/openjd
