#!/bin/sh
# run.sh LINT_LAYERS: does the lint see each thing it is there to see? Every case is a tree of one file, for lint_symbols
# two object files, for lint_bugs one file.
set -u
lint=$1
status=0
count=0

try() { # path, content: the lint's answer is in $said
    rm -rf tree
    mkdir -p "tree/${1%/*}"
    printf '%b\n' "$2" >"tree/$1"
    said=$("$lint" tree 2>&1)
    code=$?
    count=$((count + 1))
}

refused() { # path, content, LINE: RULE that the answer must hold
    try "$1" "$2"
    case "$code $said" in
    "1 $1:$3"*) ;;
    *)
        echo "FAIL $1 with '$2' must be refused with $3; exit $code, said: $said"
        status=1
        ;;
    esac
}

accepted() { # path, content
    try "$1" "$2"
    [ "$code" = 0 ] && [ -z "$said" ] && return
    echo "FAIL $1 with '$2' must be accepted; exit $code, said: $said"
    status=1
}

refused src/base/x.c '#include "layout/layout.h"' '1: include: base may not include layout'
refused src/layout/x.c '\n#include "model/model.h"' '2: include: layout may not include model'
refused src/layout/x.c '#include "n64/combiner.h"' '1: include: layout may not include n64'
refused src/n64/x.c '#include "model/target.h"' '1: include: n64 may not include model'
refused src/n64/x.c '#include "raster/combine.h"' '1: include: n64 may not include raster'
refused src/model/x.c '#include "formats/nlm/nlm.h"' '1: include: model may not include formats/nlm'
refused src/formats/nlm/x.c '#include "formats/t3dm/t3dm.h"' '1: include: formats/nlm may not include formats/t3dm'
refused src/formats/nlm/x.c '#include "api/registry.h"' '1: include: formats/nlm may not include api'
refused src/formats/nlm/nlm_decode.c '#include "optimize/weld.h"' '1: include: formats/nlm may not include optimize'
refused src/formats/nlm/decode/x.c '#include "optimize/weld.h"' '1: include: formats/nlm may not include optimize'
refused src/optimize/x.c '#include "container/dca.h"' '1: include: optimize may not include container'
refused src/anim/x.c '  #  include  "raster/x.h"' '1: include: anim may not include raster'
refused src/query/x.c '#include "anim/x.h"' '1: include: query may not include anim'
refused src/anim/x.c '#include <api/x.h>' '1: include: anim may not include api'
refused src/formats/nlm/x.c '#include "api/file/io.h"' '1: include: formats/nlm may not include api'
refused src/base/x.c '#include "cli/ui.h"' '1: include: cli/ui.h is in no known layer'
refused src/base/x.c '#include "../api/x.h"' '1: include: no . or ..'
refused src/api/x.c '#include <unistd.h>' '1: system: only src/base/os_*.c'
refused src/base/x.c '#include <windows.h>' '1: system: only src/base/os_*.c'
refused src/base/os.c '#include <sys/stat.h>' '1: system: only src/base/os_*.c'
accepted src/base/os_posix.c '#include <sys/stat.h>'
refused src/base/x.c 'static int __attribute__((unused)) x;' '1: compiler: not all compilers'
refused include/trilobite/x.h 'int x(void) __attribute__((pure));' '1: compiler: not all compilers'
refused cli/x.c 'int y = __builtin_ctz(4);' '1: compiler: not all compilers'
accepted src/base/compiler.h '#define TL_X __attribute__((unused))'
refused src/misc/x.c 'int x;' '1: layer: misc is no known layer'
refused src/x.c 'int x;' '1: layer: x.c is no known layer'
refused include/trilobite/x.h '#include "base/arena.h"' '1: include: a public header'
refused cli/x.c '#include "base/arena.h"' '1: include: cli sees only'
refused cli/x.c '#include <base/arena.h>' '1: include: cli sees only'
refused samples/x.c '#include "model/model.h"' '1: include: samples sees only'
refused src/base/x.c '#include "trilobite/model.h"' '1: include: base may not include trilobite/model.h of model'
refused src/model/x.c '#include "trilobite/player.h"' '1: include: model may not include trilobite/player.h of anim'
refused src/formats/t3dm/x.c '#include "trilobite/nlm.h"' '1: include: formats/t3dm may not include trilobite/nlm.h of'
refused src/formats/t3dm/x.c '#include "trilobite/convert.h"' '1: include: formats/t3dm may not include trilobite/convert'
refused src/api/x.c '#include "trilobite/trilobite.h"' '1: include: trilobite/trilobite.h is in no known layer'
accepted src/formats/t3dm/x.c '#include "trilobite/t3dm.h"\n#include "trilobite/write.h"'
accepted src/base/x.c '#include "base/arena.h"\n#include "x.h"\n#include "trilobite/core.h"\n#include <string.h>'
accepted src/base/x.c '/* once was\n#include "api/x.h"\n*/'
accepted src/layout/x.c '#include "base/arena.h"'
accepted src/n64/x.c '#include "n64/combiner.h"\n#include "base/text.h"\n#include "layout/layout.h"\n#include "trilobite/n64.h"'
accepted src/model/x.c '#include "n64/combiner.h"'
accepted src/raster/x.c '#include "n64/combiner.h"'
accepted src/formats/nlm/nlm_read.c '#include "formats/nlm/nlm.h"\n#include "container/dca.h"\n#include "model/x.h"'
accepted src/formats/nlm/encode/x.c '#include "optimize/weld.h"'
accepted src/api/x.c '#include "formats/nlm/nlm.h"\n#include "anim/x.h"\n#include "base/x.h"'
accepted src/api/file/x.c '#include "api/convert/x.h"\n#include "api/x.h"\n#include "formats/nlm/nlm.h"'
accepted src/api/x.c '#include "api/file/x.h"'
accepted cli/x.c '#include "trilobite/trilobite.h"\n#include "ui.h"\n#include <sys/stat.h>'
accepted tests/unit/test_x.c '#include "base/arena.h"\n#include "harness.h"'

refused src/base/x.c 'int f(void)\n{\n    return printf("x");\n}' '3: stdio'
refused src/model/x.c 'x = fopen(path, mode);' '1: stdio'
refused src/model/x.h 'void f(FILE *file);' '1: stdio'
refused src/model/x.c 'fflush(stderr);' '1: stdio'
accepted src/model/x.c 'n = snprintf(b, 4, "printf(%d)", 1); /* fopen( */ // FILE *\nint f(int) FORMAT(printf, 1, 2);'
refused src/api/x.c 'FILE *f = fopen(path, mode);' '1: stdio: only src/api/file'
refused src/api/convert/x.c 'FILE *f = fopen(path, mode);' '1: stdio: only src/api/file'
accepted src/api/file/x.c 'FILE *f = fopen(path, mode);'
accepted cli/x.c 'printf("x");'

refused src/api/x.c 'assert(x);' '1: exit'
refused src/base/x.c 'if (x) abort ();' '1: exit'
refused src/base/x.c 'c = q ? \0047"\0047 : 0; exit(1); /* " */' '1: exit'
accepted src/base/x.c '_Static_assert(1, "exit(");\ntl_exit(1);'

refused src/base/x.c "$(awk 'BEGIN { for (i = 0; i < 1001; i++) print "int x;" }')" '1001: size'
accepted src/base/x.c "$(awk 'BEGIN { for (i = 0; i < 1000; i++) print "int x;" }')"

try empty/x.txt ''
[ "$code" = 1 ] || { echo "FAIL a tree without sources must not pass"; status=1; }

# The same for calls: tools/lint_symbols over objects of sources that exist.
calls() { # file, callee's file: one calls a function of the other; the lint's answer is in $said
    rm -rf tree
    mkdir -p "tree/tools" "tree/${1%/*}" "tree/${2%/*}" "tree/objects/${1%/*}" "tree/objects/${2%/*}"
    cp "${lint%/*}/lint_symbols" "${lint%/*}/layers.awk" tree/tools
    echo 'void tl_callee(void); void tl_caller(void); void tl_caller(void) { tl_callee(); }' >"tree/$1"
    echo 'void tl_callee(void); void tl_callee(void) { }' >"tree/$2"
    "${CC:-cc}" -c "tree/$1" -o "tree/objects/$1.o" && "${CC:-cc}" -c "tree/$2" -o "tree/objects/$2.o" || status=1
    said=$(tree/tools/lint_symbols tree/objects 2>&1)
    code=$?
    count=$((count + 1))
}

calls src/formats/t3dm/decode/x.c src/anim/y.c
[ "$code $said" = "1 src/formats/t3dm/decode/x.c: calls tl_callee of src/anim/y.c" ] ||
    { echo "FAIL a format must not call anim: exit $code, said: $said"; status=1; }
calls src/formats/t3dm/decode/x.c src/optimize/y.c
[ "$code" = 1 ] || { echo "FAIL what reads a format must not call optimize: exit $code"; status=1; }
calls src/formats/t3dm/encode/x.c src/optimize/y.c
[ "$code $said" = "0 " ] || { echo "FAIL what writes a format may call optimize: exit $code, said: $said"; status=1; }
calls src/anim/x.c src/model/y.c
[ "$code $said" = "0 " ] || { echo "FAIL anim may call model: exit $code, said: $said"; status=1; }
rm tree/src/model/y.c
tree/tools/lint_symbols tree/objects >/dev/null 2>&1 && { echo "FAIL no calls must not pass"; status=1; }

# The analysers, where they are installed: each finds the mistake.
cat >mistakes.c <<'EOF'
#include <stdlib.h>
char *copy(const char *s, int n);
char *copy(const char *s, int n)
{
    char *p = malloc(10);
    if (!p)
        return NULL;
    if (n)
        free(p);
    p[0] = s[0];
    return p;
}
EOF
said=$("${lint%/*}/lint_bugs" "$PWD/mistakes.c" 2>&1) && { echo "FAIL mistakes must not pass"; status=1; }
for pair in gcc=-Wanalyzer-use-after-free cppcheck=cppcheck-deallocret clang-tidy=clang-analyzer-unix.Malloc; do
    count=$((count + 1))
    command -v "${pair%%=*}" >/dev/null || continue
    case $said in
    *"[${pair#*=}]"*) ;;
    *)
        echo "FAIL ${pair%%=*} must find ${pair#*=}, said: $said"
        status=1
        ;;
    esac
done

echo "$count cases"
exit $status
