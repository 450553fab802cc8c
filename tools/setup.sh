#!/bin/sh
# setup.sh GROUP...: installs the Debian packages that a group needs and that are not there yet; for the tests also the
# Khronos glTF validator, for the page what drives browsers, from npm into build/node_modules.
# Does nothing, quickly, when all are there. Groups: build check bench test web lint fuzz coverage
# packages.
set -eu

packages_of() {
    case $1 in
    build) echo gcc libc6-dev make cmake ninja-build pkg-config liblz4-dev libmeshoptimizer-dev \
        libspng-dev libturbojpeg0-dev libmicrohttpd-dev ;;
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
    # WebAssembly, and the browsers that the page is tried in
    web) echo clang lld wasi-libc libclang-rt-14-dev-wasm32 python3 chromium firefox-esr \
        "$(command -v npm >/dev/null || echo nodejs npm)" ;;
    coverage) echo gcovr ;;
    # what is packaged is also used: from C++, from Python
    packages) echo g++ python3 python3-venv python3-pip python3-setuptools python3-wheel \
        python3-cffi python3-numpy ;;
    *)
        echo "setup.sh: no group called $1; there are build, check, bench, test, web, lint, fuzz, coverage, packages" >&2
        exit 2
        ;;
    esac
}

# Without these packages their tests are skipped. npm removes what it is not asked for, so it is asked for those that are
# there too.
install_npm() {
    build=$(cd "$(dirname "$0")/.." && pwd)/build
    all=
    missing=
    for package in gltf-validator@2.0.0-dev.3.10:test puppeteer-core@24:web axe-core@4:web typescript@5:packages \
        jpeg-js@0.4.4:packages; do
        name=${package%:*}
        if [ -d "$build/node_modules/${name%@*}" ]; then
            all="$all $name"
            continue
        fi
        case " $groups " in
        *" ${package#*:} "*) all="$all $name" missing="$missing $name" ;;
        esac
    done
    [ -n "$missing" ] || return 0
    command -v npm >/dev/null || return 0
    echo "setup.sh: installing$missing" >&2
    mkdir -p "$build"
    # shellcheck disable=SC2086
    npm install --prefix "$build" --no-save --no-package-lock --no-audit --no-fund --loglevel=error $all >/dev/null ||
        echo "setup.sh:$missing could not be installed, the tests that need it are skipped" >&2
}

finish() {
    install_npm
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
