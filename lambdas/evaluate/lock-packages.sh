#!/usr/bin/env bash
# Renews the lock files of the evaluator's image from its two lists: exact versions and hashes of everything they bring.
# Needs npm, python3 with venv, and the network. npm run image:lock
set -euo pipefail
cd "$(dirname "$0")"

UV=0.13.9
PYTHON=3.13

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check "uv==$UV"
for platform in x86_64 aarch64; do
  "$work/venv/bin/uv" pip compile python-packages.txt --quiet --output-file "$work/$platform.lock" \
    --python-version "$PYTHON" --python-platform "$platform-manylinux_2_28" --only-binary :all: \
    --generate-hashes --no-header --no-annotate
done
# One file serves both processors, so both must bring the same packages.
cmp "$work/x86_64.lock" "$work/aarch64.lock"
{
  echo "# Everything that python-packages.txt brings, with hashes. Written by npm run image:lock."
  cat "$work/x86_64.lock"
} >python-packages.lock

mkdir "$work/evaluator-image"
cp npm-packages.json "$work/evaluator-image/package.json"
cp ../../.npmrc "$work/evaluator-image/.npmrc"
(cd "$work/evaluator-image" && npm install --package-lock-only --ignore-scripts --no-audit --no-fund --loglevel=error)
cp "$work/evaluator-image/package-lock.json" npm-packages.lock.json
