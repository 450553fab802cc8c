#!/bin/sh
# run.sh BUILD_DIR CC VERSION: installs the build to a folder, moves it, and uses it there as a stranger would.
set -eu
build=$1
cc=$2
version=$3
here=$(cd "$(dirname "$0")" && pwd)
work=$(pwd)
prefix=$work/moved
rm -rf "$work/first" "$prefix" "$work/staged" "$work/project"

DESTDIR='' cmake --install "$build" --prefix "$work/first" >install.log
mv "$work/first" "$prefix"
if grep -rlF -e "$build" -e "$work" "$prefix"; then
    echo "FAIL: these files name a folder of the machine they were built on"
    exit 1
fi

echo "- pkg-config, shared"
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
[ "$(pkg-config --modversion trilobite)" = "$version" ]
# shellcheck disable=SC2046
"$cc" -std=c11 -o with_pkg_config "$here/main.c" $(pkg-config --cflags --libs trilobite)
LD_LIBRARY_PATH="$prefix/lib" ./with_pkg_config
# It must be the shared library that was used: without it the program cannot start.
if ./with_pkg_config >/dev/null 2>&1; then
    echo "FAIL: with_pkg_config runs without libtrilobite.so"
    exit 1
fi

echo "- CMake, shared and static"
cmake -G Ninja -S "$here" -B project -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" -DWANTED="$version" >cmake.log
cmake --build project >>cmake.log || { cat cmake.log; exit 1; }
project/with_shared
project/with_static

echo "- DESTDIR"
DESTDIR=$work/staged cmake --install "$build" --prefix /opt/trilobite >>install.log
[ -f "$work/staged/opt/trilobite/include/trilobite/trilobite.h" ]

if [ -x "$build/trilobite" ]; then
    echo "- program, manual pages, completions"
    [ -n "$("$prefix/bin/trilobite" --version)" ]
    # By the name of Tiny3D's converter it is that one; without files it says what is missing.
    "$prefix/bin/gltf_to_t3d" 2>&1 | grep -q '^gltf_to_t3d: missing operand'
    [ -s "$prefix/share/man/man1/trilobite.1" ]
    check() { # tool, arguments...
        if command -v "$1" >/dev/null; then
            "$@"
        else
            echo "skip install: there is no $1"
        fi
    }
    for page in "$prefix"/share/man/man1/*.1; do
        check mandoc -T lint -W warning "$page"
    done
    check bash -n "$prefix/share/bash-completion/completions/trilobite"
    check zsh -n "$prefix/share/zsh/site-functions/_trilobite"
    check fish --no-execute "$prefix/share/fish/vendor_completions.d/trilobite.fish"
fi
