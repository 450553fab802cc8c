#!/bin/sh
# The descriptions of the formats for Kaitai Struct: compiled, and every field that they read is that of `dump --json`. The
# files are those of the corpus, or without it those that the program makes.
set -eu
build=$1 work=$2
root=$build/..
modules=$build/node_modules
command -v node > /dev/null || { echo "there is no node"; exit 77; }
for module in kaitai-struct kaitai-struct-compiler js-yaml; do
    [ -d "$modules/$module" ] || { echo "npm's $module is not in build/node_modules"; exit 77; }
done

mkdir made
"$build/trilobite-mascot" made/hero.nlm
"$build/trilobite-mascot" made/hero.glb
"$build/trilobite" convert -q made/hero.nlm made/hero.model --scale 64
for version in 1 2 3 4; do
    "$build/trilobite" convert -q made/hero.nlm made/hero$version.t3dm --t3dm-version $version --bvh
done
"$build/trilobite" extract -q --textures -o made made/hero.nlm
corpus=${TRILOBITE_CORPUS:-$root/../shared/corpus}
find made "$corpus" \( -name '*.t3dm' -o -name '*.nlm' -o -name '*.model' -o -name '*.glb' \) -size -400k 2> /dev/null | sort > all.txt
# A file that another program compressed is not described.
while read -r file; do
    "$build/trilobite" info -q "$file" > info.txt 2>&1 && ! head -c 3 "$file" | grep -q DCA && echo "$file"
done < all.txt > files.txt || :
# shellcheck disable=SC2046
node "$root/tests/packages/kaitai.mjs" "$build/trilobite" "$work" "$modules" $(cat files.txt)
# One number changed in a description is noticed.
cat > wrong << END
#!/bin/sh
"$build/trilobite" "\$@" | sed 's/repeat-expr: head.part_count/repeat-expr: head.part_count - 1/'
END
chmod +x wrong
if node "$root/tests/packages/kaitai.mjs" ./wrong "$work" "$modules" made/*.t3dm 2> wrong.txt; then exit 1; fi
grep -q 'parts has' wrong.txt
for format in t3dm nlm model64 gltf; do
    "$build/trilobite" formats --reference $format --language hexpat | grep -q '^// Untried'
done
# What is released is what was compared.
archive=$(ls "$build"/release/*-formats.zip) || { echo "there are no descriptions in build/release"; exit 77; }
python3 -m zipfile -e "$archive" released
for file in released/*/*.ksy released/*/*.hexpat; do
    name=$(basename "$file")
    "$build/trilobite" formats --reference "${name%.*}" --language "${name#*.}" | cmp - "$file"
done
[ "$(ls released/*/*.ksy released/*/*.hexpat | wc -l)" = 8 ]
