#!/bin/sh
# run.sh AMALGAMATE BUILD_DIR CC: eight threads on shared documents and models under ThreadSanitizer. The library is
# compiled as one file, without its optional dependencies; by clang where that has ThreadSanitizer, which takes half as long.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
amalgamate=$1 build=$2 cc=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo 'int main(void) { return 0; }' >"$work/try.c"
for cc in clang "$cc" none; do
    "$cc" -fsanitize=thread "$work/try.c" -o "$work/try" 2>/dev/null && "$work/try" && break
done
[ "$cc" != none ] || {
    echo "SKIP threads: needs a compiler with ThreadSanitizer"
    exit 77
}
"$amalgamate" "$work/library" >/dev/null
"$cc" -std=c11 -D_POSIX_C_SOURCE=200809L -O0 -fsanitize=thread -I"$work/library" "$work/library/trilobite.c" \
    "$here/threads.c" -o "$work/threads" -lm -lpthread
cd "$work"
"$build/trilobite-mascot" mascot.nlm >/dev/null
"$build/trilobite" convert -q mascot.nlm mascot.t3dm
"$build/trilobite" convert -q mascot.nlm mascot.glb
"$build/trilobite" convert -q --fps 4 mascot.nlm mascot.model
./threads mascot.nlm mascot.t3dm mascot.glb mascot.model
