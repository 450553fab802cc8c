# Manual pages and shell completions: the program writes them itself, from the table that also parses its options.

set(TRILO_MANUAL_DIR ${PROJECT_BINARY_DIR}/man)
set(TRILO_COMPLETION_DIR ${PROJECT_BINARY_DIR}/completions)
set(completions)
file(MAKE_DIRECTORY ${TRILO_COMPLETION_DIR})

foreach(shell bash zsh fish)
    set(completion ${TRILO_COMPLETION_DIR}/trilobite.${shell})
    add_custom_command(
        OUTPUT ${completion}
        COMMAND trilobite-cli --generate ${shell} > ${completion}
        DEPENDS trilobite-cli
        COMMENT "Writing the ${shell} completion"
        VERBATIM)
    list(APPEND completions ${completion})
endforeach()

# The folder is created anew, so that pages of removed commands do not stay.
add_custom_command(
    OUTPUT ${TRILO_MANUAL_DIR}/trilobite.1
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${TRILO_MANUAL_DIR}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${TRILO_MANUAL_DIR}
    COMMAND trilobite-cli --generate man ${TRILO_MANUAL_DIR}
    DEPENDS trilobite-cli
    COMMENT "Writing the manual pages"
    VERBATIM)

add_custom_target(manual ALL DEPENDS ${TRILO_MANUAL_DIR}/trilobite.1 ${completions})
