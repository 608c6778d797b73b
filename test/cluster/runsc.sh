#!/bin/bash
# gVisor as an OCI runtime below runc's shim for containerd: Debian has runsc, but not its own shim. Pods of all kinds run with it; the
# statistics of a container are those of its Pod.
# - Platform systrap: kvm hangs where /dev/kvm is itself virtual.
# - --network=host: the Pod's own network namespace through the host's sockets. With gVisor's own stack, Debian's runsc takes every
#   namespace for the first one on Linux 6.10 and newer.
# - --overlay2=none: what a container writes reaches containerd's snapshot, which keeping its filesystem after a stop needs. By default
#   gVisor hides it in a file of its own. That file also stays open after some abandoned commands (exec whose client went away), and then
#   the container's root can never be unmounted, nor its Pod deleted.
# - To gVisor a container of a Pod is no process, but the shim wants one to watch. `create` leaves a stand-in: it keeps the streams until
#   `start` takes them, and ends with the container's exit code.
runsc=(runsc --platform=systrap --network=host --overlay2=none)
root=() command='' bundle='' pidfile=''
arguments=("$@")
for ((i = 0; i < $#; i++)); do
  case ${arguments[i]} in
    --bundle) bundle=${arguments[i + 1]} ;;
    --pid-file) pidfile=${arguments[i + 1]} ;;
    --root) root=(--root "${arguments[i + 1]}") ;;
    create | start | kill | delete) command=${command:-${arguments[i]}} ;;
  esac
done
id=${*: -1}
standin=/run/runsc-standins/$id

# Waits for `start`, lets go of the streams, and ends with the code that `runsc wait` tells.
wait_for_end='folder=$1; shift
until [ -e "$folder/started" ]; do sleep 0.05; done
exec <&- >&- 2>&-
result=$("$@" 2>/dev/null); result=${result##*exitStatus\":}
exit "${result%%[!0-9]*}"'

field() { sed -n "s|.*\"$1\":\"\([^\"]*\)\".*|\1|p" "$bundle/config.json"; }

case $command in
  create)
    "${runsc[@]}" "$@" || exit
    grep -q '"io.kubernetes.cri.container-type":"container"' "$bundle/config.json" || exit 0
    mkdir -p "$standin"
    # Without `<&0` the shell would give it /dev/null, and the container's stdin would have ended at once.
    setsid bash -c "$wait_for_end" standin "$standin" "${runsc[@]}" "${root[@]}" wait "$id" <&0 &
    echo -n $! >"$pidfile"
    echo $! >"$standin/pid"
    # Into the sandbox's cgroup, where cAdvisor then finds the container's figures.
    cgroup=$(field cgroupsPath) sandbox=$(field io.kubernetes.cri.sandbox-id)
    for procs in /sys/fs/cgroup/*/"${cgroup%/*}/$sandbox/cgroup.procs"; do echo "$(<"$standin/pid")" >"$procs"; done 2>/dev/null
    exit 0
    ;;
  start)
    if pid=$(cat "$standin/pid" 2>/dev/null); then
      "${runsc[@]}" "$@" <"/proc/$pid/fd/0" >"/proc/$pid/fd/1" 2>"/proc/$pid/fd/2"
      result=$?
      touch "$standin/started"
      exit $result
    fi
    ;;
  kill)
    # The shim knows a container that is gone already only by runc's words for it.
    output=$("${runsc[@]}" "$@" 2>&1) && exit
    case $output in *'not running'* | *'in state'* | *'does not exist'*) output='container not running' ;; esac
    echo "$output" >&2
    exit 1
    ;;
  delete)
    if [ -d "$standin" ]; then
      [ -e "$standin/started" ] || kill -9 "$(cat "$standin/pid")"
      rm -rf "$standin"
    fi
    ;;
esac
exec "${runsc[@]}" "$@"
