#!/bin/sh
# The Python package: installed with pip into an empty environment, without a network, with and without numpy.
set -eu
build=$1 work=$2
root=$build/..
python=/usr/bin/python3
$python -c 'import cffi, setuptools, wheel, venv, ensurepip' || { echo "there is no cffi, setuptools, wheel or venv"; exit 77; }
[ -f "$build/libtrilobite.so" ] || { echo "there is no build/libtrilobite.so"; exit 77; }

$python -m venv --system-site-packages env
mkdir tree # pip builds in the folder, which is not ours to fill
cp -R "$root/bindings" "$root/include" tree
TRILOBITE_BUILD=$build env/bin/pip install --no-build-isolation --no-index --quiet tree/bindings/python
TRILOBITE_BUILD=
unset TRILOBITE_BUILD
"$build/trilobite-mascot" hero.nlm
"$build/trilobite-mascot" hero.glb
"$build/trilobite" convert -q hero.nlm hero.t3dm
"$build/trilobite" extract -q --textures hero.nlm
"$build/trilobite" sprite -q hero-0.png -o hero-0.sprite
"$build/trilobite" sprite -q hero-1.png -o hero-1.sprite
head -c 5000 hero.glb > half.glb
mkdir want
"$build/trilobite" convert -q hero.glb want/hero.t3dm --scale 64
"$build/trilobite" check --json hero.glb --for t3dm > want/check.json
"$build/trilobite" render -q hero.t3dm -o want/hero.png --azimuth 30 --elevation 20 --background none

echo "--- results"
env/bin/python "$root/tests/python/check.py" "$build"
echo "--- without numpy"
mkdir hidden && echo 'raise ImportError("hidden")' > hidden/numpy.py
PYTHONPATH=$work/hidden env/bin/python "$root/tests/python/check.py" "$build" without-numpy
echo "--- examples of the README"
awk -v RS='```' 'NR % 2 == 0 && sub(/^python\n/, "") { file = "example" ++n ".py"; printf "%s", $0 > file; close(file) } END { print n, "examples" }' \
    "$root/bindings/python/README.md" "$root/docs/how-to/python.md"
ln -s "$build" build # for the second one
for example in example*.py; do
    env/bin/python "$example" > "$example.out" || { echo "$example failed"; exit 1; }
done
cmp hero.t3dm want/hero.t3dm # written by the first example
cmp hero.0.sdata want/hero.0.sdata
grep -q '^(748, 3)$' example2.py.out || { cat example2.py.out; exit 1; }
printf 't3dm 4 [1.0]\nT3DM-TRUNCATED 0\n' | cmp - example3.py.out || { cat example3.py.out; exit 1; }
