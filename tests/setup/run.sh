#!/bin/sh
# run.sh SOURCE_DIR: do tools/setup.sh and tools/build show progress while they work, and do `make demo` and `make test`
# install no more than they need? apt-get, dpkg-query and cmake are stand-ins here, so nothing is installed or built.
set -eu
source=$1
rm -rf setup-test
mkdir -p setup-test/bin
cd setup-test
failed=0

fail() {
    echo "FAIL $1"
    failed=$((failed + 1))
}

# wait_for TEXT: waits until the tool has shown TEXT, for up to two seconds.
cat >bin/wait_for <<'END'
#!/bin/sh
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    ! grep -q "$1" shown || exit 0
    sleep 0.1
done
echo "$1" >>late
END
cat >bin/dpkg-query <<'END'
#!/bin/sh
exit 1
END
cat >bin/apt-get <<'END'
#!/bin/sh
case "$*" in
*update*) wait_for 'updating the list of packages' ;;
*)
    echo "$*" >>asked
    echo '0 upgraded, 25 newly installed, 0 to remove and 0 not upgraded.'
    echo 'Need to get 75.5 MB of archives.'
    wait_for '25 packages, 75.5 MB to download'
    for n in $(seq 25); do echo "Get:$n package"; done
    wait_for '20 of 25 packages downloaded'
    for n in $(seq 25); do echo "Setting up package$n ..."; done
    wait_for '20 of 25 packages installed'
    ;;
esac
END
printf '#!/bin/sh\necho 0\n' >bin/id
cat >bin/cmake <<'END'
#!/bin/sh
for n in $(seq 60); do echo "@$n/75 Building C object $n"; done
wait_for 'built 50 of 75'
printf '%s\n' 'a.c:1: warning: \n is shown as it is'
exit 3
END
chmod +x bin/*
PATH=$PWD/bin:$PATH
export PATH

check_progress() { # what it is
    [ ! -f late ] || fail "$1 shows too late: $(cat late)"
    rm -f late
}

: >shown
SETUP= "$source/tools/setup.sh" build test >shown 2>&1 || fail "setup.sh ends with an error"
check_progress setup.sh
for package in npm nodejs chromium firefox-esr wasi-libc lld libassimp-dev libmicrohttpd-dev zsh fish mandoc wine blender lintian; do
    ! grep -qw -e "$package" asked || fail "make demo or make test installs $package"
done
sed -n '/^demo:/,/^$/p; /^test:/,/^$/p' "$source/Makefile" | grep -o 'setup.sh .*' | sort -u >groups
[ "$(cat groups)" = 'setup.sh build
setup.sh build test' ] || fail "the Makefile installs other groups: $(cat groups)"

# tools/build works in the folder above its own.
mkdir tools
cp "$source/tools/build" tools
: >shown
code=0
tools/build release >shown 2>&1 || code=$?
check_progress build
[ $code = 3 ] || fail "build ends with $code instead of cmake's exit code"
grep -qF 'warning: \n is shown as it is' shown || fail "build hides a warning"

echo "$failed failed"
[ $failed = 0 ]
