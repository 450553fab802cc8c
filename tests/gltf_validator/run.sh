#!/bin/sh
# run.sh TRILOBITE MASCOT NODE_MODULES [CORPUS]: has the Khronos validator nothing to say about the glTF we write? The
# mascot, and every model of the corpus, read and written anew.
set -u
here=$(cd "$(dirname "$0")" && pwd)
trilobite=$1
mascot=$2
modules=${TRILOBITE_NODE_MODULES:-$3}
corpus=${4:-${TRILOBITE_CORPUS:-$here/../../../shared/corpus}}

command -v node >/dev/null || { echo "skip gltf_validator: there is no node"; exit 77; }
[ -d "$modules/gltf-validator" ] || { echo "skip gltf_validator: gltf-validator is not installed (SETUP=all make test)"; exit 77; }

work=$(pwd)/glb
rm -rf "$work"
mkdir -p "$work/outside"
failed=0
list=$work/list

convert() { # IN OUT OPTIONS...
    if "$trilobite" convert -q --reencode "$@" >"$work/log" 2>&1; then
        echo "$2" >>"$list"
    else
        echo "FAIL $1 is not converted: $(tail -n 1 "$work/log")"
        failed=1
    fi
}

"$mascot" "$work/mascot.nlm" || exit 1
convert "$work/mascot.nlm" "$work/mascot.glb"
convert "$work/mascot.nlm" "$work/mascot.gltf"
convert "$work/mascot.nlm" "$work/plain.glb" --plain
convert "$work/mascot.nlm" "$work/outside/mascot.gltf" --external-images
convert "$work/mascot.gltf" "$work/again.glb"
# All maps of a material, one moved; a primitive without texture coordinates for them; instances.
convert "$here/maps.gltf" "$work/maps.glb"
convert "$here/maps.gltf" "$work/maps.gltf"

if [ -d "$corpus" ]; then
    find "$corpus" -type f \( -name '*.nlm' -o -name '*.t3dm' -o -name '*.model' -o -name '*.glb' -o -name '*.gltf' \) |
        LC_ALL=C sort >"$work/models"
    while read -r model; do
        case $model in
        */unversioned/*) continue ;; # from before the format had a version, refused
        esac
        case $model in
        *.gltf) # pictures that lie beside a model stay there
            find "$(dirname "$model")" -maxdepth 1 -name '*.png' -exec cp {} "$work" \; ;;
        esac
        convert "$model" "$work/$(echo "${model#"$corpus"/}" | tr '/ ' '__').glb"
    done <"$work/models"
else
    echo "skip corpus: $corpus is not there"
fi

# A list in a file: there may be more than fit on a command line.
xargs -d '\n' node "$here/validate.js" "$modules" <"$list" || failed=1
exit $failed
