#!/usr/bin/env bash
# For a machine where nothing can be installed (an air-gapped GPU box): lays headers and static libraries of our Debian packages
# into .stage/, which the build prefers. Copy the checkout with .stage/ to that machine, which needs g++, CMake, Ninja, a
# Python with torch and triton, and the development files of libcurl and OpenSSL (shared libraries, so not staged) of its own.
# For a machine of another kind name Debian's word for it: scripts/stage_offline.sh amd64
set -euo pipefail
cd "$(dirname "$0")/.."
packages=(nlohmann-json3-dev libcli11-dev libtomlplusplus-dev libseccomp-dev libsqlite3-dev libgtest-dev)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
architecture=${1:-$(dpkg --print-architecture)}
# lists and cache of its own: the machine's architectures stay as they are
mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial"
apt=(apt-get -qq -o "APT::Architecture=$architecture" -o "APT::Architectures=$architecture" -o "Dir::State::lists=$folder/lists" -o "Dir::Cache=$folder/cache")
"${apt[@]}" update
(cd "$folder" && "${apt[@]}" download "${packages[@]}")
rm -rf .stage && mkdir .stage
for file in "$folder"/*.deb; do dpkg-deb -x "$file" .stage; done
# shared-object links point at run-time packages that are not here; the static archives serve
find .stage -name '*.so' -delete
rm -rf .stage/usr/share/doc .stage/usr/share/man
du -sh .stage
