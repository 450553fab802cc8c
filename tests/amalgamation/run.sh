#!/bin/sh
# run.sh AMALGAMATE MASCOT INCLUDE STATIC_LIBRARY CORPUS LINK_FLAGS...: the library as two files compiles without flags of ours
# (C11 with gcc and clang, wasm32-wasi; the header as C++17), and gives the bytes of the library. That it does so with a
# user's optimization flags, too, takes minutes to compile: tests/packages/amalgamation.sh.
set -u
here=$(cd "$(dirname "$0")" && pwd)
amalgamate=$1 mascot=$2 include=$3 library=$4 corpus=${TRILOBITE_CORPUS:-$5}
shift 5
status=0
passed=0
skipped=0

fail() {
    echo "FAIL $*"
    status=1
}

# builds WHAT COMMAND...: the command must succeed and print nothing.
builds() {
    what=$1
    shift
    if said=$("$@" 2>&1) && [ -z "$said" ]; then
        passed=$((passed + 1))
    else
        fail "$what: $(printf '%s' "$said" | head -n 20)"
        return 1
    fi
}

skip() {
    echo "skip $*"
    skipped=$((skipped + 1))
}

"$amalgamate" amalgamation || exit 1
models=$("$here/models.sh" "$mascot" "$corpus") || exit 1
[ -d "$corpus" ] || skip "real files: there is no corpus at $corpus"

builds "header as C++17" g++ -std=c++17 -Wall -Wextra -fsyntax-only -x c++ amalgamation/trilobite.h
gcc -std=c11 -O2 -I "$include" "$here/main.c" "$library" "$@" -lm -o reference || exit 1
# shellcheck disable=SC2086
./reference $models >reference.txt || fail "the library itself: $(head -n 3 reference.txt)"

# same COMPILER: a build of the two files prints what the library prints.
same() {
    name=$1
    command -v "$name" >/dev/null || { skip "$name is not installed" && return; }
    builds "$name" "$name" -std=c11 -DAMALGAMATION -I amalgamation "$here/main.c" amalgamation/trilobite.c -lm \
        -o "$name" || return
    # shellcheck disable=SC2086
    "./$name" $models >"$name.txt"
    if cmp -s "$name.txt" reference.txt; then
        passed=$((passed + 1))
    else
        fail "$name: other bytes than the library: $(diff "$name.txt" reference.txt | head -n 4)"
    fi
}

same gcc
same clang
if gcc -std=c11 -ffast-math -fsyntax-only amalgamation/trilobite.c 2>/dev/null; then
    fail "-ffast-math must be refused"
else
    passed=$((passed + 1))
fi

if [ -d /usr/include/wasm32-wasi ] && command -v clang >/dev/null; then
    builds wasm32-wasi clang --target=wasm32-wasi -std=c11 -I amalgamation -c amalgamation/trilobite.c -o trilobite.wasm.o
else
    skip "wasm32-wasi: there is no wasi-libc"
fi

echo "$passed passed, $((status > 0)) failed, $skipped skipped"
exit $status
