#!/bin/sh
# The npm package, as somebody would use it: installed from its archive into an empty folder, without a network. The
# examples of its README run, the types are checked, and the command line gives the results of the native program.
set -eu
build=$1 work=$2
root=$build/..
npm_config_loglevel=error
export npm_config_loglevel
command -v node > /dev/null && command -v npm > /dev/null || { echo "there is no node or no npm"; exit 77; }
archive=$(ls "$build"/release/*-npm.tgz) || { echo "there is no npm package in build/release"; exit 77; }

mkdir app
cd app
echo '{"private": true, "type": "module"}' > package.json
npm install --offline --no-audit --no-fund "$archive"
[ "$(ls node_modules)" = trilobite ] # nothing else comes with it

"$build/trilobite-mascot" hero.nlm
"$build/trilobite-mascot" hero.glb
"$build/trilobite" convert -q hero.nlm hero.t3dm
mkdir want
"$build/trilobite" convert -q hero.glb want/hero.t3dm --scale 64
"$build/trilobite" info hero.t3dm > want/info.txt
"$build/trilobite" check --json hero.glb --for t3dm > want/check.json

echo "--- command line"
npx trilobite info hero.t3dm | cmp - want/info.txt
npx trilobite info "$work/app/hero.t3dm" | grep -q 'Tiny3D model'
npx trilobite check --json hero.glb --for t3dm | cmp - want/check.json
npx trilobite convert -q hero.glb got/hero.t3dm --scale 64
cmp got/hero.t3dm want/hero.t3dm
cmp got/hero.0.sdata want/hero.0.sdata
npx trilobite convert -q - - --to glb < hero.nlm > got/piped.glb
"$build/trilobite" convert -q - - --to glb < hero.nlm | cmp - got/piped.glb
(cd got && npx trilobite render ../hero.glb -o hero.png && "$build/trilobite" sprite -q hero.png -o hero.sprite)
ls got > got.txt # what is left are the results, no temporary files
printf '%s\n' hero.0.sdata hero.png hero.sprite hero.t3dm piped.glb | cmp - got.txt
head -c 5000 hero.glb > half.glb
code=0
npx trilobite convert half.glb none.t3dm 2> errors.txt || code=$?
[ "$code" = 3 ] && grep -q GLTF-TRUNCATED errors.txt && [ ! -e none.t3dm ]
code=0
npx trilobite info none.glb 2> errors.txt || code=$?
[ "$code" = 3 ] && grep -q 'none.glb: error FILE-READ' errors.txt
ln -s "$work/app/hero.0.sdata" linked.0.sdata # as the native program: companions are not followed through links
cp hero.t3dm linked.t3dm
mkdir links && mv linked.* links
npx trilobite info --json links/linked.t3dm > linked.json
"$build/trilobite" info --json links/linked.t3dm | cmp - linked.json

echo "--- PNG files of every kind, which the package reads by itself"
mkdir images good mine theirs
python3 "$root/tests/packages/png_kinds.py" images
rm images/flipped-* # this reader alone looks at what is behind the pixels
for image in images/*; do
    if "$build/trilobite" sprite -q -f rgba32 "$image" -o "mine/$(basename "$image" .png).sprite" 2> /dev/null; then cp "$image" good; fi
done
npx trilobite sprite -q -f rgba32 good/*.png -o theirs
diff -r mine theirs
[ "$(ls theirs | wc -l)" -gt 40 ]

echo "--- JPEG files, with jpeg-js or without"
jpeg=$build/node_modules/jpeg-js
if [ -d "$jpeg" ]; then
    node -e '
        const pixels = Buffer.alloc(16 * 16 * 4, Buffer.from([200, 40, 90, 255]))
        require("fs").writeFileSync("flat.jpg", require(process.argv[1]).encode({ data: pixels, width: 16, height: 16 }, 95).data)' "$jpeg"
    code=0
    npx trilobite sprite flat.jpg -o flat.sprite 2> errors.txt || code=$?
    [ "$code" = 3 ] && grep -q 'IMAGE-LIBRARY.*install the npm package jpeg-js' errors.txt || { echo "$code"; cat errors.txt; exit 1; }
    cp -R "$jpeg" node_modules
    npx trilobite sprite -q -f rgba32 flat.jpg -o flat.sprite
    # The first pixel, behind the head of 8 bytes: as it was, but for rounding.
    od -An -tu1 -j8 -N4 flat.sprite | awk '{ exit !($1 > 196 && $1 < 204 && $2 > 36 && $2 < 44 && $3 > 86 && $3 < 94 && $4 == 255) }'
    rm -R node_modules/jpeg-js
fi

echo "--- examples of the README"
awk -v RS='```' 'NR % 2 == 0 && sub(/^js\n/, "") { file = "example" ++n ".mjs"; printf "%s", $0 > file; close(file) } END { print n, "examples" }' \
    node_modules/trilobite/README.md "$root/docs/how-to/browser.md"
cp hero.t3dm hero.0.sdata got
for example in example*.mjs; do
    node "$example" > "$example.out" || { echo "$example failed"; exit 1; }
done
cmp hero.t3dm want/hero.t3dm # written by the first example, over the other one
grep -q '^866 triangles, ' example2.mjs.out || { cat example2.mjs.out; exit 1; }
printf '320 240 307200\n0.00 true\n0.03 true\n0.07 true\n' | cmp - example3.mjs.out
printf 'T3DM-TRUNCATED\ntrue 3\n' | cmp - example4.mjs.out

echo "--- types"
tsc=$build/node_modules/typescript/bin/tsc
[ -f "$tsc" ] || { echo "types are not checked: there is no typescript"; exit 0; }
awk -v RS='```' 'NR % 2 == 0 && sub(/^ts\n/, "") { printf "%s", $0 > "browser.ts" }' node_modules/trilobite/README.md
cat > right.ts << 'END'
import { type Finding, type Model, TrilobiteError, load, mascot, open, run, trilobite } from 'trilobite'

const model: Model = await open(await mascot('hero.glb'), new Map(), { name: 'hero.glb' })
const findings: Finding[] = (await model.check()).findings
const codes: string[] = findings.map((finding) => finding.code)
const bytes: Uint8Array | undefined = (await model.convert('a.t3dm', { scale: 64, bvh: true, clip: ['Walk', 1] })).files.get('a.t3dm')
const pixels: Uint8ClampedArray = (await model.render()).pixels
const player = await model.player()
player.play(0, 0.5)
const triangles: number = (await model.cost()).figures.triangles
const code: number = (await run(['check', 'a.glb'], { 'a.glb': [1, 2, 3] })).code
const other = await (await trilobite()).open(bytes ?? [], [{ name: 'a', bytes: new ArrayBuffer(4) }])
const error = new TrilobiteError('x')
export { codes, pixels, triangles, code, other, error, load }
END
cat > wrong.ts << 'END'
import { open } from 'trilobite'
const model = await open('hero.glb')
export const triangles: string = (await model.cost()).figures.triangles
END
options='--noEmit --strict --target es2022 --module nodenext --moduleResolution nodenext --lib es2022,dom'
# shellcheck disable=SC2086
node "$tsc" $options right.ts browser.ts
# shellcheck disable=SC2086
node "$tsc" $options wrong.ts > wrong.txt && { echo "wrong types are accepted"; exit 1; }
[ "$(grep -c 'wrong.ts.*error' wrong.txt)" = 2 ] || { cat wrong.txt; exit 1; }
