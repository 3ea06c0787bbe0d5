# SPDX-License-Identifier: BSL-1.0
# What `cmake --install` lays down: the libraries with their headers as find_package(tds), the program, the licence.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(WIREGAP_PACKAGE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/tds")

# One export set a namespace: wire::wire is of use without TDS.
foreach(library IN ITEMS wire tds)
  install(TARGETS ${library} EXPORT ${library}Targets
          RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}"
          LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
          ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
          FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
  install(EXPORT ${library}Targets NAMESPACE ${library}:: DESTINATION "${WIREGAP_PACKAGE_DIR}")
endforeach()

configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/tdsConfig.cmake.in" "${PROJECT_BINARY_DIR}/tdsConfig.cmake"
                              INSTALL_DESTINATION "${WIREGAP_PACKAGE_DIR}" NO_SET_AND_CHECK_MACRO)
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/tdsConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/tdsConfig.cmake" "${PROJECT_BINARY_DIR}/tdsConfigVersion.cmake"
        DESTINATION "${WIREGAP_PACKAGE_DIR}")

if(TARGET wiregap)
  install(TARGETS wiregap RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
