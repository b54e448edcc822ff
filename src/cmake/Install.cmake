# SPDX-License-Identifier: MIT
include(CMakePackageConfigHelpers)
set(DPACCT_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/dpacct)
set(DPACCT_GENERATED ${PROJECT_BINARY_DIR}/package)

if(DPACCT_DOCUMENT)
  install(TARGETS dpacct RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
set(libraries dpacct_static)
if(BUILD_SHARED_LIBS)
  list(APPEND libraries dpacct_shared)
endif()
install(TARGETS ${libraries} EXPORT dpacctTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/dpacct DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h")

# For CMake users
install(EXPORT dpacctTargets NAMESPACE dpacct:: DESTINATION ${DPACCT_CMAKE_DIR})
configure_package_config_file(src/cmake/dpacctConfig.cmake.in
  ${DPACCT_GENERATED}/dpacctConfig.cmake INSTALL_DESTINATION ${DPACCT_CMAKE_DIR})
write_basic_package_version_file(${DPACCT_GENERATED}/dpacctConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${DPACCT_GENERATED}/dpacctConfig.cmake ${DPACCT_GENERATED}/dpacctConfigVersion.cmake
        src/cmake/Numbers.cmake DESTINATION ${DPACCT_CMAKE_DIR})

# For pkg-config users, written at install time because --prefix may name another prefix then.
# Where only a static library exists, linking it needs what is otherwise private.
foreach(dir LIBDIR INCLUDEDIR)
  if(IS_ABSOLUTE "${CMAKE_INSTALL_${dir}}")
    set(DPACCT_PC_${dir} "${CMAKE_INSTALL_${dir}}")
  else()
    set(DPACCT_PC_${dir} "\${prefix}/${CMAKE_INSTALL_${dir}}")
  endif()
endforeach()
if(BUILD_SHARED_LIBS)
  set(DPACCT_PC_REQUIRES "Requires: gmp\nRequires.private: mpfr")
  set(DPACCT_PC_LIBS "Libs: -L\${libdir} -ldpacct\nLibs.private: -lmpfi -lm")
else()
  set(DPACCT_PC_REQUIRES "Requires: gmp, mpfr")
  set(DPACCT_PC_LIBS "Libs: -L\${libdir} -ldpacct -lmpfi -lm")
endif()
set(AT "@")
configure_file(src/cmake/dpacct.pc.in ${DPACCT_GENERATED}/dpacct.pc.in @ONLY)
install(CODE "configure_file(${DPACCT_GENERATED}/dpacct.pc.in ${DPACCT_GENERATED}/dpacct.pc @ONLY)")
install(FILES ${DPACCT_GENERATED}/dpacct.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# For people
if(DPACCT_DOCUMENT) # the program's
  install(DIRECTORY docs/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
          FILES_MATCHING PATTERN "*.1")
  install(DIRECTORY docs/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man5
          FILES_MATCHING PATTERN "*.5")
  install(FILES docs/completions/dpacct.bash RENAME dpacct
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES docs/completions/dpacct.zsh RENAME _dpacct
          DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES docs/completions/dpacct.fish
          DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
install(FILES README.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs
        FILES_MATCHING PATTERN "*.md" PATTERN "data/*.dat" PATTERN "pictures/*.svg"
        PATTERN completions EXCLUDE PATTERN man EXCLUDE PATTERN schema EXCLUDE)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR}
        PATTERN __pycache__ EXCLUDE PATTERN quickstart.sh EXCLUDE)
install(DIRECTORY docs/schema DESTINATION ${CMAKE_INSTALL_DATADIR}/dpacct
        FILES_MATCHING PATTERN "*.json")

if(PROJECT_IS_TOP_LEVEL)
  add_custom_target(uninstall
    COMMAND ${CMAKE_COMMAND} -D MANIFEST=${PROJECT_BINARY_DIR}/install_manifest.txt
            -P ${PROJECT_SOURCE_DIR}/src/cmake/Uninstall.cmake VERBATIM)
  if(DPACCT_DOCUMENT)
    add_custom_target(docs
      COMMAND ${CMAKE_COMMAND} -D PROGRAM=$<TARGET_FILE:dpacct> -D DOCS=${PROJECT_SOURCE_DIR}/docs
              -P ${PROJECT_SOURCE_DIR}/src/cmake/Generate.cmake VERBATIM)
  endif()

  set(CPACK_GENERATOR DEB TGZ)
  set(CPACK_PACKAGE_CONTACT "the dpacct authors")
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_SECTION math)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libgmp-dev, libmpfr-dev, libmpfi-dev")
  set(CPACK_STRIP_FILES ON)
  include(CPack)
endif()
