#!/usr/bin/env bash
# The step of action.yml: its inputs as arguments of `l2mac run`. Inputs are values, never text of a script.
set -uo pipefail
folder=$(cd "$(dirname "$0")" && pwd)

arguments=(run)
if [ -n "${INPUT_SPEC:-}" ]; then arguments+=(--spec "$INPUT_SPEC"); fi
if [ -n "${INPUT_FROM:-}" ]; then arguments+=(--from "$INPUT_FROM"); fi
if [ -n "${INPUT_MODEL:-}" ]; then arguments+=(--model "$INPUT_MODEL"); fi
if [ -n "${INPUT_BUDGET:-}" ]; then arguments+=(--budget "$INPUT_BUDGET"); fi
while IFS= read -r argument; do
  if [ -n "$argument" ]; then arguments+=("$argument"); fi
done <<<"${INPUT_ARGUMENTS:-}"
arguments+=(--out "$INPUT_OUT")
# Last, so that a task which begins with dashes is no flag.
if [ -n "${INPUT_TASK:-}" ]; then arguments+=(-- "$INPUT_TASK"); fi

output=$(node "$folder/l2mac.mjs" "${arguments[@]}")
code=$?
{
  printf 'folder=%s\n' "$(printf '%s' "$output" | tail -n 1)"
  printf 'exit-code=%s\n' "$code"
} >>"$GITHUB_OUTPUT"
# 1: completed with something unchecked, which the run reports.
if [ "$code" -le 1 ]; then exit 0; fi
exit "$code"
