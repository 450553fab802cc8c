# How everything in the tree is compiled.

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden) # what is public says TRILO_API
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Release or Debug" FORCE)
endif()

# -Werror; packagers with newer compilers can turn it off with --compile-no-warning-as-error.
if(NOT DEFINED CMAKE_COMPILE_WARNING_AS_ERROR)
    set(CMAKE_COMPILE_WARNING_AS_ERROR ON)
endif()

set(TRILO_WARNINGS -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wmissing-prototypes)
add_compile_options(
    "$<$<COMPILE_LANGUAGE:C>:${TRILO_WARNINGS}>" # the bench has a file of C++
    -ffp-contract=off # a fused multiply-add would give other bytes on other machines
    -fno-math-errno # a root is one instruction: nothing reads errno after it
    -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=) # __FILE__ tells nothing about this machine

# Files above 2 GiB, and directories of big disks, on 32-bit machines too.
add_compile_definitions(_FILE_OFFSET_BITS=64)

# The C library of Windows prints numbers differently; MinGW's own follows the standard. Its isfinite(double) has a
# branch for floats with a conversion, about which gcc warns; builds for other machines keep that warning.
if(MINGW)
    add_compile_definitions(__USE_MINGW_ANSI_STDIO=1)
    add_compile_options(-Wno-float-conversion)
endif()

# float-cast-overflow is undefined behaviour as well, but not part of "undefined".
set(sanitizers address,undefined,float-cast-overflow)

if(TRILO_SANITIZE)
    add_compile_definitions(TRILO_NO_AVX2) # release builds test the code for AVX2, clang's sanitizers in the fuzz targets too
    # -g1: enough for the lines of a report, and quicker to compile and link. -Og: with -O1 the tests take a tenth less
    # time, but compiling takes half as long again, which is more.
    add_compile_options(-fsanitize=${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer -Og -g1)
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
        # Undefined behaviour traps instead of describing itself: the descriptions are two thirds of an object, and the leak
        # check reads them at every exit. AddressSanitizer prints the line of the trap (handle_sigill in tests/CMakeLists.txt).
        add_compile_options(-fsanitize-undefined-trap-on-error)
        # Without relocations and symbols to look up the program starts in two thirds of the time, and tests start it often.
        add_link_options(-fsanitize=address -no-pie -static-libasan)
    else()
        add_link_options(-fsanitize=${sanitizers})
    endif()
endif()

if(TRILO_COVERAGE)
    add_compile_options(--coverage -fprofile-abs-path -O0)
    add_link_options(--coverage)
endif()

if(TRILO_FUZZ)
    # -fprofile-instrument: counters of every branch, which tests/support/effort.c adds up. They need no runtime. Not
    # -fprofile-instr-generate, for which ccache keeps one object for each build folder.
    add_compile_options(-fsanitize=${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer
                        "SHELL:-Xclang -fprofile-instrument=clang")
    add_link_options(-fsanitize=${sanitizers})
    if(TRILO_FUZZ_REPLAY)
        add_compile_options(-fsanitize-trap=undefined,float-cast-overflow) # as above; quicker to compile
    else()
        add_compile_options(-fsanitize=fuzzer-no-link)
    endif()
endif()
