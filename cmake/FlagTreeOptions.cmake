# SPDX-License-Identifier: MIT
# Compiler, linker and cache settings shared by every native target.
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_program(FLAGTREE_CCACHE ccache)
if(FLAGTREE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # The sloppiness and the sum file let ccache see through the precompiled header; with the base directory, clones of
  # one commit in different places share the cache.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime CCACHE_PCH_EXTSUM=1
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${FLAGTREE_CCACHE})
endif()

find_program(FLAGTREE_LLD NAMES ld.lld-22 ld.lld)
# g++ takes no path to its linker, and ld.lld may have a suffix.
if(FLAGTREE_LLD AND CMAKE_CXX_COMPILER_ID MATCHES Clang)
  add_link_options(-fuse-ld=lld --ld-path=${FLAGTREE_LLD})
endif()

add_compile_options(-Wall -Wextra -Wno-unused-parameter)
foreach(sanitizer IN LISTS FLAGTREE_SANITIZER)
  add_compile_options(-fsanitize=${sanitizer} -fno-omit-frame-pointer -g)
  add_link_options(-fsanitize=${sanitizer})
endforeach()
