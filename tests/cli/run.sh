#!/bin/sh
# run.sh PROGRAM [WHICH [CORPUS]]: tests the command-line program: the cases, those with the corpus, or all.
#
# A case is a folder in cases/ (or in corpus/, for those that need the real files in CORPUS) with
#   cmd     a script; it runs in a fresh folder with all fixtures, and finds the program as "trilobite"
#   stdout  what it must print; no such file: nothing
#   stderr  the same for standard error
#   exit    its exit code; no such file: 0
#   needs   what must be on this machine, separated by blanks: programs, files, assimp (the library), json, lz4
#           (a program that can compress), meshopt (one with meshoptimizer) or png (with libspng); without it the case is
#           skipped
#
# CASES="NAME..." runs only these. With STOP=1 the first failure ends the run. With UPDATE=1 the expected files are
# written instead of compared. Read the difference before you keep it. CLI_STEP=N takes only every N-th of many real files,
# where the program is slow; not with TRILOBITE_TESTS=full. NOTES=FOLDER is for tools/mutate: a case NAME runs with
# TRILOBITE_LINES=FOLDER/NAME, and the processor time that was used up before and after it goes to FOLDER/NAME.times.
set -u
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { echo "usage: run.sh PROGRAM [cases|corpus|all [CORPUS]]" >&2; exit 2; }
[ -x "$1" ] || { echo "run.sh: $1 is no program" >&2; exit 2; }
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
which=${2:-all}
CORPUS=${3:-${TRILOBITE_CORPUS:-$here/../../../shared/corpus}}
CLI_STEP=${CLI_STEP:-1}
[ "${TRILOBITE_TESTS:-}" != full ] || CLI_STEP=1
export CORPUS CLI_STEP

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
mkdir "$work/bin" "$work/fixtures"
ln -s "$program" "$work/bin/trilobite"
ln -s "$program" "$work/bin/gltf_to_t3d"
PATH=$work/bin:$PATH
LC_ALL=C
TERM=xterm
export PATH LC_ALL TERM
unset NO_COLOR
# shellcheck disable=SC1091
. "$here/fixtures_t3dm.sh" && . "$here/fixtures_model64.sh" && . "$here/fixtures_gltf.sh" && . "$here/fixtures.sh"
(cd "$work/fixtures" && make_fixtures) || { echo "run.sh: cannot make the fixtures" >&2; exit 1; }

passed=0 failed=0 skipped=0

# missing CASE: prints what the case needs and this machine does not have.
missing() {
    [ -f "$1/needs" ] || return 0
    # shellcheck disable=SC2013
    for need in $(cat "$1/needs"); do
        case $need in
        assimp)
            printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' > "$work/a.obj"
            trilobite info -q "$work/a.obj" > /dev/null 2>&1 || echo Assimp
            ;;
        json) command -v node > /dev/null || command -v python3 > /dev/null || echo "node or python3" ;;
        lz4) trilobite convert -q --compress 1 "$work/fixtures/leaf.t3dm" - > /dev/null 2>&1 || echo liblz4 ;;
        meshopt) trilobite optimize -q -n "$work/fixtures/quad.nlm" > /dev/null 2>&1 || echo meshoptimizer ;;
        png)
            printf '\0\1\0\1\0\21\1\1a' > "$work/a.sprite"
            trilobite sprite -q "$work/a.sprite" -o "$work/a.png" && trilobite sprite -q "$work/a.png" -o "$work/b.sprite" \
                2> /dev/null || echo libspng
            ;;
        script) script -qec true /dev/null > /dev/null 2>&1 < /dev/null || echo "script (with a pseudo-terminal)" ;;
        /*) [ -e "$need" ] || echo "$need" ;;
        *) command -v "$need" > /dev/null || echo "$need" ;;
        esac
    done
}

# run_case CASE: leaves stdout, stderr and exit in $work/got.
run_case() {
    rm -rf "$work/got" "$work/here"
    mkdir "$work/got"
    cp -R "$work/fixtures" "$work/here"
    code=0
    # shellcheck disable=SC1091
    (cd "$work/here" && . "$here/lib.sh" && . "$1/cmd") < /dev/null > "$work/got/stdout" 2> "$work/got/stderr" ||
        code=$?
    echo "$code" > "$work/got/exit"
}

# expected CASE FILE: what must have come out.
expected() {
    if [ -f "$1/$2" ]; then
        cat "$1/$2"
    elif [ "$2" = exit ]; then
        echo 0
    fi
}

# compare CASE: prints the differences; true when there are none.
compare() {
    same=0
    for file in stdout stderr exit; do
        expected "$1" $file > "$work/want"
        diff -u "$work/want" "$work/got/$file" > "$work/diff" || { same=1; sed "1,2d; s/^/  $file: /" "$work/diff"; }
    done
    return $same
}

# keep CASE: makes what came out the expected result.
keep() {
    rm -f "$1/stdout" "$1/stderr" "$1/exit"
    for file in stdout stderr; do
        [ ! -s "$work/got/$file" ] || cp "$work/got/$file" "$1/$file"
    done
    [ "$(cat "$work/got/exit")" = 0 ] || cp "$work/got/exit" "$1/exit"
}

# try CASE: runs it, compares, counts.
try() {
    name=$(basename "$1")
    if [ -n "${NOTES:-}" ]; then
        export TRILOBITE_LINES="$NOTES/$name"
        times > "$TRILOBITE_LINES.times"
    fi
    lacks=$(missing "$1")
    if [ -n "$lacks" ]; then
        # shellcheck disable=SC2086
        echo "SKIP $name: needs" $lacks
        skipped=$((skipped + 1))
        return
    fi
    run_case "$1"
    [ -z "${NOTES:-}" ] || times >> "$TRILOBITE_LINES.times"
    [ -z "${UPDATE:-}" ] || keep "$1"
    if compare "$1" > "$work/report"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $name"
        cat "$work/report"
        [ -z "${STOP:-}" ] || exit 1
    fi
}

# wanted CASE: is it one of CASES?
wanted() {
    case " ${CASES:-} " in
    "  " | *" $(basename "$1") "*) return 0 ;;
    esac
    return 1
}

for case in "$here"/cases/*/; do
    [ "$which" = corpus ] || ! wanted "$case" || try "${case%/}"
done
for case in "$here"/corpus/*/; do
    [ "$which" != cases ] || break
    if ! wanted "$case"; then
        continue
    elif [ -d "$CORPUS" ]; then
        try "${case%/}"
    else
        echo "SKIP $(basename "$case"): needs the corpus, $CORPUS"
        skipped=$((skipped + 1))
    fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
