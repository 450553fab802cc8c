#!/bin/sh
# run.sh BUILD_DIR DRIVER PRELOAD: all commands with one call of the C library failing at a time (driver.c). By default a
# sample of the calls; with TRILOBITE_TESTS=full each of them.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$1 driver=$2 preload=$3
[ "$(uname -s)" = Linux ] && LD_PRELOAD=$preload "$build/trilobite" formats >/dev/null 2>&1 || {
    echo "SKIP command_faults: needs Linux and the GNU C library"
    exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/fixtures" "$work/here"
cd "$work/fixtures"
"$build/trilobite-mascot" mascot.nlm >/dev/null
"$build/trilobite" convert -q mascot.nlm mascot.t3dm
"$build/trilobite" convert -q mascot.nlm mascot.glb
"$build/trilobite" convert -q --fps 12 mascot.nlm mascot.model
"$build/trilobite" extract -q --textures -o textures mascot.nlm >/dev/null
"$build/trilobite" sprite -q textures/mascot-0.png -o wall.sprite >/dev/null
printf '<html><!--trilobite:data--></html>\n' >page.html
mkdir models sprites
cp mascot.nlm models/one.nlm
cp mascot.glb models/two.glb
printf 'input = "models"\noutput = "out"\nto = "t3dm"\n' >models.toml
cd "$work/here"
commands=$here/commands
if "$build/trilobite" view nothing.t3dm 2>&1 | grep -q libmicrohttpd; then
    echo "skip view: there is no libmicrohttpd"
    grep -v '^| view ' "$commands" >"$work/commands"
    commands=$work/commands
fi
full=
[ "${TRILOBITE_TESTS:-}" != full ] || full=full
# shellcheck disable=SC2086
"$driver" "$build/trilobite" "$preload" "$work/fixtures" "$commands" $full
