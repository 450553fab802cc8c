#!/bin/sh
# The Blender add-on, installed as a user does: imports, findings, cost, picture, export; in the background.
set -eu
build=$1 work=$2
root=$build/..
command -v blender > /dev/null || { echo "there is no blender"; exit 77; }
addon=$(ls "$build"/release/*-blender.zip) || { echo "there is no add-on in build/release"; exit 77; }
"$build/trilobite-mascot" hero.nlm
"$build/trilobite" convert -q hero.nlm hero.t3dm --sprites
"$build/trilobite" convert -q hero.nlm hero.model --scale 64
HOME=$work TRILOBITE=$build/trilobite BLENDER_USER_RESOURCES=$work/blender
BLENDER_USER_SCRIPTS=$work/scripts BLENDER_USER_CONFIG=$work/config
PATH=/usr/bin:$PATH # the Python in Blender looks for its modules beside the first python3
export PATH HOME TRILOBITE BLENDER_USER_RESOURCES BLENDER_USER_SCRIPTS BLENDER_USER_CONFIG
blender --background --factory-startup --python-exit-code 1 --python "$root/tests/packages/blender_check.py" -- \
    "$addon" "$work" > blender.txt 2>&1 || { tail -n 30 blender.txt; exit 1; }
grep -q '^BLENDER-FINE$' blender.txt || { tail -n 30 blender.txt; exit 1; }
grep '^hero\|^figures\|^broken' blender.txt
"$build/trilobite" check -q out.t3dm
