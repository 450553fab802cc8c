# What `make install` puts where. All of it can be moved afterwards: no file contains the prefix. The components are
# what packages are made of: `program`, `library` (the shared one) and `development`.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Trilobite)
set(libraries trilobite_static)
if(TARGET trilobite)
    list(APPEND libraries trilobite)
endif()

install(TARGETS ${libraries} EXPORT TrilobiteTargets
        ARCHIVE COMPONENT development
        RUNTIME COMPONENT library
        LIBRARY COMPONENT library NAMELINK_COMPONENT development)
install(EXPORT TrilobiteTargets NAMESPACE Trilobite:: DESTINATION ${package_dir} COMPONENT development)
install(DIRECTORY include/trilobite DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development FILES_MATCHING
        PATTERN "*.h" PATTERN "*.hpp")

configure_package_config_file(cmake/TrilobiteConfig.cmake.in TrilobiteConfig.cmake INSTALL_DESTINATION ${package_dir})
# Before 1.0 a minor version may change anything.
write_basic_package_version_file(TrilobiteConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/TrilobiteConfig.cmake ${PROJECT_BINARY_DIR}/TrilobiteConfigVersion.cmake
        DESTINATION ${package_dir} COMPONENT development)

# From the folder of trilobite.pc up to the prefix.
file(RELATIVE_PATH TRILO_PC_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
# What a program also needs when it links the static library.
set(TRILO_PC_PRIVATE -lm)
if(LZ4_FOUND)
    string(APPEND TRILO_PC_PRIVATE " -llz4")
endif()
if(SPNG_FOUND)
    string(APPEND TRILO_PC_PRIVATE " -lspng")
endif()
if(LIBPNG_FOUND)
    string(APPEND TRILO_PC_PRIVATE " -lpng -lz")
endif()
if(JPEG_FOUND)
    string(APPEND TRILO_PC_PRIVATE " -lturbojpeg")
endif()
if((ASSIMP_FOUND OR MESHOPT_FILE) AND CMAKE_DL_LIBS)
    string(APPEND TRILO_PC_PRIVATE " -l${CMAKE_DL_LIBS}")
endif()
configure_file(cmake/trilobite.pc.in trilobite.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/trilobite.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
        COMPONENT development)

if(TARGET trilobite-cli)
    install(TARGETS trilobite-cli COMPONENT program)
    # The name that projects for Tiny3D call their converter by. A relative link, valid wherever the folder is moved.
    install(CODE "
        set(bin \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}\")
        file(CREATE_LINK trilobite${CMAKE_EXECUTABLE_SUFFIX} \"\${bin}/gltf_to_t3d${CMAKE_EXECUTABLE_SUFFIX}\" SYMBOLIC)
        message(STATUS \"Linking: \${bin}/gltf_to_t3d${CMAKE_EXECUTABLE_SUFFIX}\")"
        COMPONENT program)
    install(DIRECTORY ${TRILO_MANUAL_DIR}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program FILES_MATCHING PATTERN "*.1")
    install(FILES ${TRILO_COMPLETION_DIR}/trilobite.bash RENAME trilobite
            DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
    install(FILES ${TRILO_COMPLETION_DIR}/trilobite.zsh RENAME _trilobite
            DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT program)
    install(FILES ${TRILO_COMPLETION_DIR}/trilobite.fish
            DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)
    if(CMAKE_SYSTEM_NAME STREQUAL "Linux") # file managers know the formats, and draw small pictures
        install(FILES packaging/linux/trilobite.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages COMPONENT program)
        install(FILES packaging/linux/trilobite.thumbnailer DESTINATION ${CMAKE_INSTALL_DATADIR}/thumbnailers
                COMPONENT program)
    endif()
endif()
