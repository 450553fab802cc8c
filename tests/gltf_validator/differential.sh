#!/bin/sh
# differential.sh TRILOBITE DOCUMENT NODE_MODULES: does `check` find the errors that the Khronos validator finds? See
# differential.js.
set -u
here=$(cd "$(dirname "$0")" && pwd)
modules=${TRILOBITE_NODE_MODULES:-$3}
command -v node >/dev/null || { echo "skip gltf_differential: there is no node"; exit 77; }
[ -d "$modules/gltf-validator" ] || { echo "skip gltf_differential: gltf-validator is not installed (SETUP=all make test)"; exit 77; }
exec node "$here/differential.js" "$modules" "$1" "$2" "$(pwd)/mutants"
