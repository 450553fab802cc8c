# Targets; CMake does the work. `make` builds the program, build/trilobite.
PREFIX ?= /usr/local
DESTDIR ?=
# How many seconds of processor time `make fuzz` gives each target, a folder with more inputs to start from, and the
# targets (all if empty).
FUZZ_SECONDS ?= 60
FUZZ_SEEDS ?=
FUZZ_TARGETS ?=
# How many faults `make mutate` inserts, and the seed that selects them.
MUTANTS ?= 200
SEED ?= 1
export DESTDIR FUZZ_TARGETS

# Tests compile the library several times. With ccache, what has not changed since it was last compiled, in any folder,
# is not compiled again. CMake takes the launcher from the environment when it configures a build for the first time.
web test test-full coverage: export CMAKE_C_COMPILER_LAUNCHER = $(shell command -v ccache)
export CCACHE_BASEDIR := $(CURDIR)
export CCACHE_NOHASHDIR := 1

.PHONY: all setup web npm static windows deb release demo check test test-full test-packages amalgamation bench fuzz install docs lint mutate coverage clean

# Installs nothing, and reports what is missing.
all:
	@tools/setup.sh --check
	@cmake --preset release >/dev/null
	@tools/build release

# What the build needs, with the optional libraries; SETUP=all: what any test needs, too.
setup:
	@tools/setup.sh build extras

# The targets below install what they need first; the set-up script does nothing when it is there.

# build/web/trilobite.wasm and the page made of it, build/web/trilobite.html.
web:
	@tools/setup.sh build web
	@tools/build_web

# The npm package, build/trilobite-VERSION.tgz.
npm: web
	@tools/build_npm

# One program for any Linux: build/trilobite-VERSION-linux-MACHINE.tar.xz.
static:
	@tools/setup.sh build web static
	@tools/build_web
	@tools/build_static

# The program for 64-bit Windows: build/trilobite-VERSION-windows-x86_64.zip.
windows:
	@tools/setup.sh build web windows
	@tools/build_web
	@tools/build_windows

# Debian packages: the program, the library, what programs compile against.
deb: setup all
	@tools/setup.sh deb
	@tools/build_deb

# All packages, with checksums and a bill of materials: build/release. The same bytes from the same source.
release:
	@tools/setup.sh build extras web release
	@tools/build_web
	@$(MAKE) --no-print-directory all
	@tools/build_release

demo:
	@tools/setup.sh build
	@$(MAKE) --no-print-directory all
	@tools/demo build

test:
	@tools/setup.sh build test
	@tools/build_web --if-possible
	@tools/run_tests sanitize release fuzz-replay big-endian

# For use while working: the tests closest to what changed, in half a minute.
check:
	@tools/setup.sh build check
	@tools/check

# Builds, installs and uses every package. Those whose tools are missing are left out.
define test_all_packages
	@$(MAKE) --no-print-directory all
	@tools/build_release --if-possible
	@tools/test_packages
endef

# The same tests with every round of their long loops (tests/harness.h), then the packages, as far as their tools are
# there.
test-full:
	@tools/setup.sh build test
	@tools/build_web --if-possible
	@TRILOBITE_TESTS=full tools/run_tests sanitize release fuzz-replay big-endian
	$(test_all_packages)

# Minutes, and not part of `make test`.
test-packages:
	@tools/setup.sh build extras web packages
	@tools/build_web --if-possible
	$(test_all_packages)

# The library without its optional dependencies as two files.
amalgamation:
	@tools/amalgamate build/amalgamation

# Without the packages there is less to compare with.
bench:
	-@tools/setup.sh build bench
	@$(MAKE) --no-print-directory all
	@build/trilobite-bench

fuzz:
	@tools/setup.sh build fuzz
	@cmake --preset fuzz >/dev/null
	@cmake --build --preset fuzz
	@tools/run_fuzz $(FUZZ_SECONDS) $(FUZZ_SEEDS)

install: all
	@cmake --install build --prefix "$(PREFIX)"
	@# Tell the dynamic linker, where that is ours to do.
	@[ -n "$(DESTDIR)" ] || [ "$$(id -u)" != 0 ] || ldconfig

# The generated documents in docs/, and all of them as a site, build/docs/index.html.
docs: all
	@tools/make_docs build/trilobite docs
	@tools/make_site . build/docs

lint:
	@tools/setup.sh lint
	@tools/lint_layers
	@tools/lint_format
	@tools/lint_bugs
	@echo "lint: layers and layout are as they should be, and the analysers have nothing to say"

# Mutation testing: whether the tests detect faults. SEED selects others.
mutate:
	@tools/setup.sh build test
	@tools/mutate $(MUTANTS) $(SEED)

coverage:
	@tools/setup.sh build test coverage
	@tools/run_tests coverage
	@mkdir -p build/coverage/html
	@gcovr --root . --filter src/ --filter cli/ --print-summary --txt build/coverage/summary.txt \
	    --html-details build/coverage/html/index.html build/coverage
	@echo "lines: build/coverage/summary.txt, build/coverage/html/index.html"

clean:
	rm -rf build
