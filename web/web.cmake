# trilobite.wasm: the library, the program and the sample model for browsers and Node.js. Files are in memory, images are
# decoded by the host, and one instance is one session.
file(GLOB_RECURSE program_sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} cli/*.c)
list(FILTER program_sources EXCLUDE REGEX "^cli/system(_windows)?\\.c$")
file(GLOB mascot_sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} samples/*.c)
file(GLOB web_sources CONFIGURE_DEPENDS web/core/*.c)

add_executable(trilobite_wasm ${program_sources} ${mascot_sources} ${web_sources} $<TARGET_OBJECTS:trilobite_objects>)
set_target_properties(trilobite_wasm PROPERTIES OUTPUT_NAME trilobite SUFFIX .wasm)
set_source_files_properties(cli/main.c PROPERTIES COMPILE_DEFINITIONS main=trilobite_main)
set_source_files_properties(samples/mascot.c PROPERTIES COMPILE_DEFINITIONS main=mascot_main)
set_source_files_properties(${mascot_sources} PROPERTIES INCLUDE_DIRECTORIES ${PROJECT_SOURCE_DIR}/samples)
# Only drawing, playing and decoding are optimized for speed. Checks, rules, dumps, encoders and the program are as small as
# possible; readers, images, queries, what prepares a frame, and the searches for batches and keys somewhat less, which does
# not slow them down.
file(GLOB_RECURSE small_sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} src/api/*.c src/layout/*.c
     src/formats/*_check*.c src/formats/*_rules.c src/formats/*_dump.c src/formats/*_layout.c src/formats/*_describe.c
     src/formats/*/check/*.c src/formats/*/cost/*.c src/formats/*/encode/*.c src/formats/*/fast64/*.c
     src/formats/*/pyrite64/*.c src/formats/*/tune/*.c src/formats/*_encode.c src/import/*.c src/anim/clip*.c
     src/base/report.c src/base/toml*.c src/model/check.c src/model/edit.c src/model/pbr.c src/model/resize.c
     src/model/sections.c src/model/visibility.c src/formats/*_version.c src/formats/*_cost.c src/formats/*/gfx_text.c)
file(GLOB_RECURSE cold_sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} src/base/json*.c src/base/number*.c
     src/base/[pr]*.c src/base/te*.c src/model/[cio]*.c src/n64/[cmpt]*.c src/formats/gltf/decode/*.c src/container/*.c
     src/formats/*/file/*.c src/formats/*_read.c src/formats/*_write.c src/image/sprite/*.c src/optimize/*.c
     src/formats/*/animation/*.c src/query/*.c src/image/*.c src/raster/camera.c src/raster/checkerboard.c src/raster/draw_uv.c
     src/raster/overlay.c src/raster/pipeline_state.c src/raster/renderer.c src/raster/console/video.c)
set_source_files_properties(${cold_sources} PROPERTIES COMPILE_OPTIONS -Os)
set_source_files_properties(${program_sources} ${mascot_sources} ${web_sources} ${small_sources} PROPERTIES COMPILE_OPTIONS -Oz)
set_property(SOURCE cli/main.c samples/mascot.c APPEND PROPERTY COMPILE_OPTIONS -Wno-missing-prototypes)
target_include_directories(trilobite_wasm PRIVATE include cli src)
target_link_libraries(trilobite_wasm PRIVATE m)
# -O0: otherwise clang runs wasm-opt where binaryen is installed, which fails on SIMD without the section that -s removes.
# Its gain (no time, 3 % of the size) is not worth a module that depends on the machine.
target_link_options(trilobite_wasm PRIVATE -O0 -Wl,-O2 -mexec-model=reactor -Wl,-z,stack-size=1048576 -Wl,--stack-first -Wl,-s
                    -Wl,--gc-sections -Wl,-Map=${PROJECT_BINARY_DIR}/linked.map) # the map is for tools/write_sbom
