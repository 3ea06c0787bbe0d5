#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# scripts/install_packages.sh against a Debian made of stubs: what it installs, and what it says when it cannot.
set -euo pipefail
source=${WIREGAP_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
mkdir -p "$box/bin" "$box/scripts"
cp "$source/scripts/install_packages.sh" "$box/scripts/"
bash=$(command -v bash)

stub() {  # stub NAME BODY
  printf '#!%s\n%s\n' "$bash" "$2" >"$box/bin/$1"
  chmod +x "$box/bin/$1"
}

# The tools that the script itself uses, and no more of the machine that the test runs on.
fresh_machine() {
  rm -f "$box"/bin/* "$box/log"
  for tool in bash dirname grep sed head sort cat env; do ln -s "$(command -v $tool)" "$box/bin/$tool"; done
  : >"$box/installed"
  stub id 'echo 0'
  stub apt-get "echo \"\$*\" >>$box/log"
  # dpkg-query -W -f FORMAT NAME; a name with a star lists what is installed
  stub dpkg-query "
case \$4 in
  *\\**) sed 's/^/installed /' $box/installed ;;
  *) grep -qx \"\$4\" $box/installed && printf installed ;;
esac"
}

run() {  # run PURPOSE...: output in $out, status in $status
  status=0
  out=$(PATH=$box/bin BOOST_ROOT='' CMAKE_PREFIX_PATH='' CXX=c++ bash "$box/scripts/install_packages.sh" "$@" 2>&1 </dev/null) || status=$?
}

expect() {  # expect WHAT-IS-TRUE, as the words of a command
  if ! "$@"; then
    echo "FAILED at line ${BASH_LINENO[0]}: $*"
    echo "status $status, output: $out"
    cat "$box/log" 2>/dev/null || true
    exit 1
  fi
}
says() { [[ $out == *"$1"* ]]; }
apt_ran() { grep -qE -- "$1" "$box/log" 2>/dev/null; }
untouched() { [ ! -e "$box/log" ]; }

cat >"$box/scripts/packages.txt" <<'T'
# a comment
build  tool-a             command:tool-a,other-a
build  tool-b             version:tool-b:3.25
build  lib-c-dev
build  libboost1.81-dev   boost
test   lib-d-dev
T

# All missing: one update, one install, of this purpose only, and nothing is removed for it.
fresh_machine
run build
expect [ "$status" = 0 ]
expect apt_ran ' update$'
expect apt_ran 'install .*--no-remove tool-a tool-b lib-c-dev libboost1.81-dev$'

# Everything there, each by its own sign: apt is not touched.
fresh_machine
echo lib-c-dev >"$box/installed"
stub other-a ''
stub tool-b 'echo "tool-b version 3.31.1"'
stub c++ 'exit 0'
run build
expect [ "$status" = 0 ]
expect untouched

# Too old counts as missing, and 3.9 is older than 3.25.
stub tool-b 'echo "tool-b version 3.9.0"'
run build
expect apt_ran 'no-remove tool-b$'

# Two purposes.
fresh_machine
run build test
expect apt_ran 'libboost1.81-dev lib-d-dev$'

# Another Boost stands in the way: said before apt is asked for anything.
fresh_machine
printf 'lib-c-dev\nlibboost1.74-dev\n' >"$box/installed"
run build
expect [ "$status" = 1 ]
expect says 'libboost1.74-dev is installed'
expect says 'BOOST_ROOT'
expect untouched

# The same with a new Boost from elsewhere: no conflict.
stub c++ 'exit 0'
run build
expect [ "$status" = 0 ]
expect apt_ran 'no-remove tool-a tool-b$'

# No root and no sudo: the command to run, and apt is not touched.
fresh_machine
stub id 'echo 1000'
run test
expect [ "$status" = 1 ]
expect says 'sudo apt-get update && sudo apt-get install --no-install-recommends lib-d-dev'
expect untouched

# sudo that needs no password.
stub sudo "if [ \"\$1\" = -n ]; then exit 0; fi; echo sudo >>$box/log; exec \"\$@\""
run test
expect [ "$status" = 0 ]
expect apt_ran '^sudo$'
expect apt_ran 'no-remove lib-d-dev$'

# Not a Debian.
fresh_machine
rm "$box/bin/apt-get" "$box/bin/dpkg-query"
run test
expect [ "$status" = 1 ]
expect says 'no apt'
expect says 'lib-d-dev'

# A list that cannot be read is not an empty list.
fresh_machine
rm "$box/scripts/packages.txt"
run test
expect [ "$status" != 0 ]

echo "install_packages.sh: all as expected"
