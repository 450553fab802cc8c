#!/bin/sh
# run.sh TEST SOURCE_DIR TRILOBITE MASCOT [BROWSER]: runs a test of the WebAssembly module or of the page with Node.js, if
# `make web` has built them from the sources as they are now.
set -u
here=$(cd "$(dirname "$0")" && pwd)
test=$1
web=$2/build/web
corpus=${TRILOBITE_CORPUS:-$2/../shared/corpus}

command -v node >/dev/null || { echo "skip $test: there is no node"; exit 77; }
[ -f "$web/trilobite.wasm" ] || { echo "skip $test: there is no $web/trilobite.wasm, make web builds it"; exit 77; }
newer=$(find "$2/src" "$2/include" "$2/cli" "$2/web/core" -name '*.[ch]' -newer "$web/trilobite.wasm" | head -n 1)
[ -z "$newer" ] || { echo "skip $test: $newer is newer than $web/trilobite.wasm, make web builds it again"; exit 77; }
exec node "$here/$test" "$3" "$4" "$web/trilobite.wasm" "$corpus" "${5:-}"
