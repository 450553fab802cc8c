#!/bin/sh
# schemas.sh PROGRAM MASCOT SOURCE_DIR: is what --json prints as docs/json says? Many commands on many files, sound and
# broken, are validated; the corpus adds to them where it is.
set -eu
program=$1 mascot=$2 source=$3
python3 -c 'import jsonschema' 2>/dev/null || { echo "skip: there is no jsonschema for Python (python3-jsonschema)"; exit 77; }
rm -rf schemas && mkdir -p schemas/bin schemas/files schemas/out && cd schemas
ln -s "$program" bin/trilobite
PATH=$PWD/bin:$PATH
cd files
# shellcheck disable=SC1091
. "$source/tests/cli/fixtures_t3dm.sh" && . "$source/tests/cli/fixtures_model64.sh" && . "$source/tests/cli/fixtures_gltf.sh" &&
    . "$source/tests/cli/fixtures.sh"
make_fixtures
"$mascot" mascot.nlm && "$mascot" mascot.glb
trilobite convert -q mascot.glb mascot.t3dm
trilobite convert -q mascot.nlm mascot.model --fps 6
number=0
# print COMMAND...: keeps what it prints. Commands may fail: what they say then has a schema, too.
print() {
    number=$((number + 1))
    trilobite "$@" --json >../out/$number.json 2>/dev/null || :
    [ -s ../out/$number.json ] || rm ../out/$number.json
}
for file in *.nlm *.glb *.gltf *.t3dm *.model; do
    print info "$file" --materials --clips
    print check "$file" --for t3dm
    print dump "$file" --limit 3
    print cost "$file"
done
for file in mascot.* sway.t3dm textured.t3dm walk.gltf slide.model wire.nlm cut.t3dm; do
    print dump "$file" --triangles --limit 2
    print dump "$file" --pose 0@0.1
    print dump "$file" --blobs --limit 1
    print cost "$file" --as t3dm --fill 30 --compare mascot.t3dm
    print optimize "$file" -n
    print render "$file" -o ../x.png --size 16x12
    print extract "$file" --textures --streams -o ../x --force
    print diff "$file" mascot.t3dm
    for format in nlm glb t3dm model; do
        print check "$file" --for $format
        print convert "$file" ../x.$format --sprites --share-palettes
    done
done
printf 'microseconds 1\ntriangles 1000000\n' >limits
print cost mascot.t3dm leaf.t3dm --budget limits
print check --codes
print check --explain NLM-NAN
print formats
print render mascot.t3dm cut.nlm --sheet ../x.png
print gltf_to_t3d mascot.glb ../x.t3dm --sprites
trilobite extract -q mascot.nlm --textures -o ../images >/dev/null
for options in "--format rgba32" "--format auto" "--format rgba32 --size 128x128 --fit split"; do
    # shellcheck disable=SC2086
    print sprite ../images/mascot-0.png -o ../x.sprite $options
done
print sprite ../images/mascot-0.png ../images/mascot-1.png -o ../shared --format ci4 --share-palettes
print sprite ../x.sprite -o ../x.png
echo '<!--trilobite:data-->' >page.html
print page mascot.t3dm -o ../x.html --template page.html
mkdir folder && cp mascot.glb cut.nlm folder
print convert folder -o ../batch --to t3dm -k
print convert folder -o ../batch --to t3dm -k -n
corpus=${TRILOBITE_CORPUS:-$source/../shared/corpus}
[ ! -d "$corpus" ] || for file in "$corpus"/t3dm/*/*.t3dm "$corpus"/rom/*.z64 "$corpus"/pyrite64/*/*.t3dm; do
    case $file in
    *.z64) print extract "$file" ;;
    *) [ ! -f "$file" ] || print info "$file" --materials ;;
    esac
done
echo '{"schema": "trilobite-view-1", "address": "http://127.0.0.1:1/"}' >../out/view.json # it would not end
cd ..
python3 "$source/tests/docs/schemas.py" "$source" out/*.json
