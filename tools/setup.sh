#!/bin/sh
# setup.sh GROUP...: installs the Debian packages that a group needs and that are not there yet.
# Does nothing, quickly, when all are there. Groups: build bench test lint fuzz coverage.
set -eu

packages_of() {
    case $1 in
    build) echo gcc libc6-dev make cmake ninja-build pkg-config liblz4-dev ;;
    bench) echo libassimp-dev ;; # something to compare with
    lint) echo clang-format ;;
    fuzz) echo clang libclang-rt-14-dev llvm ;;
    # g++: the headers are compiled as C++ too; mips and qemu: a big-endian machine;
    # mandoc, bsdextrautils (col), zsh, fish: manual pages and completions; python3: is the JSON JSON?
    test) echo g++ gcc-mips-linux-gnu libc6-dev-mips-cross qemu-user mandoc bsdextrautils zsh fish python3 \
        "$(packages_of lint)" "$(packages_of fuzz)" ;;
    coverage) echo gcovr ;;
    *)
        echo "setup.sh: no group called $1; there are build, bench, test, lint, fuzz, coverage" >&2
        exit 2
        ;;
    esac
}

wanted=
for group in "$@"; do
    wanted="$wanted $(packages_of "$group")"
done

if ! command -v dpkg-query >/dev/null; then
    echo "setup.sh: not a Debian system; on Debian these would be installed:$wanted" >&2
    exit 0
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
[ -n "$missing" ] || exit 0

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
