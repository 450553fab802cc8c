# For tools/line_map.py, as CMAKE_PROJECT_INCLUDE: the library notes which of its basic blocks run (seen.c). Not
# optimized, so that each line has blocks of its own; the tests and the program around it are as they always are.
add_library(seen OBJECT ${CMAKE_CURRENT_LIST_DIR}/seen.c)
link_libraries($<TARGET_OBJECTS:seen>)
cmake_language(DEFER CALL target_compile_options trilobite_objects PRIVATE -O0 -g1 -fsanitize-coverage=trace-pc)
