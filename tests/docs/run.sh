#!/bin/sh
# run.sh PROGRAM SOURCE_DIR: are the generated documents in docs/ what the program would write today?
set -eu
program=$1
source=$2
rm -rf now
"$source/tools/make_docs" "$program" now >/dev/null
status=0
for made in now/formats/*.md now/findings.md now/commands.md now/conversions.md; do
    [ -f "$made" ] || { echo "skip $made: the mascot is not built"; continue; }
    diff -u "$source/docs/${made#now/}" "$made" || status=1
done
for made in now/pictures/*; do
    [ ! -f "$made" ] || cmp "$source/docs/${made#now/}" "$made" || status=1
done
[ $status = 0 ] || echo "docs are not current: run make docs"
exit $status
