#!/bin/bash
# What was asked for is in the working directory, what was deleted is not, and what was there before still is.
cd /app || exit 1
find . -type f | sort | sed "s|^./||" >/logs/verifier/found.txt
if grep -qx "part 1" parts/part-1.txt && [ "$(bin/list.sh)" = $'part-1.txt\npart-2.txt' ] &&
  [ ! -e old.txt ] && grep -qx nothing kept.txt; then
  echo 1 >/logs/verifier/reward.txt
else
  echo 0 >/logs/verifier/reward.txt
fi
