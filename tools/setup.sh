#!/bin/sh
# setup.sh GROUP...: installs the Debian packages that a group needs and that are not there yet; for the tests also the
# Khronos glTF validator, from npm into build/node_modules.
# Does nothing, quickly, when all are there. Groups: build check bench test lint fuzz coverage.
set -eu

packages_of() {
    case $1 in
    build) echo gcc libc6-dev make cmake ninja-build pkg-config liblz4-dev libmeshoptimizer-dev \
        libspng-dev libturbojpeg0-dev ;;
    check) echo python3 ;;
    bench) echo libassimp-dev ;; # something to compare with
    lint) echo clang-format ;;
    fuzz) echo clang libclang-rt-14-dev llvm ;;
    # g++: the headers are compiled as C++ too; mips and qemu: a big-endian machine;
    # mandoc, bsdextrautils (col), zsh, fish: manual pages and completions; python3: is the JSON JSON?
    # golang-github-burntsushi-toml-dev: has the official TOML cases; parallel: docs/scale.md is tried out
    # wasi-libc: the library as one file is compiled as WebAssembly too; npm: for the validator; nodejs from elsewhere brings its own
    test) echo g++ gcc-mips-linux-gnu libc6-dev-mips-cross qemu-user mandoc bsdextrautils zsh fish python3 wasi-libc golang-github-burntsushi-toml-dev parallel \
        "$(command -v npm >/dev/null || echo nodejs npm)" "$(packages_of lint)" "$(packages_of fuzz)" ;;
    coverage) echo gcovr ;;
    *)
        echo "setup.sh: no group called $1; there are build, check, bench, test, lint, fuzz, coverage" >&2
        exit 2
        ;;
    esac
}

# Without it, its test is skipped.
install_validator() {
    build=$(cd "$(dirname "$0")/.." && pwd)/build
    [ ! -d "$build/node_modules/gltf-validator" ] || return 0
    command -v npm >/dev/null || return 0
    echo "setup.sh: installing gltf-validator" >&2
    mkdir -p "$build"
    npm install --prefix "$build" --no-save --no-package-lock --no-audit --no-fund --loglevel=error \
        gltf-validator@2.0.0-dev.3.10 >/dev/null || echo "setup.sh: there is no gltf-validator, its test is skipped" >&2
}

finish() {
    case " $groups " in
    *" test "*) install_validator ;;
    esac
    exit 0
}

groups=$*
wanted=
for group in "$@"; do
    wanted="$wanted $(packages_of "$group")"
done

if ! command -v dpkg-query >/dev/null; then
    echo "setup.sh: not a Debian system; on Debian these would be installed:$wanted" >&2
    finish
fi

# One question for all: a package that dpkg has never heard of is not in the answer.
# shellcheck disable=SC2086
there=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' $wanted 2>/dev/null || true)
missing=
for package in $wanted; do
    case "
$there
" in
    *"
installed $package
"*) ;;
    *) missing="$missing $package" ;;
    esac
done
[ -n "$missing" ] || finish

as_root=
if [ "$(id -u)" != 0 ]; then
    as_root=sudo
    if ! command -v sudo >/dev/null; then
        echo "setup.sh: as root, please: apt-get install$missing" >&2
        exit 1
    fi
fi
echo "setup.sh: installing$missing" >&2
apt() {
    # What goes wrong comes on stderr. The wait is for another apt that is at work.
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 "$@" >/dev/null
}
apt update
# shellcheck disable=SC2086
apt install --no-install-recommends $missing
finish
