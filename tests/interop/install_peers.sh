#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Installs tedious, pinned by package-lock.json, into node_modules; does nothing when it is there already.
set -euo pipefail
cd "$(dirname "$0")"

if [ node_modules/.package-lock.json -nt package-lock.json ]; then exit 0; fi
command -v npm >/dev/null || { echo "npm is not installed; scripts/install_packages.sh interop brings it" >&2; exit 1; }
npm ci
touch node_modules/.package-lock.json
