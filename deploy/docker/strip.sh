#!/bin/sh
# Leaves of a built checkout what one service needs to run, with its production dependencies alone and the source maps
# of our own code, by which stack traces name lines of TypeScript. The Dockerfile runs it: sh deploy/docker/strip.sh gateway
set -eu
service=$1
rm -rf node_modules
npm ci --omit=dev --ignore-scripts --no-audit --no-fund --workspace "services/$service"
find services -mindepth 1 -maxdepth 1 -not -name "$service" -exec rm -rf {} +
for folder in packages/*; do
  [ -e "node_modules/@weft/${folder#packages/}" ] || rm -rf "$folder"
done
own() { find . -path '*/node_modules' -prune -o "$@" -prune -exec rm -rf {} +; }
own -type d \( -name src -o -name test \) -not -path '*/dist/*'
own -type d -path '*/dist/test'
own -type f \( -name '*.test.js' -o -name '*.test.js.map' -o -name '*.d.ts' -o -name '*.d.ts.map' -o -name .tsbuildinfo \)
# Of others only what runs.
find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.cts' -o -name '*.d.mts' \) -exec rm -f {} +
ln -s "services/$service" service
