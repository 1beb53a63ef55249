#!/usr/bin/env bash
# Pins the base image of the evaluator by its digest: looks the tag of the Dockerfile up in the public registry and
# writes the digest behind it. Needs curl and the network. npm run image:pin, or with another tag: npm run image:pin -- TAG
set -euo pipefail
cd "$(dirname "$0")"

REGISTRY=public.ecr.aws
NAME=lambda/nodejs
DOCKERFILE=${DOCKERFILE:-Dockerfile}

tag=${1:-$(sed -nE "s|^FROM $REGISTRY/$NAME:([^@ ]+).*|\1|p" "$DOCKERFILE")}
[[ $tag =~ ^24\.[0-9.]+$ ]] || { echo "\"$tag\" is no dated tag of Node 24, such as 24.2026.09.24.14." >&2; exit 2; }

token=$(curl --fail --silent --show-error "https://$REGISTRY/token/" | sed -nE 's/.*"token" ?: ?"([^"]+)".*/\1/p')
# The index, which lists the images of both processors.
digest=$(curl --fail --silent --show-error --head "https://$REGISTRY/v2/$NAME/manifests/$tag" \
  --header "Authorization: Bearer $token" \
  --header "Accept: application/vnd.docker.distribution.manifest.list.v2+json, application/vnd.oci.image.index.v1+json" |
  tr -d '\r' | sed -nE 's/^docker-content-digest: (sha256:[0-9a-f]{64})$/\1/Ip')
[[ -n $digest ]] || { echo "The registry names no digest of $NAME:$tag. Nothing was changed." >&2; exit 1; }

sed -i.before -E "s|^FROM $REGISTRY/$NAME:.*|FROM $REGISTRY/$NAME:$tag@$digest|" "$DOCKERFILE"
rm -f "$DOCKERFILE.before"
echo "$NAME:$tag is $digest"
