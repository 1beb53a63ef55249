#!/usr/bin/env bash
# Fetches EPUBCheck with Maven. install.sh FOLDER writes FOLDER/classpath, which the tests read: L2MAC_EPUBCHECK=FOLDER/classpath
set -euo pipefail
folder=$1
mkdir -p "$folder"
cp "$(dirname "$0")/pom.xml" "$folder/pom.xml"
mvn --quiet --batch-mode --file "$folder/pom.xml" dependency:build-classpath -Dmdep.outputFile="$folder/classpath"
