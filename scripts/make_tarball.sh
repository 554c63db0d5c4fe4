#!/usr/bin/env bash
# The programs of build/release as one file that can be unpacked anywhere: dist/tritonrl-VERSION-SYSTEM-torchRELEASE.tar.gz. They run where glibc is
# as new as here, libcurl and OpenSSL are there, and a Python has the torch release that is named.
#   scripts/make_tarball.sh [FOLDER for the file, default dist]
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-dist}
ninja -C build/release programs > /dev/null
name=$(build/release/tritonrl --version --json | python3 -c '
import json, sys
facts = json.load(sys.stdin)
release = ".".join(facts["torch"].split(".")[:2]) or "none"
print("tritonrl-{}-{}-torch{}".format(facts["version"], facts["machine"].lower().replace(" ", "-"), release))')
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
cmake --install build/release --prefix "$stage/$name" --strip > /dev/null
mkdir -p "$out"
tar -C "$stage" --owner=0 --group=0 --sort=name -czf "$out/$name.tar.gz" "$name"
du -h "$out/$name.tar.gz"
