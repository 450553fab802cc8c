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
# The walks of design.md: each function is in the file, or below the folder, that stands beside it.
awk '/^```/ { inside = !inside; next } inside && $1 ~ /^(tl|trilo|convert)_[a-z0-9_]+,?$/ {
    name = $1; sub(/,$/, "", name)
    file = $2 ~ /^_/ ? $3 : $2
    print name, file }' "$source/docs/design.md" >walks
[ "$(wc -l <walks)" -gt 30 ] || { echo "design.md: the walks are not found"; status=1; }
while read -r name file; do
    found=$(grep -rlE "^[a-z].*[ *]$name\(" "$source/src" --include='*.c' || true)
    case "$found" in
    *"/$file"*) ;;
    *) echo "design.md: $name is not in $file but in ${found:-no file}"; status=1 ;;
    esac
done <walks
[ $status = 0 ] || echo "docs are not current: run make docs, or correct what is named above"
exit $status
