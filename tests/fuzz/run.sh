#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Fuzzes under libFuzzer: tests/fuzz/run.sh [-t SECONDS] [NAME...]   (all targets, 60 seconds each, when not told)
# What it finds stays below build/fuzz/: corpus/NAME grows, a crashing input lies in artifacts/. The committed corpus is
# only read. A crash becomes a file in tests/fuzz/corpus/NAME together with its repair.
set -euo pipefail
cd "$(dirname "$0")/../.."

seconds=60
while getopts "t:h" flag; do
  case $flag in
    t) seconds=$OPTARG ;;
    *) sed -n '3,5s/^# //p' "$0"; exit 2 ;;
  esac
done
shift $((OPTIND - 1))

bash scripts/install_packages.sh build fuzz
cmake --preset fuzz
names=("$@")
if [ ${#names[@]} -eq 0 ]; then
  for source in tests/fuzz/fuzz_*.cpp; do
    name=${source##*/fuzz_}
    names+=("${name%.cpp}")
  done
fi
cmake --build --preset fuzz -j2 --target "${names[@]/#/fuzz_}"

failed=()
for name in "${names[@]}"; do
  scratch=build/fuzz/corpus/$name
  mkdir -p "$scratch" build/fuzz/artifacts
  dictionary=()
  [ -f "tests/fuzz/$name.dict" ] && dictionary=(-dict="tests/fuzz/$name.dict")
  echo "== fuzz_$name for $seconds s"
  # libFuzzer writes into the first folder given: the scratch one.
  build/fuzz/bin/fuzz_"$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="build/fuzz/artifacts/$name-" "${dictionary[@]}" "$scratch" "tests/fuzz/corpus/$name" \
    > "build/fuzz/$name.log" 2>&1 || failed+=("$name")
  grep -E "^stat::(number_of_executed_units|average_exec_per_sec|new_units_added)|^SUMMARY|property violated" \
    "build/fuzz/$name.log" || tail -n 5 "build/fuzz/$name.log"
done
if [ ${#failed[@]} -ne 0 ]; then
  echo "failed: ${failed[*]} (logs in build/fuzz/*.log, inputs in build/fuzz/artifacts/)"
  exit 1
fi
echo "clean: ${names[*]}"
