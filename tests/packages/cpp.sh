#!/bin/sh
# The C++ header and the sample editor, compiled against the Debian packages by each compiler that is there.
set -eu
build=$1 work=$2
root=$build/..
command -v g++ > /dev/null || { echo "there is no g++"; exit 77; }
packages=$(ls "$build"/release/libtrilobite*.deb) || { echo "there is no Debian package in build/release"; exit 77; }
for package in $packages; do dpkg-deb -x "$package" .; done
PKG_CONFIG_PATH=$(find "$work/usr" -name pkgconfig -type d)
export PKG_CONFIG_PATH
LD_LIBRARY_PATH=$(dirname "$(find "$work/usr" -name 'libtrilobite.so')")
export LD_LIBRARY_PATH
"$build/trilobite-mascot" hero.glb
"$build/trilobite" extract -q --textures hero.glb
head -c 5000 hero.glb > half.glb

for compiler in g++ clang++; do
    command -v $compiler > /dev/null || continue
    for standard in c++17 c++20; do
        rm -rf out && mkdir out
        # shellcheck disable=SC2046
        $compiler -std=$standard -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -fno-exceptions -fno-rtti \
            $(pkg-config --cflags trilobite) -o test "$root/tests/cpp/main.cpp" $(pkg-config --libs trilobite)
        ./test hero.glb out half.glb
    done
    # shellcheck disable=SC2046
    $compiler -std=c++17 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror $(pkg-config --cflags trilobite) \
        -o editor "$root/samples/editor.cpp" $(pkg-config --libs trilobite)
    # An image that the editor does not have is refused with a sentence; with it, its materials and its chunk are there.
    if ./editor hero.glb > none.t3dm 2> errors.txt; then exit 1; fi
    grep -q 'is not an image of a Pyrite64 project' errors.txt
    ./editor hero.glb trilobite.png > hero.t3dm 2> messages.txt
    grep -q '^hero.0.sdata: [0-9]* bytes' messages.txt
    "$build/trilobite" check -q hero.t3dm
    "$build/trilobite" info --materials hero.t3dm > info.txt
    grep -q '^x  *4$' info.txt
    [ "$(grep -c 'tile 0 *asset:0' info.txt)" = 1 ]
done
