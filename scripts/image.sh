#!/bin/sh
# Builds the image where Docker or Podman answers, waits until the healthcheck of compose.yaml succeeds in it, and removes both. Without an engine it says
# so and succeeds: test/deploy.test.ts lints the files.
# usage: sh scripts/image.sh, from the project's folder
set -eu

engine=
for each in docker podman; do
  if command -v "$each" >/dev/null 2>&1 && "$each" info >/dev/null 2>&1; then
    engine=$each
    break
  fi
done
if [ -z "$engine" ]; then
  echo "No image was built: neither Docker nor Podman answers here. test/deploy.test.ts lints the Containerfile"
  exit 0
fi

image=overture-check-$$
container=
clean() {
  if [ -n "$container" ]; then "$engine" rm -f "$container" >/dev/null; fi
  "$engine" rmi -f "$image" >/dev/null 2>&1 || true
}
trap clean EXIT

"$engine" build -f scripts/deploy/Containerfile --build-arg BASE=gcr.io/distroless/cc-debian12:debug-nonroot -t "$image" .
container=$("$engine" run -d "$image")
tries=0
until "$engine" exec "$container" /busybox/wget -q -T 5 -O /dev/null http://127.0.0.1:3000/readyz; do
  tries=$((tries + 1))
  if [ "$tries" -gt 60 ]; then
    echo "The server in the image did not get ready:" >&2
    "$engine" logs "$container" >&2
    exit 1
  fi
  sleep 1
done
"$engine" exec "$container" overture doctor
echo "The image was built with $engine, and its server is healthy"
