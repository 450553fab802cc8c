# trilobite-counted: the program, compiled so that it counts its steps (count.c), for the test `work`, and says how large its
# frames are (-fstack-usage), for the test `stack`. Hardly optimized, and the library in few large pieces:
# that is quick to compile. Included by the top folder, which knows how to compile each source.
if(NOT TARGET trilobite-cli OR NOT TRILO_SHARED OR NOT CMAKE_BUILD_TYPE STREQUAL "Release")
    return()
endif()
add_library(counted-library OBJECT EXCLUDE_FROM_ALL ${library_sources})
target_include_directories(counted-library PRIVATE include src)
target_compile_options(counted-library PRIVATE -include ${PROJECT_SOURCE_DIR}/tests/work/flood.h)
target_compile_definitions(counted-library PRIVATE _XOPEN_SOURCE=700) # what some sources ask for, before all of them
set_target_properties(counted-library PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 32 QUICK_TO_COMPILE ON)
add_library(counted-steps OBJECT EXCLUDE_FROM_ALL tests/work/count.c)
add_executable(trilobite-counted EXCLUDE_FROM_ALL $<TARGET_PROPERTY:trilobite-cli,SOURCES>)
target_include_directories(trilobite-counted PRIVATE include cli)
foreach(target counted-library trilobite-counted)
    target_compile_options(${target} PRIVATE -O1 -fsanitize-coverage=trace-pc -fno-builtin -fstack-usage)
endforeach()
set(wrapped memcpy memmove memset calloc memcmp strcmp strncmp strlen memchr realloc)
list(TRANSFORM wrapped PREPEND -Wl,--wrap=)
target_link_options(trilobite-counted PRIVATE ${wrapped})
target_link_libraries(trilobite-counted PRIVATE counted-library counted-steps m ${TRILO_OPTIONAL_LIBRARIES})
if(MICROHTTPD_FOUND)
    target_link_libraries(trilobite-counted PRIVATE PkgConfig::MICROHTTPD)
endif()
