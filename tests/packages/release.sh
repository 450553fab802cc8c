#!/bin/sh
# `make release`: right checksums, a bill of materials that names what is inside, and the same bytes from another folder.
# There the static program and the packages that need no other compiler are built again; with TRILOBITE_TESTS=full everything, which
# takes three minutes of processor time more.
set -eu
build=$1 work=$2
root=$(cd "$build/.." && pwd)
[ -f "$build/release/SHA256SUMS" ] || { echo "there is no build/release, make release builds it"; exit 77; }
[ -e "$root/.git" ] || { echo "not a git repository"; exit 77; }

expected=6 # packages that are built again below
windows=
if command -v x86_64-w64-mingw32-gcc > /dev/null; then expected=7 windows=-windows-x86_64.zip; fi

echo "--- checksums"
cd "$build/release"
sha256sum --quiet -c SHA256SUMS
ls | grep -vx SHA256SUMS > "$work/names.txt"
sed 's/^[0-9a-f]*  //' SHA256SUMS | LC_ALL=C sort | diff - "$work/names.txt"
if [ -f "$build/web/trilobite.html" ] && command -v npm dpkg-shlibdeps > /dev/null; then
    for kind in $windows -linux-.*.tar.xz ^trilobite_.*.deb ^libtrilobite0.2_.*.deb ^libtrilobite-dev_.*.deb -npm.tgz -amalgamation.zip \
        '[0-9].tar.gz' .whl -blender.zip -formats.zip -source.tar.xz '[0-9].html' .spdx.json; do
        [ "$(grep -c -e "$kind\$" "$work/names.txt")" = 1 ] || { echo "$kind is missing"; exit 1; }
    done
fi

echo "--- bill of materials"
cd "$work"
tar -xf "$build"/release/*-linux-*.tar.xz --strip-components=2 --wildcards '*/bin/trilobite'
python3 "$root/tests/packages/release_check.py" "$build/release" trilobite

echo "--- nothing of this machine"
mkdir unpacked
for package in "$build"/release/*.deb; do dpkg-deb -x "$package" unpacked; done
for file in "$build"/release/*.whl "$build"/release/*-blender.zip; do python3 -m zipfile -e "$file" unpacked; done
tar -C unpacked -xzf "$build"/release/*-npm.tgz
cp trilobite unpacked/static-program
cp "$build"/release/*.html unpacked
if grep -rlaF -e "$root/" unpacked; then echo "these files hold the path of the source"; exit 1; fi

echo "--- the same bytes from another folder"
mkdir "other place"
(cd "$root" && git ls-files -z | tar --null -T - -cf -) | tar -C "other place" -xf -
cd "other place"
git init -q
git add -A
mkdir -p build/web
unset CMAKE_C_COMPILER_LAUNCHER CMAKE_CXX_COMPILER_LAUNCHER
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
if [ "${TRILOBITE_TESTS:-}" = full ]; then
    tools/build_web
    cmake --preset release > /dev/null
    tools/build release
    tools/build_release --if-possible
    diff -r build/release "$build/release"
else
    for file in trilobite.html trilobite.wasm linked.map; do cp "$build/web/$file" build/web; done # what is in the programs
    tools/build_release --if-possible
    grep -v -e spdx.json -e '[.]whl$' build/release/SHA256SUMS > sums.txt || :
    (cd "$build/release" && sha256sum -c --quiet) < sums.txt
    wc -l < sums.txt | grep -qx $expected || { cat sums.txt; exit 1; }
fi
