#!/bin/sh
# examples.sh BUILD_DIR SOURCE_DIR CC: do the examples of the documents work?
#
# In a ```console block, "$ command" is run and what follows must be what it prints (stdout and stderr); a line "..." stands
# for any lines. A ```c block that has a main is compiled and run beside the mascot.
set -eu
build=$1 source=$2 cc=$3
passed=0 failed=0
# What a program needs besides the library, as the installed package says.
libs=$(sed -n "s/^Libs.private: *//p" "$build/trilobite.pc")
rm -rf examples
mkdir examples
cd examples
ln -s "$build" build
build/trilobite-mascot mascot.nlm

check() { # command, file with the expected output
    sh -c "$1" >got 2>&1 || :
    # "..." becomes "any lines"; the rest is literal.
    if awk 'NR == FNR { want[++n] = $0; next } { got[++m] = $0 }
        function match_from(i, j) {
            if (i > n) return j > m
            if (want[i] == "...") { for (; j <= m + 1; j++) if (match_from(i + 1, j)) return 1; return 0 }
            return j <= m && want[i] == got[j] && match_from(i + 1, j + 1)
        }
        END { exit !match_from(1, 1) }' "$2" got; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAIL $ %s\n' "$1"
        diff "$2" got || :
    fi
}

run_console() { # file of one document's console lines
    command=
    while IFS= read -r line; do
        case $line in
        '$ '*)
            [ -z "$command" ] || check "$command" want
            command=${line#??}
            : >want
            ;;
        *) printf '%s\n' "$line" >>want ;;
        esac
    done <"$1"
    [ -z "$command" ] || check "$command" want
}

run_program() { # a .c file
    # shellcheck disable=SC2086
    if $cc -std=c11 -Wall -Wextra -Werror -I"$source/include" "$1" "$build/libtrilobite.a" $libs -o program && ./program; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL program $1"
    fi
}

for document in "$source"/README.md "$source"/docs/*.md; do
    rm -f example-*.c
    awk '/^```/ { inside = inside == "" ? substr($0, 4) : ""; if (inside == "c") n++; next }
        inside == "console" { print >"console" }
        inside == "c" { print >("example-" n ".c") }' "$document"
    if [ -f console ]; then
        run_console console
        rm console
    fi
    for program in example-*.c; do
        [ ! -f "$program" ] || ! grep -q 'int main' "$program" || run_program "$program"
    done
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
