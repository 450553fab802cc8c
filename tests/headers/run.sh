#!/bin/sh
# run.sh INCLUDE_DIR CC WARNINGS: does each public header compile alone, twice in a row, as C11 and as C++11?
# Also as the compiler of Microsoft has it, which clang can be: without attributes, and with that compiler's rules.
# And do the values of every enumeration begin with the name of its type?
set -u
include=$1
cc=$2
warnings=$3
status=0
count=0

compile() { # header, command...
    header=$1
    shift
    printf '#include "%s"\n#include "%s"\n' "$header" "$header" | "$@" -I"$include" -Werror -fsyntax-only - && return
    echo "FAIL $header: $*"
    status=1
}

for path in "$include"/trilobite/*.h; do
    header=trilobite/${path##*/}
    # shellcheck disable=SC2086
    compile "$header" "$cc" -x c -std=c11 $warnings
    if command -v g++ >/dev/null; then
        compile "$header" g++ -x c++ -std=c++11 -Wall -Wextra -Wpedantic -Wconversion -Wshadow
    fi
    if command -v clang >/dev/null; then
        # -ffreestanding: stdint.h and the like are clang's own, as Microsoft's are not here
        for language in 'c -std=c11' 'c++ -std=c++14'; do
            # shellcheck disable=SC2086
            compile "$header" clang --target=x86_64-pc-windows-msvc -fms-compatibility -ffreestanding -Wall -Wextra -Wpedantic \
                "-D__attribute__(x)=attributes must be guarded" -x $language
        done
    fi
    astray=$(awk '
        /^typedef enum / { prefix = toupper($3) "_" }
        prefix {
            sub(/^typedef enum [a-z0-9_]+ \{/, "")
            gsub(/\/\*.*/, "")
            ends = sub(/\}.*/, "")
            for (n = split($0, words, /[^A-Za-z0-9_]+/); n > 0; n--)
                if (words[n] ~ /^TRILO_/ && index(words[n], prefix) != 1) print words[n]
            if (ends) prefix = ""
        }' "$path")
    if [ -n "$astray" ]; then
        echo "FAIL $header: without the name of their type: $astray"
        status=1
    fi
    count=$((count + 1))
    # The header that includes all the others must not forget one.
    if [ "$header" != trilobite/trilobite.h ] && ! grep -q "\"$header\"" "$include/trilobite/trilobite.h"; then
        echo "FAIL trilobite.h does not include $header"
        status=1
    fi
done
command -v g++ >/dev/null || echo "skip headers as C++: there is no g++"
command -v clang >/dev/null || echo "skip headers for Microsoft's compiler: there is no clang"
echo "$count headers"
[ $count -gt 0 ] || status=1
exit $status
