#!/bin/sh
# The static program, as somebody would use it: unpacked from its archive, then run where nothing else is, not even a C
# library. It reads images with another library than the usual build, and gives the same pixels and the same errors.
set -eu
build=$1 work=$2
root=$build/..
archive=$(ls "$build"/release/*-linux-*.tar.xz) || { echo "there is no static program in build/release"; exit 77; }

mkdir unpacked
tar -C unpacked --strip-components=1 -xf "$archive"
for file in LICENSE share/doc/trilobite/README.md share/doc/trilobite/docs/tour.md share/man/man1/trilobite.1 \
    share/man/man1/trilobite-convert.1 share/bash-completion/completions/trilobite share/zsh/site-functions/_trilobite \
    share/fish/vendor_completions.d/trilobite.fish bin/gltf_to_t3d; do
    [ -s "unpacked/$file" ] || { echo "$file is missing in the archive"; exit 1; }
done
static=$work/unpacked/bin/trilobite
if readelf -lW "$static" | grep -q 'INTERP\|NEEDED'; then echo "it needs a dynamic linker"; exit 1; fi
# The oldest kernel that glibc runs on; 3.2 is of 2012.
readelf -nW "$static" | grep -q 'OS: Linux, ABI: [0-3]\.2\.0' || { readelf -nW "$static"; exit 1; }

"$build/trilobite-mascot" hero.nlm
"$build/trilobite-mascot" hero.glb
mkdir want empty
(cd want && cp ../hero.glb ../hero.nlm . && "$build/trilobite" convert -q hero.glb hero.t3dm --sprites &&
    "$build/trilobite" render -q hero.t3dm -o hero.png && "$build/trilobite" convert -q --compress 1 hero.t3dm packed.t3dm &&
    "$build/trilobite" info hero.t3dm > info.txt)

echo "--- nothing else is there"
cp "$static" hero.glb hero.nlm empty
inside() {
    if [ "$(id -u)" = 0 ]; then chroot empty "$@"; else unshare -r chroot empty "$@"; fi
}
inside /trilobite convert -q hero.glb hero.t3dm --sprites
inside /trilobite render -q hero.t3dm -o hero.png
inside /trilobite convert -q --compress 1 hero.t3dm packed.t3dm
inside /trilobite info hero.t3dm > empty/info.txt
rm empty/trilobite
diff -r want empty

echo "--- what this build lacks"
code=0
"$static" view hero.glb 2> errors.txt || code=$?
[ "$code" = 5 ] && grep -q 'trilobite page FILE' errors.txt
code=0
"$static" optimize -n hero.glb 2> errors.txt || code=$?
[ "$code" != 0 ] && grep -q 'meshoptimizer, which is not installed or not part of this build' errors.txt
printf 'Kaydara FBX Binary  \0' > hero.fbx
code=0
"$static" info hero.fbx 2> errors.txt || code=$?
[ "$code" = 3 ] && grep -q 'which needs Assimp; export it as glTF' errors.txt

echo "--- images"
mkdir images
python3 "$root/tests/packages/png_kinds.py" images
corpus=${TRILOBITE_CORPUS:-$root/../shared/corpus}
if [ -d "$corpus" ]; then
    find "$corpus" -name '*.png' | sort | awk 'NR % 4 == 0 { printf "%s\n%s/corpus%03d.png\n", $0, "images", NR }' | xargs -n 2 cp
fi
compared=0
for image in images/*.png; do
    mine=0 other=0
    rm -f mine.sprite other.sprite
    "$static" sprite -q -f rgba32 "$image" -o mine.sprite 2> mine.txt || mine=$?
    "$build/trilobite" sprite -q -f rgba32 "$image" -o other.sprite 2> other.txt || other=$?
    if [ "$mine" != "$other" ] || [ "$(sed 's/^\([^:]*: error [A-Z-]*\):.*/\1/' mine.txt)" != "$(sed 's/^\([^:]*: error [A-Z-]*\):.*/\1/' other.txt)" ] ||
        { [ "$mine" = 0 ] && ! cmp mine.sprite other.sprite; }; then
        echo "$image: $mine, $other"
        cat mine.txt other.txt
        compared=-1000
    fi
    compared=$((compared + 1))
done
echo "$compared images"
[ "$compared" -gt 100 ]
