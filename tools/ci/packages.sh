#!/bin/bash
# Debian packages that the system and database tests use: engines, a registry, a static busybox, a way to make a fresh root, two databases;
# then those of the Kubernetes tests.
set -euo pipefail
packages=(docker.io podman runc conmon netavark aardvark-dns iptables procps iproute2 busybox-static docker-registry debootstrap python3-venv mariadb-server postgresql)
missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
  export DEBIAN_FRONTEND=noninteractive
  apt-get -qq update
  # Services must not start by themselves: the tests start private ones.
  printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d; chmod +x /usr/sbin/policy-rc.d
  apt-get -qq install -y --no-install-recommends "${missing[@]}"
  rm -f /usr/sbin/policy-rc.d
fi
bash test/cluster/packages.sh
