# SPDX-License-Identifier: BSL-1.0
# Builds and runs the stranger's project: cmake -DMODE=installed|subdirectory -DGENERATOR= -DCOMPILER= -DSTRANGER=
# -DSOURCE= -DTREE= -P consume.cmake. TREE is a built tree of wiregap; `installed` installs it to a fresh prefix first.
set(build "${TREE}/consumer_${MODE}")
set(ENV{CMAKE_GENERATOR} "${GENERATOR}")
set(ENV{CXX} "${COMPILER}")

if(MODE STREQUAL "installed")
  set(prefix "${TREE}/consumer_prefix")
  file(REMOVE_RECURSE "${prefix}" "${build}")
  execute_process(COMMAND ${CMAKE_COMMAND} --install "${TREE}" --prefix "${prefix}" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  set(how "-DCMAKE_PREFIX_PATH=${prefix}")
else()
  # Shared libraries here, static ones above: both must link. Kept between runs, since it builds the libraries anew; not
  # optimised, since nothing is measured.
  set(how "-DWIREGAP_SOURCE=${SOURCE}" -DBUILD_SHARED_LIBS=ON)
endif()

execute_process(COMMAND ${CMAKE_COMMAND} -S "${STRANGER}" -B "${build}" ${how} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build "${build}" COMMAND_ERROR_IS_FATAL ANY)
foreach(program IN ITEMS speaks_tds only_wire)
  execute_process(COMMAND "${build}/${program}" COMMAND_ERROR_IS_FATAL ANY)
endforeach()
