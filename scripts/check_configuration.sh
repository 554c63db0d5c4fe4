#!/usr/bin/env bash
# Holds docs/configuration.md against the options that the programs have.
#   scripts/check_configuration.sh PROGRAM
set -euo pipefail
page=$(dirname "$0")/../docs/configuration.md
if ! "$1" options --markdown | diff - "$page"; then
  echo "options have changed: $1 options --markdown > docs/configuration.md" >&2
  exit 1
fi
