#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Installs what is missing for the purposes named (packages.txt): scripts/install_packages.sh build test ...
# Looks first and touches neither apt nor the network when all is there. Exit status 0: all is there; 1: something is
# missing and could not be installed, and the text says what and how.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

installed() {
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# The Boost that the compiler finds; BOOST_ROOT and CMAKE_PREFIX_PATH are where a Boost of one's own lies.
boost_is_new_enough() {
  local compiler=${CXX:-c++} prefixes=${CMAKE_PREFIX_PATH:-} root where=()
  command -v "$compiler" >/dev/null || return 1
  for root in "${BOOST_ROOT:-}" ${prefixes//[;:]/ }; do
    [ -n "$root" ] && where+=("-I$root/include" "-I$root")
  done
  "$compiler" -fsyntax-only "${where[@]}" -x c++ - 2>/dev/null <<'CODE'
#include <boost/version.hpp>
static_assert(BOOST_VERSION >= 108100);
CODE
}

# version_at_least PROGRAM MINIMUM
version_at_least() {
  local found
  command -v "$1" >/dev/null || return 1
  found=$("$1" --version 2>/dev/null | grep -oE '[0-9]+(\.[0-9]+)+' | head -n 1)
  [ "$(printf '%s\n' "$2" "$found" | sort -V | head -n 1)" = "$2" ]
}

# there PACKAGE PROBE
there() {
  local name names minimum
  case $2 in
    boost) boost_is_new_enough ;;
    version:*) IFS=: read -r _ name minimum <<<"$2"; version_at_least "$name" "$minimum" ;;
    command:*)
      IFS=, read -ra names <<<"${2#command:}"
      for name in "${names[@]}"; do command -v "$name" >/dev/null && return 0; done
      return 1
      ;;
    *) installed "$1" ;;
  esac
}

# Debian lets one Boost's headers stand at a time, and apt would remove the other without a word that helps.
refuse_boost_conflict() {
  local other
  other=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' 'libboost1.*-dev' 2>/dev/null |
    sed -nE 's/^installed (libboost1\.[0-9]+-dev)$/\1/p' | grep -v '^libboost1\.81-dev$' | head -n 1 || true)
  [ -n "$other" ] || return 0
  cat >&2 <<EOF
Boost 1.81 or later is needed, and $other is installed, which Debian does not let stand beside libboost1.81-dev.
Either remove it (apt will show what depends on it) and run this again:
    ${as_root}apt-get remove $other
or keep it, put a newer Boost anywhere and name its folder:
    export BOOST_ROOT=/path/to/boost
EOF
  exit 1
}

[ $# -gt 0 ] || { sed -n '3,5s/^# //p' "$0"; exit 1; }
as_root=""
[ "$(id -u)" -eq 0 ] || as_root="sudo "

table=$(grep -vE '^(#|$)' "$here/packages.txt")
missing=()
while read -r purpose package probe; do
  for wanted in "$@"; do
    if [ "$purpose" = "$wanted" ] && ! there "$package" "${probe:-}"; then missing+=("$package"); fi
  done
done <<<"$table"
[ ${#missing[@]} -gt 0 ] || exit 0

if ! command -v apt-get >/dev/null; then
  echo "This system has no apt. Please see to what these Debian packages hold: ${missing[*]}" >&2
  exit 1
fi
case " ${missing[*]} " in *" libboost1.81-dev "*) refuse_boost_conflict ;; esac

run=()
if [ -n "$as_root" ]; then
  # sudo may ask for a password only where somebody can answer.
  if command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
    run=(sudo)
  else
    cat >&2 <<EOF
Missing packages: ${missing[*]}
They can be installed by root only. Please run:
    ${as_root}apt-get update && ${as_root}apt-get install --no-install-recommends ${missing[*]}
EOF
    exit 1
  fi
fi
echo "Installing: ${missing[*]}"
options=(-qq -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300)
"${run[@]}" apt-get "${options[@]}" update
"${run[@]}" env DEBIAN_FRONTEND=noninteractive apt-get "${options[@]}" install -y --no-install-recommends --no-remove \
  "${missing[@]}" >/dev/null
