#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# All tests: tests/run.sh; or those of some labels in preset dev only: tests/run.sh unit component
# Installs what is missing, then: preset asan (unit, component, fuzz), and at the end everything in preset dev.
# `tests/run.sh full` adds preset tsan (race) and the optimised build with the benchmarks, installed and linked from outside. The first stage that fails ends the run with its log and a status
# other than 0. Logs stay in build/logs/.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}
mkdir -p build/logs
began=$SECONDS

say() { printf '== %4d s  %s\n' $((SECONDS - began)) "$*"; }

# stage NAME COMMAND...: quiet unless it fails.
stage() {
  local name=$1 log=build/logs/$1.log status=0
  shift
  say "$name"
  "$@" >"$log" 2>&1 || status=$?
  if [ "$status" -ne 0 ]; then
    tail -n 200 "$log"
    say "$name FAILED with status $status (the whole log: $log)"
    exit 1
  fi
}

build() {  # build PRESET [TARGET...]
  local preset=$1
  shift
  cmake --preset "$preset" && cmake --build --preset "$preset" -j "$jobs" ${1:+--target "$@"}
}

check() {  # check PRESET CTEST-OPTIONS...
  local preset=$1
  shift
  ctest --preset "$preset" -j "$jobs" "$@"
}

# The optimised build as a stranger gets it: installed, then linked from outside.
consume_release() {
  cmake -DMODE=installed -DGENERATOR=Ninja -DCOMPILER="${CXX:-c++}" -DSTRANGER="$PWD/tests/consumer/stranger" \
    -DTREE="$PWD/build/bench" -P tests/consumer/consume.cmake
}

wants() { [ ${#labels[@]} -eq 0 ] || [[ " ${labels[*]} " == *" $1 "* ]]; }  # wants LABEL

full=
if [ "${1:-}" = full ]; then
  full=yes
  shift
fi
labels=("$@")
purposes=(build test)
if wants interop; then purposes+=(interop); fi
if [ ${#labels[@]} -eq 0 ]; then purposes+=(fuzz); fi  # preset asan is clang's: the second compiler, and twice as fast at it
stage packages bash scripts/install_packages.sh "${purposes[@]}"
if wants interop; then stage peers bash tests/interop/install_peers.sh; fi
if [ ${#labels[@]} -eq 0 ]; then
  stage asan-build build asan asan_programs
  stage asan check asan -L '^(unit|component|fuzz)$' --no-tests=error
fi
if [ -n "$full" ]; then
  stage tsan-build build tsan race_programs
  stage tsan check tsan -L '^race$' --no-tests=ignore
  stage bench-build build bench
  stage bench-consumer consume_release
fi
stage dev-build build dev
say dev
if [ ${#labels[@]} -eq 0 ]; then
  check dev --no-tests=error
else
  check dev -L "^($(IFS='|' && echo "${labels[*]}"))\$" --no-tests=error
fi
