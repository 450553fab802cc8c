#!/bin/sh
# The released amalgamation: compiled as somebody would do it, for C and for C++. What it computes is compared by the test
# `amalgamation` of `make test`, with several compilers.
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
