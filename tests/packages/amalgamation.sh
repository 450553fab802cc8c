#!/bin/sh
# The released amalgamation: compiled as somebody would do it, for C and for C++; and with flags that could change what it
# computes. Without them the test `amalgamation` of `make test` compares it with the library.
set -eu
build=$1 work=$2
root=$build/..
command -v g++ > /dev/null || { echo "there is no g++"; exit 77; }
archive=$(ls "$build"/release/*-amalgamation.zip) || { echo "there is no amalgamation in build/release"; exit 77; }
python3 -m zipfile -e "$archive" .
cd trilobite-*-amalgamation
[ "$(ls)" = "$(printf 'LICENSE\ntrilobite.c\ntrilobite.h\ntrilobite.hpp')" ]
gcc -std=c11 -O0 -c trilobite.c
"$build/trilobite-mascot" hero.glb
head -c 5000 hero.glb > half.glb
mkdir out
sed 's,<trilobite/trilobite.hpp>,"trilobite.hpp",' "$root/tests/cpp/main.cpp" > main.cpp
g++ -std=c++17 -Wall -Wextra -Werror -I. main.cpp trilobite.o -o main -lm
./main hero.glb out half.glb
"$build/trilobite" check -q out/hero.t3dm

# Fused multiply-add would give other bytes: pragmas in the sources forbid it whatever the flags.
models=$("$root/tests/amalgamation/models.sh" "$build/trilobite-mascot" "${TRILOBITE_CORPUS:-$root/../shared/corpus}")
test=$root/tests/amalgamation/main.c
gcc -std=c11 -DAMALGAMATION -I. "$test" trilobite.o -lm -o plain
# shellcheck disable=SC2086
./plain $models > plain.txt
# same COMPILER FLAG...: prints the same.
same() {
    command -v "$1" > /dev/null || { echo "there is no $1"; return; }
    "$@" -std=c11 -O3 -march=native -DAMALGAMATION -I. "$test" trilobite.c -lm -o native
    # shellcheck disable=SC2086
    ./native $models > native.txt
    cmp native.txt plain.txt
}
same gcc -ffp-contract=fast
same clang
