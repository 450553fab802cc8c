#!/bin/sh
# The program for Windows, unpacked from its archive and run by wine: the same bytes, messages and exit codes as here.
# Starting a program takes wine a second, so that few are started, with many files each.
set -eu
build=$1 work=$2
root=$build/..
for program in x86_64-w64-mingw32-gcc wine python3; do
    command -v "$program" > /dev/null || { echo "there is no $program"; exit 77; }
done
export WINEPREFIX="$work/wine" WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml='
trap 'wineserver -k 2> /dev/null || true' EXIT
wineserver() { for found in /usr/lib/wine/wineserver64 /usr/lib/wine/wineserver; do [ ! -x $found ] || { $found "$@"; break; }; done; }

archive=$(ls "$build"/release/*-windows-x86_64.zip) || { echo "there is no program for Windows in build/release"; exit 77; }
python3 -m zipfile -e "$archive" unpacked
set -- unpacked/trilobite-*-windows-x86_64
for file in trilobite.exe LICENSE README.md docs/tour.md; do
    [ -s "$1/$file" ] || { echo "$file is missing in the archive"; exit 1; }
done
exe=$work/$1/trilobite.exe
# What every Windows has, and nothing of MinGW.
x86_64-w64-mingw32-objdump -p "$exe" | sed -n 's/.*DLL Name: //p' | tr A-Z a-z | sort > dlls.txt
! grep -vx 'kernel32\.dll\|msvcrt\.dll\|ole32\.dll' dlls.txt

here() { "$build/trilobite" "$@"; }
windows() { wine "$exe" "$@"; }
# same COMMAND...: output, messages and exit code are the same here and there. Commands write into the folder `out`.
same() {
    a=0 b=0
    rm -rf out
    mkdir out
    here "$@" > here.out 2> here.err || a=$?
    mv out here.files
    mkdir out
    windows "$@" > windows.out 2> windows.err || b=$?
    [ "$a" = "$b" ] || { echo "$*: exit code $b, here $a"; cat windows.err; exit 1; }
    cmp here.out windows.out && cmp here.err windows.err && diff -r -x '*.manifest' here.files out || { echo "differs: $*"; exit 1; }
    rm -rf here.files
    echo "same: $* ($a)"
}

wine wineboot -i > /dev/null 2>&1 || { echo "wine does not start here"; exit 77; }
[ "$(windows --version)" = "$(here --version)" ]

"$build/trilobite-mascot" hero.nlm
"$build/trilobite-mascot" hero.glb
mkdir -p models/sub in
cp hero.nlm models
cp hero.glb models/sub/ü日本.glb
corpus=${TRILOBITE_CORPUS:-$root/../shared/corpus}
if [ -d "$corpus" ]; then
    # By turns of each kind, the small ones: 80 files with what is beside them stays where it is, so only whole files.
    for ending in t3dm nlm model glb; do
        find "$corpus" -name "*.$ending" -size -120k | LC_ALL=C sort |
            awk -v e=$ending '{ f[NR] = $0 } END { for (i = 0; i < 22 && i < NR; i++) printf "%s\nmodels/%s%02d.%s\n", f[int(i * NR / 22) + 1], e, i, e }' |
            xargs -r -n 2 cp
    done
fi
ln -s . models/loop # folders behind links are left out
count=$(find models -type f | wc -l)
[ ! -d "$corpus" ] || [ "$count" -ge 50 ]

echo "--- $count models, in four formats"
for format in t3dm glb nlm model; do
    same convert -q -k --jobs 2 --to $format models -o out/$format
    find out -type f | wc -l
done
same info --json models/sub/ü日本.glb hero.nlm
same check hero.glb models/hero.nlm
same dump hero.nlm
same render -q hero.glb -o out/hero.png
same render -q --look n64 --size 160x120 --frames 4 hero.nlm -o out/hero.gif
same convert --sprites hero.glb out/hero.t3dm

echo "--- pipes"
windows convert -q hero.glb - --to nlm > piped.nlm
here convert -q hero.glb - --to nlm | cmp - piped.nlm
windows convert -q - - --from nlm --to glb < piped.nlm > piped.glb
here convert -q - - --from nlm --to glb < piped.nlm | cmp - piped.glb

echo "--- paths"
mkdir -p back/sub
printf old > back/sub/hero.t3dm # is replaced
windows convert -q 'models\sub\ü日本.glb' 'back\sub\hero.t3dm'
windows convert -q "Z:$(echo "$work" | tr / '\\')\\models\\sub\\ü日本.glb" 'back\ü日本.t3dm'
mkdir -p want/back/sub
(cd want && here convert -q ../models/sub/ü日本.glb back/sub/hero.t3dm)
diff -r want/back/sub back/sub
[ "$(find back -type f | wc -l)" = "$(find back -name '*.t3dm' -o -name '*.sdata' | wc -l)" ] # no temporary files
[ -s back/ü日本.t3dm ]

echo "--- errors"
head -c 1000 hero.glb > cut.glb
same info cut.glb
same check none.glb
same info models
same convert -q hero.glb out/none/hero.t3dm
same convert -q hero.glb out
same convert --nonsense

echo "--- what this build lacks"
code=0
windows view hero.glb 2> errors.txt || code=$?
[ "$code" = 5 ] && grep -q 'trilobite page FILE' errors.txt
code=0
windows optimize -n hero.glb 2> errors.txt || code=$?
[ "$code" != 0 ] && grep -q 'meshoptimizer, which is not installed or not part of this build' errors.txt
printf 'Kaydara FBX Binary  \0' > hero.fbx
code=0
windows info hero.fbx 2> errors.txt || code=$?
[ "$code" = 3 ] && grep -q 'which needs Assimp; export it as glTF' errors.txt
here convert -q hero.glb plain.t3dm
code=0
windows convert -q --compress 1 plain.t3dm packed.t3dm 2> errors.txt || code=$?
cat errors.txt
[ "$code" = 5 ] && grep -qi 'lz4' errors.txt

echo "--- images, by Windows' own decoders"
mkdir images good
python3 "$root/tests/packages/png_kinds.py" images
if [ -d "$corpus" ]; then
    find "$corpus" -name '*.png' -size -60k | LC_ALL=C sort | awk 'NR % 6 == 0 { printf "%s\nimages/corpus%03d.png\n", $0, NR }' | xargs -n 2 cp
fi
node=$(command -v node || true)
if [ -n "$node" ] && [ -d "$build/node_modules/jpeg-js" ]; then
    NODE_PATH=$build/node_modules node -e '
        const jpeg = require("jpeg-js"), fs = require("fs");
        const data = Buffer.alloc(4 * 61 * 45);
        for (let i = 0; i < data.length; i++) data[i] = i % 4 === 3 ? 255 : (i * (1 + i % 4) >> 3 ^ i >> 7) & 255;
        fs.writeFileSync("images/photo.jpg", jpeg.encode({ data, width: 61, height: 45 }, 90).data);'
fi
for image in images/*; do
    here sprite -q --format rgba32 "$image" -o sprite.sprite 2> /dev/null && cp "$image" good || true
done
ls good | wc -l
[ "$(ls good | wc -l)" -gt 50 ]
mkdir mine theirs
here sprite -q --format rgba32 good/* -o mine
windows sprite -q --format rgba32 good/* -o theirs
if [ -e mine/photo.sprite ]; then # decoders of JPEG files may round otherwise
    python3 -c '
a, b = (open(f + "/photo.sprite", "rb").read() for f in ("mine", "theirs"))
assert len(a) == len(b) and max(abs(x - y) for x, y in zip(a, b)) <= 2'
fi
diff -r -x photo.sprite mine theirs
[ "$(ls mine | wc -l)" -gt 50 ]
[ -s images/cut-582.png ]
same sprite -q images/cut-582.png -o out/cut.sprite

echo "--- names that a model may have"
mkdir -p names/in/sub
printf out > names/out.txt
for file in in.txt sub/in.txt ü日本.txt; do printf in > "names/in/$file"; done
ln -s .. names/in/up
ln -s ../.. names/in/sub/up
ln -s ../out.txt names/in/out.txt
x86_64-w64-mingw32-gcc -std=c11 -Wall -Wextra -Werror -I"$root/include" -static -o names.exe "$root/tests/packages/windows_names.c" \
    "$root/build/windows/libtrilobite.a" -lole32 -luuid
(cd names && wine ../names.exe)
[ "$(cat names/out.txt)" = out ] && [ "$(find names -type f | wc -l)" = 11 ]
