#!/bin/sh
# examples.sh BUILD_DIR SOURCE_DIR CC: do the examples of the documents work? Each document has a folder of its own.
#
# In a ```console block, "$ command" is run and what follows must be what it prints (stdout and stderr); a line "..." stands
# for any lines. A block with a name, such as ```make game.mk, is written to that file first. A ```c or ```cpp block that
# has a main is compiled and run beside the mascot, a ```python block is run. What is not run is listed with the reason:
# parts of programs, and what needs the package for Python or JavaScript, which tests/packages runs.
set -eu
build=$1 source=$2 cc=$3
passed=0 failed=0 skipped=
# What a program needs besides the library, as the installed package says.
libs=$(sed -n "s/^Libs.private: *//p" "$build/trilobite.pc")
rm -rf examples
mkdir examples
cd examples

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

count() { # whether it worked, what it is
    if [ "$1" = 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $2"
    fi
}

not_run() { # file, reason
    echo "${document#"$source"/}: not run, $2: $(grep -m 1 . "$1")"
}

has_main() {
    grep -q 'int main' "$1" || { not_run "$1" "it is a part of a program" && false; }
}

run_program() { # a .c, .cpp or .py file
    worked=0
    # shellcheck disable=SC2086
    case $1 in
    *.c) $cc -std=c11 -Wall -Wextra -Werror -I"$source/include" "$1" "$build/libtrilobite.a" $libs -o program && ./program ;;
    *.cpp) c++ -std=c++17 -Wall -Wextra -Werror -I"$source/include" "$1" "$build/libtrilobite.a" $libs -o program && ./program ;;
    *.py) python3 "$1" ;;
    esac || worked=1
    count $worked "$document: program $1"
}

for document in "$source"/README.md "$source"/docs/*.md "$source"/docs/how-to/*.md; do
    rm -rf work
    mkdir work
    cd work
    ln -s "$build" build
    build/trilobite-mascot mascot.nlm
    awk -v quote="'" '/^```/ {
            inside = inside == "" ? substr($0, 4) : ""
            split(inside, word, " ")
            file = ""
            if (word[1] == "c" || word[1] == "cpp" || word[1] == "python" || word[1] == "js")
                file = "example-" ++n "." (word[1] == "python" ? "py" : word[1])
            else if (word[2] != "") {
                file = ".block-" ++n
                print "$ cp " file " " quote word[2] quote >"console"
            }
            next
        }
        inside == "console" { print >"console" }
        file != "" { print >file }' "$document"
    [ ! -f console ] || run_console console
    for program in example-*; do
        case $program in
        *.c) has_main "$program" || continue ;;
        *.cpp)
            has_main "$program" || continue
            command -v c++ >/dev/null || { skipped="$skipped C++"; continue; }
            ;;
        *.py)
            command -v python3 >/dev/null || { skipped="$skipped Python"; continue; }
            if grep -q 'import trilobite' "$program"; then
                not_run "$program" "tests/packages does"
                continue
            fi
            ;;
        *.js)
            not_run "$program" "tests/packages does"
            continue
            ;;
        esac
        run_program "$program"
    done
    cd ..
done
[ -z "$skipped" ] || echo "skip samples: there is no$skipped"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
