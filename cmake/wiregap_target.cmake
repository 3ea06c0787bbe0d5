# SPDX-License-Identifier: BSL-1.0
# What every target of ours shares: the language, the warnings, the sanitizers; and how its sources are found.

# Sources of `target`: every .cpp below `folders`. A file that ends in _linux.cpp or _windows.cpp is taken on that platform
# only: this is the one seam for platform code.
function(wiregap_sources target)
  set(found)
  foreach(folder IN LISTS ARGN)
    file(GLOB_RECURSE here CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp")
    list(APPEND found ${here})
  endforeach()
  wiregap_this_platform(found)
  if(NOT found)
    # CMake refuses a library without sources; an empty one keeps a tree that is being filled configurable.
    set(found "${CMAKE_CURRENT_BINARY_DIR}/${target}_empty.cpp")
    file(CONFIGURE OUTPUT "${found}" CONTENT "// no sources yet\n")
  endif()
  target_sources(${target} PRIVATE ${found})
endfunction()

# Leaves out of `list` the files of the other platform.
function(wiregap_this_platform list)
  set(files ${${list}})
  if(WIN32)
    list(FILTER files EXCLUDE REGEX "_linux\\.[ch]pp$")
  else()
    list(FILTER files EXCLUDE REGEX "_windows\\.[ch]pp$")
  endif()
  set(${list} ${files} PARENT_SCOPE)
endfunction()

# Headers of `target`: every .hpp below its folder but those in a folder detail/, which are the library's own affair and
# may include what it links privately. `base` is the include root that <target/...> counts from. They are
# installed, and each must compile by itself (target all_verify_interface_header_sets; test consumer.headers).
function(wiregap_headers target base)
  file(GLOB_RECURSE found CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.hpp")
  wiregap_this_platform(found)
  list(FILTER found EXCLUDE REGEX "/detail/")
  target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS "${base}" FILES ${found})
endfunction()

function(wiregap_target target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF WINDOWS_EXPORT_ALL_SYMBOLS ON)
  target_compile_options(${target} PRIVATE
    # GCC's plain -Wshadow also complains of a parameter called like a type (value, token, date).
    $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local>
    $<$<CXX_COMPILER_ID:Clang>:-Wshadow>
    $<$<CXX_COMPILER_ID:GNU,Clang>:-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion
      -Wold-style-cast -Woverloaded-virtual -Wformat=2 -Wimplicit-fallthrough>
    # GCC 12 sees overlapping copies inside std::string that are not there (GCC bug 105651).
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
    $<$<CXX_COMPILER_ID:MSVC>:/W4 /permissive->)
  if(WIREGAP_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU,Clang>:-Werror> $<$<CXX_COMPILER_ID:MSVC>:/WX>)
  endif()
  if(WIREGAP_SANITIZE)
    target_compile_options(${target} PUBLIC -fsanitize=${WIREGAP_SANITIZE} -fno-omit-frame-pointer
      -fno-sanitize-recover=all)
    target_link_options(${target} PUBLIC -fsanitize=${WIREGAP_SANITIZE})
    if(CMAKE_CXX_COMPILER_ID STREQUAL Clang AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 17 AND WIREGAP_SANITIZE MATCHES undefined)
      # Its check of function types puts data before each function, which does not survive the splitting of a
      # coroutine ("Cannot represent a difference across sections").
      target_compile_options(${target} PUBLIC -fno-sanitize=function)
    endif()
    if(WIREGAP_SANITIZE MATCHES thread)
      # ThreadSanitizer does not see bare fences, which Asio has round handlers (these can go, its queues
      # have locks) and in its reference counts; GCC warns of each. Instrumented, it also takes Asio's
      # aligned_alloc for an operator new.
      target_compile_definitions(${target} PUBLIC BOOST_ASIO_DISABLE_FENCED_BLOCK)
      target_compile_options(${target} PUBLIC $<$<CXX_COMPILER_ID:GNU>:-Wno-tsan$<SEMICOLON>-Wno-mismatched-new-delete>)
    endif()
  endif()
  if(WIREGAP_FUZZ)
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
  if(WIREGAP_COVERAGE)
    target_compile_options(${target} PUBLIC --coverage)
    target_link_options(${target} PUBLIC --coverage)
  endif()
endfunction()
