#!/bin/sh
# The Python package: installed with pip into an empty environment, without a network, with and without numpy.
set -eu
build=$1 work=$2
root=$build/..
python=/usr/bin/python3
$python -c 'import cffi, setuptools, wheel, venv, ensurepip' || { echo "there is no cffi, setuptools, wheel or venv"; exit 77; }
[ -f "$build/libtrilobite.so" ] || { echo "there is no build/libtrilobite.so"; exit 77; }

$python -m venv --system-site-packages env
wheel=$(ls "$build"/release/*.whl) && archive=$(ls "$build"/release/trilobite-*[0-9].tar.gz) || { echo "there is no Python package in build/release"; exit 77; }
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
echo "--- the wheel, with the library inside"
install() { env/bin/pip install --no-build-isolation --no-index --no-deps --force-reinstall --quiet "$@"; }
install "$wheel"
env/bin/python "$root/tests/python/check.py" "$build"
echo "--- the source archive, with a library from elsewhere; without numpy"
install "$archive"
mkdir hidden && echo 'raise ImportError("hidden")' > hidden/numpy.py
[ -z "$(find env -name libtrilobite.so)" ]
TRILOBITE_LIBRARY=$build/libtrilobite.so PYTHONPATH=$work/hidden env/bin/python "$root/tests/python/check.py" "$build" without-numpy
install "$wheel"
echo "--- types"
if command -v mypy > /dev/null; then
    types() { mypy --python-executable env/bin/python --cache-dir "$work/types" --strict "$@"; }
    types --no-warn-return-any --allow-untyped-decorators -p trilobite # what cffi gives is of any type
    cat > right.py << 'END'
import pathlib
import trilobite

document: trilobite.Document = trilobite.open(pathlib.Path("hero.t3dm"))
codes: list[str] = [finding.code for finding in document.check()]
size: int = len(document.convert("gltf").data)
highest = document.model.meshes[0].positions.max(axis=0)
document.render(32, 24, look="clean").save("small.png")
END
    cat > wrong.py << 'END'
import trilobite

document = trilobite.open(7)
name: int = document.format
document.render("320", 240)
document.nonsense()
END
    types right.py
    if types wrong.py > wrong.txt; then exit 1; fi
    [ "$(grep -c '^wrong.py:[3-6]: error' wrong.txt)" = 4 ] || { cat wrong.txt; exit 1; }
else
    echo "types are not checked: there is no mypy"
fi
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
