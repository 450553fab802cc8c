#!/bin/sh
# samples.sh BUILD_DIR SOURCE_DIR: do the samples of the documents work that show no output?
#
# Each block gets a fresh copy of a small game project. Every line of a ```sh block must succeed there, and so must every
# "run:" of a ```yaml block; a ```make block must build the models as part of a Makefile of libdragon; a ```toml block must
# be understood. What cannot be run here is named in `elsewhere`, with the test that does. ```console blocks and programs are
# run by examples.sh.
set -eu
build=$1 source=$2 corpus=${TRILOBITE_CORPUS:-$2/../shared/corpus}
passed=0 failed=0
PATH=$build:$PATH
export PATH
rm -rf samples
mkdir samples
cd samples
# As a user would have it, but never touched: no settings of this machine.
GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a
GIT_COMMITTER_EMAIL=a@b
export GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL

# The package as if it were installed.
mkdir pkgconfig
sed "s|^prefix=.*|prefix=$source|; s|^libdir=.*|libdir=$build|" "$build/trilobite.pc" >pkgconfig/trilobite.pc
PKG_CONFIG_PATH=$PWD/pkgconfig LD_LIBRARY_PATH=$build
export PKG_CONFIG_PATH LD_LIBRARY_PATH

make_project() {
    mkdir -p assets/models assets/levels filesystem build fs sprites
    # The clip of the mascot is called "walk".
    trilobite-mascot mascot.glb
    trilobite convert -q mascot.glb mascot.gltf
    sed 's/"name":"walk"/"name":"Walk"/' mascot.gltf >named.gltf
    trilobite convert -q named.gltf hero.glb
    rm mascot.* named.gltf
    trilobite convert -q hero.glb hero.nlm
    trilobite convert -q hero.nlm hero.model --max-frame-vertices any
    trilobite convert -q hero.glb hero.t3dm --sprites
    trilobite convert -q hero.glb new.t3dm --scale 32
    trilobite extract hero.glb -o images >/dev/null
    for image in wall wall.ci4 a b grass grass.ci4 sand.i4 assets/wall.ci4; do cp images/*.png $image.png; done
    rm -r images
    for copy in map tree old; do cp hero.t3dm $copy.t3dm; done
    cp hero.nlm in.nlm && cp hero.nlm wire.nlm
    cp hero.glb assets && cp hero.glb assets/models && cp hero.glb assets/levels/cave.glb
    cp hero.t3dm hero.0.sdata filesystem
    echo 'triangles 5000' >limits.txt
    printf '%s\n' 'T3D_GLTF_TO_3D = false' 'all: filesystem/hero.t3dm' 'filesystem/%.t3dm: assets/%.glb' \
        '	$(T3D_GLTF_TO_3D) $< $@' >Makefile
    # In the ROM of the corpus, the model has another name of the same length.
    [ ! -f "$corpus/rom/trunk.z64" ] || LC_ALL=C sed 's/cath/hero/g' "$corpus/rom/trunk.z64" >game.z64
    if command -v git >/dev/null; then
        git init -q . 2>/dev/null && git add . && git commit -q -m first
    fi
}

# elsewhere COMMAND: prints why it is not run here, or nothing.
elsewhere() {
    case $1 in
    'make demo'*) echo "the test demo" ;;
    'make test'*) echo "this is it" ;;
    'make' | 'make '*install* | 'make setup'*) echo "the test install" ;;
    'tar '* | 'apt '* | 'pip '* | 'npm '* | 'npx '* | 'make static'* | 'make deb'* | 'make npm'* | *.ps1* | *.zip*) echo "tests/packages" ;;
    'trilobite view '* | 'trilobite page '*) [ -f "$build/web/trilobite.html" ] && [ "${1#*page}" != "$1" ] || echo "the tests of the page" ;;
    *game.z64*) [ -f game.z64 ] || echo "it needs a ROM of the corpus" ;;
    *parallel*) command -v parallel >/dev/null || echo "there is no GNU parallel" ;;
    'git '*) command -v git >/dev/null || echo "there is no git" ;;
    *pkg-config*) { command -v pkg-config && command -v c++; } >/dev/null || echo "there is no pkg-config or compiler" ;;
    *png*) trilobite sprite -q wall.png -o tried.sprite 2>/dev/null || echo "there is no libspng" ;;
    esac
}

run() { # DOCUMENT COMMAND
    reason=$(elsewhere "$2")
    if [ -n "$reason" ]; then
        echo "$1: not run, $reason: $2" >>../elsewhere
        return
    fi
    code=0
    sh -c "$2" >../out 2>&1 </dev/null || code=$?
    # 1 is an answer: these models differ, or have findings.
    case $code,$2 in
    0,* | 1,*trilobite\ diff* | 1,*trilobite\ check*) passed=$((passed + 1)) ;;
    *)
        failed=$((failed + 1))
        echo "FAIL $1: exit code $code: $2"
        sed 's/^/    /' ../out
        ;;
    esac
}

run_make() { # DOCUMENT FILE
    { printf 'BUILD_DIR := build\nall: $(BUILD_DIR)/game.dfs\n$(BUILD_DIR)/game.dfs:\n\t@touch $@\n' && cat "$2"; } >Makefile
    rm -f filesystem/hero.t3dm
    run "$1" 'make && test -f filesystem/hero.t3dm'
}

run_toml() { # DOCUMENT FILE
    case $1 in
    *materials.md) sed 's/"Material.001"/shell/' "$2" >hero.materials.toml && run "$1" '! trilobite info --materials hero.glb 2>&1 | grep MATERIALS-' ;;
    *) cp "$2" trilobite.toml && run "$1" 'trilobite convert --dry-run || [ $? = 1 ]' ;;
    esac
}

mkdir project
(cd project && make_project)
for document in "$source"/README.md "$source"/docs/*.md "$source"/docs/how-to/*.md; do
    name=${document#"$source"/}
    grep -q -e '^```sh' -e '^```yaml' -e '^```make$' -e '^```toml' "$document" || continue
    rm -rf blocks
    mkdir -p blocks/programs
    awk '/^```/ {
            inside = inside == "" ? substr($0, 4) : ""
            split(inside, word, " ")
            file = ""
            if ((word[1] == "c" || word[1] == "cpp") && word[2] != "")
                file = "blocks/programs/" word[2]
            if (inside != "")
                print "fresh" >"blocks/list"
            if (inside == "make" || word[1] == "toml")
                print word[1] " " (file = "blocks/" ++n) >"blocks/list"
            next
        }
        inside == "sh" && /^[^#]/ { sub(/ +# .*/, ""); print "run " $0 >"blocks/list" }
        inside == "yaml" && sub(/^[- ]*run: /, "") { gsub(/\$\{\{ matrix\.shard \}\}/, 1); print "run " $0 >"blocks/list" }
        file != "" { print >file }' "$document"
    [ -f blocks/list ] || continue
    fresh=no
    while IFS= read -r line; do
        if [ "$line" = fresh ]; then
            fresh=no
            continue
        fi
        if [ $fresh = no ]; then
            rm -rf work && cp -R project work && cp -R blocks/programs/. work
            fresh=yes
        fi
        cd work
        case $line in
        'run '*) run "$name" "${line#run }" ;;
        'make '*) run_make "$name" "../${line#make }" ;;
        'toml '*) run_toml "$name" "../${line#toml }" ;;
        esac
        cd ..
    done <blocks/list
done
[ ! -f elsewhere ] || cat elsewhere
[ ! -f elsewhere ] || sed -n 's/^.*: not run, \(there is no [^:]*\|it needs [^:]*\): .*/skip samples: \1/p' elsewhere | sort -u
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
