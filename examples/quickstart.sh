#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# From a fresh clone to a first verdict: installs what is missing (Debian), builds the program, runs its demo.
# Arguments go to the demo: examples/quickstart.sh --healthy
set -euo pipefail
cd "$(dirname "$0")/.."

bash scripts/install_packages.sh build
echo "Building wiregap (build/release, $(nproc) jobs)"
mkdir -p build
cmake --preset release >build/quickstart.log 2>&1 || { cat build/quickstart.log >&2; exit 2; }
cmake --build --preset release --target wiregap -j "$(nproc)" >>build/quickstart.log 2>&1 ||
  { tail -n 60 build/quickstart.log >&2; exit 2; }

program=build/release/bin/wiregap
echo "Running: $program demo $*"
status=0
"$program" demo "$@" || status=$?

case " $* " in *" --healthy "*) expected=0 ;; *) expected=1 ;; esac
if [ "$status" -ne "$expected" ]; then
  echo "The demo should have ended with status $expected and ended with $status." >&2
  exit $((status > 1 ? status : 2))
fi
cat <<EOF

That was the demo: $([ "$expected" = 1 ] && echo 'a server that holds some requests back on purpose, so its verdict is "problem" (status 1)' ||
  echo 'a healthy server, so its verdict is "good" (status 0)').
Now your own server; the password is asked for:
    $program probe -S HOST -U USER
EOF
