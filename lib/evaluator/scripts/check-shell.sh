# Has shell scripts read by the shells they are written for, which execute nothing of them.
# In: a mark, then for each script a shell, an option of that shell or nothing, and the path. Out: for each the mark with
# the exit code, or with "missing" where there is no such shell, and what it said.
mark=$1
shift
while [ $# -ge 3 ]; do
  said=
  code=missing
  if command -v "$1" >/dev/null 2>&1; then
    said=$("$1" ${2:+-O "$2"} -n "./$3" 2>&1)
    code=$?
  fi
  printf '%s %s\n%s\n' "$mark" "$code" "$said"
  shift 3
done
