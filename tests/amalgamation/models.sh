#!/bin/sh
# models.sh MASCOT CORPUS: makes the sample model in the folder, and lists it and some models of the corpus, or all of them in a
# full run: what main.c converts.
set -eu
mascot=$1 corpus=$2
for format in nlm t3dm model glb; do
    "$mascot" "mascot.$format"
    echo "mascot.$format"
done
step=6
[ "${TRILOBITE_TESTS:-}" != full ] || step=1
[ ! -d "$corpus" ] ||
    find "$corpus" \( -path '*/assets/*.glb' -o -path '*/nlm/*.nlm' -o -path '*/model64/*.model' \) -size -400k |
    LC_ALL=C sort | awk -v step=$step 'NR % step == 0'
