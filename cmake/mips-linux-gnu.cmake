# A big-endian, 32-bit machine, to find errors of byte order and of size_t.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR mips)
set(CMAKE_C_COMPILER mips-linux-gnu-gcc)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-mips)
# Static, so that the emulator needs no MIPS system around the program.
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
