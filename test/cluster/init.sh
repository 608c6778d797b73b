#!/bin/bash
# init.sh FOLDER NODE-ADDRESS: process 1 of a cluster's mount, network and PID namespaces. Makes them fit for a node, says so by the
# file FOLDER/inside, and then only waits: components are started beside it, and it takes in those whose parent has ended.
set -euo pipefail
cd "$1"
mount -t tmpfs tmpfs run
# A fresh /sys shows this network namespace. The cgroup mounts move over to it.
mkdir run/cgroup
mount --rbind /sys/fs/cgroup run/cgroup
mount -t sysfs sysfs /sys
mount --rbind run/cgroup /sys/fs/cgroup
umount -l run/cgroup
# containerd's socket has to be where cAdvisor looks for it, /run/containerd/containerd.sock, or Pods' statistics lack the network.
mount -t tmpfs tmpfs /run
# Whatever folders they are given, kubelet puts links to logs into /var/log, and kubelet and CNI make folders in /var/lib.
mount -t tmpfs tmpfs /var/log
mkdir run/var-lib run/var-lib-work
mount -t overlay overlay -o lowerdir=/var/lib,upperdir=run/var-lib,workdir=run/var-lib-work /var/lib
# The only place where the provisioner kubernetes.io/host-path makes volumes.
mkdir -p volumes /tmp/hostpath_pv
mount --bind volumes /tmp/hostpath_pv
# kubelet sets these for the whole machine; so it sets copies.
for setting in vm/overcommit_memory vm/panic_on_oom kernel/panic kernel/panic_on_oops kernel/keys/root_maxkeys kernel/keys/root_maxbytes; do
  cat "/proc/sys/$setting" >"run/${setting//\//-}"
  mount --bind "run/${setting//\//-}" "/proc/sys/$setting"
done
mount --make-rshared /

ip link set lo up
ip address add "$2/32" dev lo
# So that Services answer on the node too.
ip route add 10.96.0.0/16 dev lo src "$2"
echo 1 >/proc/sys/net/ipv4/ip_forward
touch inside
while :; do
  sleep infinity &
  wait $!
done
