# SPDX-License-Identifier: MIT
# Finds LLVM and MLIR 22 and defines how a library of MLIR code is added.
#
#   flagtree_add_library(<name> <sources>... [DEPENDS <tablegen targets>...])
#
# Each is an object library over one shared precompiled header; the property
# FLAGTREE_LIBRARIES gathers them for libFlagTree and flagtree-opt.
if(NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
  message(FATAL_ERROR "FlagTree's MLIR library needs clang (found ${CMAKE_CXX_COMPILER_ID}): "
                      "configure with -DCMAKE_CXX_COMPILER=clang++-22")
endif()

if(NOT MLIR_DIR)
  if(DEFINED ENV{LLVM_SYSPATH})
    set(MLIR_DIR $ENV{LLVM_SYSPATH}/lib/cmake/mlir)
  else()
    find_program(FLAGTREE_LLVM_CONFIG NAMES llvm-config-22)
    if(FLAGTREE_LLVM_CONFIG)
      execute_process(COMMAND ${FLAGTREE_LLVM_CONFIG} --libdir OUTPUT_VARIABLE llvm_libdir
                      OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
      set(MLIR_DIR ${llvm_libdir}/cmake/mlir)
    endif()
  endif()
endif()
# MLIRConfig.cmake carries no version file, so the version is checked after.
find_package(MLIR REQUIRED CONFIG)
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "FlagTree needs LLVM and MLIR 22, found ${LLVM_VERSION} in ${LLVM_DIR}: set LLVM_SYSPATH")
endif()
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
set(LLVM_RUNTIME_OUTPUT_INTDIR ${CMAKE_BINARY_DIR}/bin)
set(LLVM_LIBRARY_OUTPUT_INTDIR ${CMAKE_BINARY_DIR}/lib)
include(TableGen)
include(AddLLVM)
include(AddMLIR)

add_library(flagtree_mlir_flags INTERFACE)
target_include_directories(flagtree_mlir_flags INTERFACE
  ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
target_include_directories(flagtree_mlir_flags SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
separate_arguments(llvm_definitions UNIX_COMMAND "${LLVM_DEFINITIONS}")
target_compile_options(flagtree_mlir_flags INTERFACE ${llvm_definitions} -fno-exceptions)
if(NOT LLVM_ENABLE_RTTI)
  target_compile_options(flagtree_mlir_flags INTERFACE -fno-rtti)
endif()
# tablegen takes its search path from the directory's.
include_directories(BEFORE ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
include_directories(SYSTEM ${MLIR_INCLUDE_DIRS})

# One precompiled header for all that includes MLIR, as the object of a header; compilers run in the build directory,
# so its relative name is the same in every checkout. Its contents hold absolute paths: ccache takes the sum file
# beside it for them, which makes another checkout hit the cache, and never stores the header itself.
set(FLAGTREE_PCH CMakeFiles/flagtree_pch.dir/cmake/MLIRPrecompiled.h.o)
add_library(flagtree_pch OBJECT cmake/MLIRPrecompiled.h)
set_source_files_properties(cmake/MLIRPrecompiled.h PROPERTIES LANGUAGE CXX)
target_link_libraries(flagtree_pch PRIVATE flagtree_mlir_flags)
target_compile_options(flagtree_pch PRIVATE "SHELL:-x c++-header")
set_target_properties(flagtree_pch PROPERTIES CXX_COMPILER_LAUNCHER "")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/MLIRPrecompiled.h)
file(SHA256 ${PROJECT_SOURCE_DIR}/cmake/MLIRPrecompiled.h pch_sum)
file(TIMESTAMP ${MLIR_DIR}/MLIRConfig.cmake mlir_time)
file(WRITE ${CMAKE_BINARY_DIR}/${FLAGTREE_PCH}.sum "${pch_sum} ${LLVM_VERSION} ${mlir_time}\n")

# flagtree_use_pch(<target>): gives the sources of a target of this directory the precompiled header.
function(flagtree_use_pch name)
  target_compile_options(${name} PRIVATE "SHELL:-include-pch ${FLAGTREE_PCH}")
  add_dependencies(${name} flagtree_pch)
  get_target_property(sources ${name} SOURCES)
  set_property(SOURCE ${sources} APPEND PROPERTY OBJECT_DEPENDS ${CMAKE_BINARY_DIR}/${FLAGTREE_PCH})
endfunction()

function(flagtree_add_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS" ${ARGN})
  add_library(${name} OBJECT ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE flagtree_mlir_flags)
  flagtree_use_pch(${name})
  add_dependencies(${name} flagtree-headers ${ARG_DEPENDS})
  set_property(GLOBAL APPEND PROPERTY FLAGTREE_LIBRARIES ${name})
endfunction()

# flagtree_tablegen(<target> <file.td> <out> <generator flags>... ...)
# e.g. flagtree_tablegen(FooIncGen Foo.td FooOps.h.inc -gen-op-decls FooOps.cpp.inc -gen-op-defs)
# A generator with arguments is one quoted word list: "-gen-pass-decls;-name=FLIR".
function(flagtree_tablegen target td)
  set(LLVM_TARGET_DEFINITIONS ${td})
  set(rest ${ARGN})
  while(rest)
    list(POP_FRONT rest out)
    list(POP_FRONT rest flags)
    string(REPLACE "|" ";" flags "${flags}")
    mlir_tablegen(${out} ${flags})
  endwhile()
  add_public_tablegen_target(${target})
  add_dependencies(flagtree-headers ${target})
endfunction()
add_custom_target(flagtree-headers)

# flagtree_pass_table(<group> <Passes.td>...): the passes appear in Python as
# flagtree.passes.<group>; what is listed here must be registered too.
function(flagtree_pass_table group)
  foreach(td IN LISTS ARGN)
    set_property(GLOBAL APPEND PROPERTY FLAGTREE_PASS_TABLES ${group}=${td})
  endforeach()
endfunction()
