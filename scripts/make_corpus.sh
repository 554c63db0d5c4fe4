#!/bin/bash
# Makes the corpus of real modules: fetches the packages of scripts/corpus_packages.txt, cuts classes out of them, rewrites them by the
# teacher and keeps what the judge proves. Goes on where it was stopped; the split is by package.
#   scripts/make_corpus.sh [--fetch-only | --offline] [--list FILE] [--folder FOLDER] [OPTION OF prepare ...]
#     --fetch-only   lay the sources out in FOLDER/sources and pack them as FOLDER/sources.tar.xz, for a machine without a network
#     --offline      the sources are there: as FOLDER/sources, or as FOLDER/sources.tar.xz
#     --folder       where everything lies (default data/corpus); the pairs come to FOLDER/pairs
#   Further options go to `tritonrl prepare`, e.g. --policy both --variants both --renames 8 --prompt short --facts leaves; --no-verify leaves
#   out the judge. The program is build/release/tritonrl, or $TRITONRL; the interpreter with torch $TRITONRL_PYTHON.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=data/corpus list=scripts/corpus_packages.txt fetch=yes only= verify=--verify rest=()
while (($#)); do
  case $1 in
    --fetch-only) only=yes ;;
    --offline) fetch= ;;
    --list) list=$2; shift ;;
    --folder) folder=$2; shift ;;
    --no-verify) verify= ;;
    *) rest+=("$1") ;;
  esac
  shift
done
sources=$folder/sources
if [[ -n $fetch ]]; then
  "${TRITONRL_PYTHON:-python3}" scripts/stage_corpus.py "$list" "$sources" --cache "$folder/wheels"
fi
if [[ -n $only ]]; then
  tar -C "$folder" -cJf "$folder/sources.tar.xz" sources
  ls -l "$folder/sources.tar.xz"
  exit 0
fi
if [[ ! -f $sources/packages.txt && -f $folder/sources.tar.xz ]]; then tar -C "$folder" -xJf "$folder/sources.tar.xz"; fi
if [[ ! -f $sources/packages.txt ]]; then
  echo "make_corpus.sh: $sources has no packages.txt; run --fetch-only where there is a network and bring $folder/sources.tar.xz here" >&2
  exit 2
fi
mapfile -t packages < "$sources/packages.txt"
PYTHONPATH=$PWD/$sources${PYTHONPATH:+:$PYTHONPATH} exec "${TRITONRL:-build/release/tritonrl}" prepare --rewrite "${packages[@]}" \
  ${verify:+$verify} --labels text --out "$folder/pairs" ${rest[@]+"${rest[@]}"}
