#!/bin/sh
# A fresh Debian 12 machine, as far as files and processes go: a minimal root file system with Node 20 and npm and nothing else, and
# a clean clone of this project (of what is committed) in /root/zun. Network and kernel are the host's. For root on a Debian host.
#
#   fresh-root.sh make               makes a root and prints its folder
#   fresh-root.sh run DIR COMMAND    runs a shell command there, in the clone, in mount and pid namespaces of its own
#   fresh-root.sh remove DIR         removes it
#   fresh-root.sh once COMMAND       all three
#
# What costs time (the base system) is made once and kept in the cache, outside the tree. How this host reaches Debian's, npm's and
# Python's packages (mirrors, proxies, certificates) is carried over, whatever it is.
set -eu

debian=bookworm node=20.20.2 npm=10.9.9
project=$(cd "$(dirname -- "$0")/.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/zun-tests/fresh-root
base=$cache/$debian-node$node-npm$npm

fail() { printf 'fresh-root: %s\n' "$*" >&2; exit 1; }

# Debian's package sources of this host, as lines of a sources.list; none when the host is another Debian.
apt_sources() {
  apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' | sed -n "s/^\([^ ]* $debian[^ ]* [^ ]*\)\$/deb \1/p" | sort -u
}

# The files that variables of the environment name as certificates: SSL_CERT_FILE, NODE_EXTRA_CA_CERTS, PIP_CERT, …
certificate_files() {
  env | sed -n 's/^[A-Za-z0-9_]*\(CERT\|CA_CERTS\|CA_BUNDLE\|CAINFO\|CA_FILE\)[A-Za-z_]*=\(\/.*\)$/\2/p' | sort -u
}

copy_settings() {
  root=$1
  apt_sources >"$root/etc/apt/sources.list.host"
  if [ -s "$root/etc/apt/sources.list.host" ]; then mv "$root/etc/apt/sources.list.host" "$root/etc/apt/sources.list"; else rm "$root/etc/apt/sources.list.host"; fi
  apt-config dump Acquire >"$root/etc/apt/apt.conf.d/90host"
  for file in "$(npm config get globalconfig)" "$(npm config get userconfig)"; do
    if [ -r "$file" ]; then cat "$file"; echo; fi
  done >"$root/root/.npmrc"
  chmod 600 "$root/root/.npmrc"
  for file in /etc/pip.conf "$HOME/.config/pip/pip.conf" "$HOME/.pip/pip.conf"; do
    if [ -r "$file" ]; then install -D -m 600 "$file" "$root/etc/pip.conf"; fi
  done
  cp -rL /etc/ssl/certs/. "$root/etc/ssl/certs/" 2>/dev/null || true
  if [ -d /usr/local/share/ca-certificates ]; then cp -rL /usr/local/share/ca-certificates/. "$root/usr/local/share/ca-certificates/"; fi
  for file in $(certificate_files); do
    if [ -f "$file" ]; then install -D -m 644 "$file" "$root$file"; fi
  done
}

# Node and npm come from npm's registry and stand in /usr/lib/node20, as a distribution would lay them.
copy_node() {
  root=$1
  case $(uname -m) in x86_64) arch=x64 ;; aarch64) arch=arm64 ;; *) fail "no Node $node package for $(uname -m)" ;; esac
  npm install --silent --no-save --no-package-lock --ignore-scripts --install-strategy=nested --prefix "$root/usr/lib/node20" "node-linux-$arch@$node" "npm@$npm" >&2
  ln -s "../lib/node20/node_modules/node-linux-$arch/bin/node" "$root/usr/bin/node"
  for name in npm npx; do ln -s "../lib/node20/node_modules/npm/bin/$name-cli.js" "$root/usr/bin/$name"; done
}

make_base() {
  command -v debootstrap >/dev/null || { apt-get update -q >&2 && apt-get install -y -q --no-install-recommends debootstrap >&2; }
  mkdir -p -m 700 "$cache"
  part=$(mktemp -d "$cache/part-XXXXXX")
  mirror=$(apt_sources | sed -n "s/^deb \([^ ]*\) $debian .*/\1/p" | head -n 1)
  debootstrap --variant=minbase --include=ca-certificates "$debian" "$part" $mirror >"$part.log" 2>&1 || { tail -n 20 "$part.log" >&2; fail 'debootstrap failed'; }
  copy_node "$part"
  rm -f "$part"/var/cache/apt/archives/*.deb "$part.log"
  chmod 755 "$part"
  # Another run may have been quicker: then its base is as good.
  mv -T "$part" "$base" 2>/dev/null || { [ -d "$base" ] && rm -rf --one-file-system "$part"; }
}

make() {
  [ -d "$base" ] || make_base
  # What killed runs left behind half a day ago and more.
  find "$cache" -maxdepth 1 \( -name 'root-*' -o -name 'part-*' \) -mmin +720 -exec rm -rf --one-file-system {} +
  dir=$(mktemp -d "$cache/root-XXXXXX")
  cp -a --reflink=auto "$base/." "$dir"
  touch "$dir"
  copy_settings "$dir"
  git clone -q --no-hardlinks "$project" "$dir/root/zun"
  for file in /etc/resolv.conf /etc/hosts; do cp -L "$file" "$dir$file"; done
  printf '%s\n' "$dir"
}

# The environment is a fresh login's, with what this host's package clients are told by variables.
run() {
  dir=$1 command=$2
  kept=$(env | sed -n 's/^\([A-Za-z0-9_]*\)=.*/\1/p' | grep -iE '^(pip_|npm_config_(registry|cafile|.*proxy)$|(http|https|no)_proxy$)|cert|ca_bundle|cainfo' || true)
  set -- HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 TERM=dumb
  for name in $kept; do set -- "$@" "$name=$(printenv "$name")"; done
  exec unshare --mount --pid --fork --kill-child sh -c '
    set -e
    dir=$1 command=$2; shift 2
    mount --make-rprivate /
    mount --bind "$dir" "$dir"
    mount -t proc proc "$dir/proc"
    for tree in sys dev; do mount --rbind "/$tree" "$dir/$tree"; done
    for tree in run tmp; do mount -t tmpfs tmpfs "$dir/$tree"; done
    cd "$dir" && mkdir -p .host && pivot_root . .host && umount -l /.host && cd /root/zun
    # This shell stays, as process 1, to collect what the command leaves behind.
    code=0
    env -i "$@" sh -c "$command" || code=$?
    exit "$code"
  ' sh "$dir" "$command" "$@"
}

remove() {
  case $1 in "$cache"/root-*) rm -rf --one-file-system "$1" ;; *) fail "$1 was not made here" ;; esac
}

once() {
  dir=$(make)
  trap 'remove "$dir"' EXIT
  trap 'exit 130' INT TERM
  (run "$dir" "$1")
}

action=${1:-}
case $action-$# in
  make-1 | remove-2 | run-3 | once-2) shift; "$action" "$@" ;;
  *) sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
