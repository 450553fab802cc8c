#!/bin/sh
# The steps of the GitHub Action, without GitHub: annotations, the job summary, pictures on a branch, and the result.
set -eu
build=$1 work=$2
root=$(cd "$build/.." && pwd)
modules=$build/node_modules
command -v node > /dev/null && [ -d "$modules/js-yaml" ] || { echo "there is no node, or npm's js-yaml is not in build/node_modules"; exit 77; }

mkdir project remote temp
git init -q --bare remote
cd project
git init -q
git remote add origin "$work/remote"
mkdir -p assets/deep
"$build/trilobite-mascot" assets/hero.glb
"$build/trilobite" convert -q assets/hero.glb assets/deep/hero.t3dm
GITHUB_ACTION_PATH=$root GITHUB_STEP_SUMMARY=$work/summary.md RUNNER_TEMP=$work/temp GITHUB_RUN_ID=77
GITHUB_REPOSITORY=me/game GITHUB_SERVER_URL=https://github.com
export GITHUB_ACTION_PATH GITHUB_STEP_SUMMARY RUNNER_TEMP GITHUB_RUN_ID GITHUB_REPOSITORY GITHUB_SERVER_URL
steps() { # inputs...
    rm -f "$work/summary.md"
    node "$root/tests/packages/action.mjs" "$root/action.yml" "$modules" program="$build/trilobite" "$@" > "$work/steps.sh"
    sh "$work/steps.sh" > "$work/out.txt"
}

echo "--- good models"
steps for=t3dm pictures-branch=pictures
grep -q '^::warning file=assets/hero.glb,title=T3DM-LOST-TEXTURE::' "$work/out.txt"
if grep -q '^::error' "$work/out.txt"; then exit 1; fi
grep -q '^2 models, 0 findings fail the job.$' "$work/summary.md"
grep -q '^| <img src="https://github.com/me/game/raw/pictures/77/001-hero.glb.png" width="160" alt="assets/hero.glb"> | assets/hero.glb | 0 | 1 |.*| 866 | ' "$work/summary.md" || { cat "$work/summary.md"; exit 1; }
git --git-dir="$work/remote" show pictures:77/001-hero.glb.png | cmp - "$work/temp/trilobite-report/001-hero.glb.png"
GITHUB_RUN_ID=78 # a second run adds to the branch
steps for=t3dm pictures-branch=pictures files='assets/*.glb'
[ "$(git --git-dir="$work/remote" ls-tree -r --name-only pictures | wc -l)" = 3 ]

echo "--- strict, a budget, a broken model"
if steps for=t3dm strict=true files='assets/*.glb'; then exit 1; fi
grep -q '^1 findings fail this job$' "$work/out.txt"
echo 'triangles 100' > budget.txt
if steps budget=budget.txt files='assets/*.glb'; then exit 1; fi
grep -q '^::error file=assets/hero.glb,title=over budget::' "$work/out.txt"
head -c 5000 assets/hero.glb > 'assets/half, 50%.glb'
if steps files='assets/*.glb'; then exit 1; fi
grep -q '^::error file=assets/half%2C 50%25.glb,title=GLTF-TRUNCATED::' "$work/out.txt" || { cat "$work/out.txt"; exit 1; }
rm assets/half*

echo "--- names that would show something else, or be a link"
printf '%s' '{"asset":{"version":"2.0"},"extensionsUsed":["[a](b)\u202e|`c`<i>"],"extensionsRequired":["[a](b)\u202e|`c`<i>"]}' > 'assets/"-o
x.gltf'
cp assets/*x.gltf ./--size=1.gltf
if steps files='assets/*x.gltf *.gltf'; then exit 1; fi
grep -q '^::error file=--size=1.gltf,title=GLTF-REQUIRED::.*\[a\](b)\\u202E|`c`<i>' "$work/out.txt" || { cat "$work/out.txt"; exit 1; }
grep -q '^::error file=assets/"-o%0Ax.gltf,' "$work/out.txt" || { cat "$work/out.txt"; exit 1; }
grep -q '| assets/&#34;-o x.gltf | error | `GLTF-REQUIRED` |.*&#91;a&#93;&#40;b&#41;&#92;u202E&#124;&#96;c&#96;&#60;i&#62;' "$work/summary.md" || { cat "$work/summary.md"; exit 1; }
rm assets/*x.gltf ./--size=1.gltf
steps files='none/*.glb'
grep -q '^::warning.*no file matches none' "$work/out.txt"

echo "--- the workflow"
node -e '
const yaml = require(process.argv[1] + "/js-yaml"), fs = require("fs")
const flow = yaml.load(fs.readFileSync(process.argv[2], "utf8")), action = yaml.load(fs.readFileSync(process.argv[3], "utf8"))
const step = flow.jobs.models.steps.find((one) => one.uses === "./")
for (const name of Object.keys(step.with)) if (!(name in action.inputs)) throw new Error(name + " is no input of the action")
' "$modules" "$root/.github/workflows/models.yml" "$root/action.yml"
