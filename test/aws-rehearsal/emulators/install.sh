#!/usr/bin/env bash
# Installs emulators of AWS into a folder, for tests that need them: L2MAC_EMULATORS=FOLDER npm run test:all
# Needs what each is written for: npm, python3 with venv, Maven with Java 17. What is missing is left out, and said.
set -euo pipefail

DYNOXIDE=1.2.1
MOTO=5.2.5
JSONATA=0.7.1
DYNAMODB_LOCAL=2.6.1

folder=${1:?usage: install.sh FOLDER}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)

has() { command -v "$1" >/dev/null; }

dynoxide() {
  local place=$folder/node_modules/@dynoxide/linux-x64
  [[ -x $place/dynoxide ]] && grep -q "\"$DYNOXIDE\"" "$place/package.json" && return
  npm install --no-save --no-audit --no-fund --prefix "$folder" "@dynoxide/linux-x64@$DYNOXIDE"
}

moto() {
  local packages="$folder/moto/lib/python*/site-packages"
  compgen -G "$packages/moto-$MOTO.dist-info" >/dev/null &&
    compgen -G "$packages/jsonata_python-$JSONATA.dist-info" >/dev/null && return
  python3 -m venv --clear "$folder/moto"
  "$folder/moto/bin/pip" install --quiet --disable-pip-version-check "moto[server,stepfunctions]==$MOTO" "jsonata-python==$JSONATA"
}

dynamodb_local() {
  [[ -f $folder/dynamodb-local/DynamoDBLocal-$DYNAMODB_LOCAL.jar ]] && return
  local project=$folder/dynamodb-local.new
  rm -rf "$project" "$folder/dynamodb-local"
  mkdir -p "$project"
  cat >"$project/pom.xml" <<POM
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>l2mac</groupId><artifactId>emulators</artifactId><version>1</version>
  <dependencies>
    <dependency>
      <groupId>com.amazonaws</groupId><artifactId>DynamoDBLocal</artifactId><version>$DYNAMODB_LOCAL</version>
    </dependency>
  </dependencies>
</project>
POM
  mvn --batch-mode --quiet --file "$project/pom.xml" dependency:copy-dependencies \
    -DincludeScope=runtime "-DoutputDirectory=$project/jars"
  mv "$project/jars" "$folder/dynamodb-local"
  rm -rf "$project"
}

if has npm && [[ $(uname -sm) == "Linux x86_64" ]]; then dynoxide; else echo "No npm, or not Linux on x64: without Dynoxide." >&2; fi
if has python3; then moto; else echo "No python3: without moto." >&2; fi
if has mvn && has java; then dynamodb_local; else echo "No Maven or Java: without DynamoDB Local." >&2; fi
