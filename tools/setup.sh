#!/bin/sh
# setup.sh [--check] GROUP...: installs the Debian packages of the groups that are not there yet. Does nothing, quickly,
# when all are there. Groups: tools libraries build extras web static windows deb check test lint
# fuzz bench coverage release packages all.
#
# As root it installs at once; a user is asked first, once. SETUP=yes answers that question, SETUP=no installs nothing,
# SETUP=all installs the group `all`, too: what only some tests need.
# --check installs nothing and lists what is missing: exit 1 when a program that the build needs is missing.
set -eu

packages_of() {
    case $1 in
    tools) echo gcc libc6-dev make cmake ninja-build pkg-config ;;
    libraries) echo liblz4-dev libmeshoptimizer-dev libspng-dev libturbojpeg0-dev ;; # optional
    build) echo "$(packages_of tools) $(packages_of libraries)" ;;
    # optional, too, but never installed for the tests alone: the server of `trilobite view`, formats of other programs
    extras) echo libmicrohttpd-dev libassimp-dev ;;
    # WebAssembly, and the browsers that the page is tried in; nodejs from elsewhere brings its own npm
    web) echo clang lld wasi-libc libclang-rt-14-dev-wasm32 python3 chromium firefox-esr \
        "$(command -v npm >/dev/null || echo nodejs npm)" ;;
    static) echo libpng-dev zlib1g-dev xz-utils ;; # Debian has no libspng to link statically
    deb) echo dpkg-dev binutils xz-utils ;;
    windows) echo gcc-mingw-w64-x86-64 python3 wine wine64 ;; # wine runs what was built
    check) echo python3 ;;
    lint) echo gcc libc6-dev clang-format clang-tidy cppcheck ;;
    fuzz) echo clang libclang-rt-14-dev llvm ;;
    # ccache: unchanged files are not compiled again; g++: the headers are compiled as C++ too; mips and qemu: a big-endian
    # machine; python3: validates JSON
    test) echo ccache g++ gcc-mips-linux-gnu libc6-dev-mips-cross qemu-user python3 clang-format "$(packages_of fuzz)" ;;
    # Tests that need these are skipped without them. mandoc, bsdextrautils (col), zsh, fish: manual pages and completions;
    # golang-github-burntsushi-toml-dev has the official TOML cases; parallel: runs the examples of docs/scale.md;
    # python3-jsonschema: what --json prints is validated
    all) echo mandoc bsdextrautils zsh fish golang-github-burntsushi-toml-dev parallel python3-jsonschema "$(packages_of packages)" "$(packages_of extras)" "$(packages_of web)" "$(packages_of bench)" ;;
    bench) echo libassimp-dev libembree-dev libosmesa6-dev libtinygltf-dev g++ ;; # something to compare with
    coverage) echo gcovr ;;
    release) echo "$(packages_of static)" "$(packages_of windows)" "$(packages_of deb)" git python3 python3-setuptools python3-wheel ;;
    # what is packaged is also used: from C++, from Python, from Blender, from a file manager
    packages) echo "$(packages_of release)" lintian shared-mime-info libglib2.0-bin blender g++ clang python3-venv python3-pip \
        python3-cffi python3-numpy mypy ;;
    *)
        echo "setup.sh: no group called $1; there are tools, libraries, build, extras, web, static, windows, deb, check, test, lint, fuzz, bench," \
            "coverage, release, packages, all" >&2
        exit 2
        ;;
    esac
}

# The Khronos glTF validator and what drives browsers, from npm into build/node_modules. Without them their tests are
# skipped.
install_modules() {
    modules='gltf-validator@2.0.0-dev.3.10 puppeteer-core@24 axe-core@4 typescript@5 jpeg-js@0.4.4
        kaitai-struct-compiler@0.11.0 kaitai-struct@0.11.0 js-yaml@4'
    build=$(cd "$(dirname "$0")/.." && pwd)/build
    absent=
    for module in $modules; do
        [ -d "$build/node_modules/${module%@*}" ] || absent="$absent $module"
    done
    [ -n "$absent" ] && command -v npm >/dev/null || return 0
    echo "setup.sh: installing$absent" >&2
    mkdir -p "$build"
    # npm removes packages that are not listed, so all are listed.
    # shellcheck disable=SC2086
    npm install --prefix "$build" --no-save --no-package-lock --no-audit --no-fund --loglevel=error $modules >/dev/null ||
        echo "setup.sh:$absent could not be installed, the tests that need it are skipped" >&2
}

# missing_of GROUP...: the packages that are not installed.
missing_of() {
    wanted=
    for group in "$@"; do
        wanted="$wanted $(packages_of "$group")"
    done
    # One query for all: a package that dpkg does not know is not in the output.
    # shellcheck disable=SC2086
    there=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' $wanted 2>/dev/null || true)
    for package in $wanted; do
        case "
$there
" in
        *"
installed $package
"*) ;;
        *) printf ' %s' "$package" ;;
        esac
    done
}

# --check: tests for the programs that the build needs, so that it is correct on every system.
check_only() {
    absent=
    for program in cc cmake ninja; do
        command -v $program >/dev/null || absent="$absent $program"
    done
    if [ -n "$absent" ]; then
        echo "setup.sh: not found:$absent. On Debian, \`make setup\` installs what the build needs: $(packages_of build)" >&2
        exit 1
    fi
    command -v dpkg-query >/dev/null || exit 0
    missing=$(missing_of libraries extras)
    [ -z "$missing" ] || echo "setup.sh: building without optional libraries; \`make setup\` installs$missing" >&2
    exit 0
}

# Reads what apt prints and shows some of it. Not in awk: mawk, Debian's, waits for 4096 bytes of its input.
report_progress() {
    total= downloaded=0 installed=0
    echo "setup.sh: updating the list of packages"
    while IFS= read -r line; do
        case $line in
        *' newly installed'*) total=${line#*, } total=${total%% *} ;;
        'Need to get '*)
            line=${line#Need to get }
            echo "setup.sh: $total packages, ${line%% of archives*} to download"
            ;;
        Get:*)
            [ -n "$total" ] || continue
            downloaded=$((downloaded + 1))
            [ $((downloaded % 20)) != 0 ] || echo "setup.sh: $downloaded of $total packages downloaded"
            ;;
        'Setting up '*)
            installed=$((installed + 1))
            [ $((installed % 20)) != 0 ] || echo "setup.sh: $installed of $total packages installed"
            ;;
        esac
    done
}

install() {
    as_root=
    if [ "$(id -u)" != 0 ]; then
        as_root=sudo
        if ! command -v sudo >/dev/null; then
            echo "setup.sh: as root, please: apt-get install --no-install-recommends$missing" >&2
            exit 1
        fi
        if [ "${SETUP:-}" = "" ]; then
            if ! [ -t 0 ]; then
                echo "setup.sh: SETUP=yes installs$missing" >&2
                exit 1
            fi
            printf 'setup.sh: install%s? [y/N] ' "$missing" >&2
            read -r answer
            case $answer in [yY]*) ;; *) exit 1 ;; esac
        fi
    fi
    echo "setup.sh: installing$missing" >&2
    # Errors are printed on stderr. The timeout waits for another apt that is running.
    apt="$as_root env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300"
    status=$(mktemp)
    # shellcheck disable=SC2086
    {
        code=0
        { $apt update && $apt install --no-install-recommends $missing; } || code=$?
        echo $code >"$status"
    } | report_progress >&2
    code=$(cat "$status")
    rm -f "$status"
    return "$code"
}

[ "${1:-}" != --check ] || check_only
[ "${SETUP:-}" != all ] || set -- "$@" all
if ! command -v dpkg-query >/dev/null; then
    echo "setup.sh: not a Debian system; on Debian these would be installed: $(for group in "$@"; do packages_of "$group"; done | tr '\n' ' ')" >&2
else
    missing=$(missing_of "$@")
    if [ -n "$missing" ] && [ "${SETUP:-}" = no ]; then
        echo "setup.sh: not installed, as SETUP=no says:$missing" >&2
    elif [ -n "$missing" ]; then
        install
    fi
fi
case " $* " in
*" all "* | *" web "* | *" packages "*) install_modules ;;
esac
