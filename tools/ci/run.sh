#!/bin/bash
# Runs every tier and adds up their results: checks, unit tests (`npm test`), databases, engines, Kubernetes; some side by side. A tier that ends badly
# without a failed test counts as one failure. Output of a tier that passed is cut to its summary.
set -uo pipefail
cd "$(dirname -- "$0")/../.."
logs=$(mktemp -d); trap 'rm -rf "$logs"' EXIT
passed=0 failed=0
declare -A started running lasted

say() { printf '\n== %s\n' "$*"; }

# tier NAME COMMAND…: runs it to its end.
tier() {
  begin "$@"
  finish "$1"
}

# begin NAME COMMAND…: runs it beside what follows. What is begun together shares the machine's two cores, and mostly waits.
begin() {
  local name=$1
  shift
  say "$name: $*"
  started[$name]=$SECONDS
  {
    "$@" >"$logs/$name" 2>&1 </dev/null
    echo $? >"$logs/$name.status"
  } &
  running[$name]=$!
}

# finish NAME…: waits for all of them, then counts the lines of Node's test runner in what each wrote. What failed is run again when nothing
# else runs any more.
finish() {
  local name log status ok bad
  for name in "$@"; do
    wait "${running[$name]}"
    lasted[$name]=$((SECONDS - started[$name]))
  done
  for name in "$@"; do
    log="$logs/$name" status=$(cat "$logs/$name.status")
    if [ "$status" -ne 0 ] && again "$name" "$log"; then status=0; printf '%s: what failed passed when it was run again alone; look at it\n' "$name"; fi
    ok=$(sum pass "$log") bad=$(sum fail "$log")
    if [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; then bad=1; fi
    if [ "$status" -eq 0 ] && [ "$ok" -eq 0 ] && [ "$bad" -eq 0 ]; then ok=1; fi
    if [ "$bad" -gt 0 ]; then sed -n '/failing tests:/,$p' "$log" | head -400; tail -40 "$log"; else grep -E '^(ℹ|#) (tests|pass|fail|skipped)' "$log" | tail -8; fi
    printf '%s: %d passed, %d failed, %d s\n' "$name" "$ok" "$bad" "${lasted[$name]}"
    passed=$((passed + ok)) failed=$((failed + bad))
  done
}

# again TIER LOG: runs the test files of `system` and `kubernetes` with failures once more, alone, since engines, the cluster and timing are
# shared in the first run. When all pass, the tier counts no failure; what had failed stays printed.
again() {
  local tier=$1 log=$2 places files place
  case $tier in system | kubernetes) ;; *) return 1 ;; esac
  places=$(sed -nE "s#^test at (test/($tier|contract)/[^:]+):.*#\\1#p" "$log" | sort -u)
  [ -n "$places" ] || return 1
  files=$(for place in $places; do filesOf "$tier" "$place"; done | tr ' ' '\n' | sort -u)
  sed -n '/failing tests:/,$p' "$log" | head -200
  # shellcheck disable=SC2086
  sh scripts/run.sh "test:$tier" $files >"$log.again" 2>&1 </dev/null || { tail -60 "$log.again"; return 1; }
  sed -i -E 's/^(ℹ|#) fail [0-9]+$/\1 fail 0/' "$log"
}

# filesOf TIER PLACE: the test files that a failed test may be of: a promise of the contract is a test of every adapter's file.
filesOf() {
  case $2 in
    *.test.ts) echo "$2" ;;
    test/contract/*) [ "$1" = system ] && echo test/system/docker-runtime.test.ts || echo test/kubernetes/kubernetes-runtime.test.ts ;;
    *) echo "${2%/*}"/*.test.ts ;;
  esac
}

sum() { sed -nE "s/^(ℹ|#) $1 ([0-9]+)\$/\\2/p" "$2" | awk '{ total += $1 } END { print total + 0 }'; }

tier packages bash tools/ci/packages.sh
tier check npm run --silent check
tier audit bash tools/ci/audit.sh
tier unit npm test
begin simulation npm run --silent simulate -- --seeds 200
begin databases npm run --silent test:databases
finish simulation databases
begin system npm run --silent test:system
begin kubernetes npm run --silent test:kubernetes
finish system kubernetes

say 'all tiers'
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
