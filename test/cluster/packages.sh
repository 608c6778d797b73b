#!/bin/bash
# Installs the Debian packages that the cluster is made of, and Go, where they are missing. Their services do not start: a cluster
# starts private ones. Needs root only when something is missing.
set -euo pipefail
packages=(containerd runc containernetworking-plugins docker-registry busybox-static iptables conntrack iproute2 openssl curl ca-certificates)
# Of these bookworm's own are too old: its runsc lacks the platform systrap, its Go cannot fetch a newer one.
newer=(runsc)
command -v go >/dev/null || newer+=(golang-go)

missing() {
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || echo "$package"
  done
}
mapfile -t wanted < <(missing "${packages[@]}")
mapfile -t backports < <(missing "${newer[@]}")
[ $((${#wanted[@]} + ${#backports[@]})) -gt 0 ] || exit 0
[ "$(id -u)" = 0 ] || { echo "install these packages (the last of them from Debian's backports): ${wanted[*]} ${backports[*]}" >&2; exit 1; }

export DEBIAN_FRONTEND=noninteractive
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
  trap 'rm -f $policy' EXIT
  printf '#!/bin/sh\nexit 101\n' >$policy
  chmod +x $policy
fi
. /etc/os-release
sources=/etc/apt/sources.list.d/zun-test-backports.sources
if [ ${#backports[@]} -gt 0 ] && [ "$VERSION_CODENAME" = bookworm ] && ! grep -qrs bookworm-backports /etc/apt/sources.list /etc/apt/sources.list.d; then
  # Of the mirror that this machine uses already.
  sed '/^$/q; s/^Suites:.*/Suites: bookworm-backports/' /etc/apt/sources.list.d/debian.sources >$sources
fi
apt-get -qq update
[ ${#wanted[@]} -eq 0 ] || apt-get -qq install -y --no-install-recommends "${wanted[@]}"
[ ${#backports[@]} -eq 0 ] || apt-get -qq install -y --no-install-recommends -t "$VERSION_CODENAME-backports" "${backports[@]}"
