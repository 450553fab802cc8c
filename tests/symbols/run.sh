#!/bin/sh
# run.sh INCLUDE_DIR SHARED STATIC: do the libraries hold the names they should, and no state?
set -eu
export LC_ALL=C
include=$1
shared=$2
static=$3
status=0

fail() { # what, names
    [ -n "$2" ] || return 0
    printf 'FAIL %s:\n%s\n' "$1" "$2"
    status=1
}

nm -D --defined-only "$shared" | awk '{ print $NF }' | sort -u >exported
grep -ho 'TRILO_API.*' "$include"/trilobite/*.h | sed -n 's/[^(]*[^a-z0-9_]\(trilo_[a-z0-9_]*\)(.*/\1/p' | sort -u >declared
[ -s declared ] || fail "the headers declare nothing" "$include"
fail "exported, but in no header" "$(comm -23 exported declared)"
fail "in a header, but not exported" "$(comm -13 exported declared)"

# An archive is linked into other people's programs: every global name carries our prefix.
nm -g --defined-only "$static" | awk 'NF == 3 { print $3 }' | sort -u >global
fail "global, but neither trilo_ nor tl_" "$(grep -v -e '^trilo_' -e '^tl_' global || true)"

# Nothing is global and mutable. Constant tables that hold pointers sit in .data.rel.ro: they are fine.
nm --format=sysv --defined-only "$static" >sections
fail "mutable" "$(awk -F '|' '{ gsub(/ /, "") } $7 ~ /^(\.t?(data|bss)|\*COM\*)/ && $7 !~ /^\.data\.rel\.ro/ { print $1 }' sections)"

echo "$(wc -l <exported) public, $(grep -c '^tl_' global || true) internal names"
exit $status
