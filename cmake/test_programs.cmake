# Tests are entries of ctest, one a subject; the programs that hold them are few: one a module and speed class, linked once.

# What tests do themselves is little; optimising it would be a third of the build's time. So would reading GoogleTest's headers.
add_compile_options($<$<CONFIG:RelWithDebInfo>:-O0> $<$<CONFIG:RelWithDebInfo>:-g0>)
add_library(tritonrl_test_headers OBJECT ${PROJECT_BINARY_DIR}/nothing.cpp)
target_link_libraries(tritonrl_test_headers PRIVATE GTest::gtest)
target_precompile_headers(tritonrl_test_headers PRIVATE <filesystem> <fstream> <gtest/gtest.h> <map> <string> <vector>)
if(TARGET tritonrl_torch)
  add_library(tritonrl_test_torch_headers OBJECT ${PROJECT_BINARY_DIR}/nothing.cpp)
  target_link_libraries(tritonrl_test_torch_headers PRIVATE GTest::gtest tritonrl_torch)
  target_precompile_headers(tritonrl_test_torch_headers PRIVATE <gtest/gtest.h> <ATen/core/Tensor.h> <ATen/TensorOperators.h>)
endif()

# One nursery for all tests that start interpreters (docs/commands.md, `warm`): torch is imported a few times instead of hundreds.
string(SHA256 _nursery ${PROJECT_BINARY_DIR})
string(SUBSTRING ${_nursery} 0 12 _nursery)
set(_nursery TRITONRL_NURSERY=/tmp/tritonrl-nursery-${_nursery})  # sockets have short names
foreach(_step begin end)
  add_test(NAME nursery_${_step} COMMAND ${CMAKE_COMMAND} -DPROGRAM=${PROJECT_BINARY_DIR}/tritonrl -DSTEP=${_step} -P ${PROJECT_SOURCE_DIR}/cmake/nursery_step.cmake)
  set_tests_properties(nursery_${_step} PROPERTIES LABELS fast ENVIRONMENT ${_nursery})
endforeach()
set_tests_properties(nursery_begin PROPERTIES FIXTURES_SETUP nursery)
set_tests_properties(nursery_end PROPERTIES FIXTURES_CLEANUP nursery)

find_program(_python python3 REQUIRED)
execute_process(COMMAND ${_python} -c "import os, sys; print(os.path.realpath(sys.executable), end='')" OUTPUT_VARIABLE _plain_python)
add_library(tritonrl_test_paths STATIC ${PROJECT_SOURCE_DIR}/tests/paths.cpp)
target_include_directories(tritonrl_test_paths PUBLIC ${PROJECT_SOURCE_DIR})
target_compile_definitions(tritonrl_test_paths PRIVATE
  TRITONRL_SOURCE_DIR="${PROJECT_SOURCE_DIR}" TRITONRL_BINARY_DIR="${PROJECT_BINARY_DIR}"
  TRITONRL_TEST_PYTHON="${TRITONRL_PYTHON}" TRITONRL_PLAIN_PYTHON="${_plain_python}")

add_library(tritonrl_test_main STATIC ${PROJECT_SOURCE_DIR}/tests/main.cpp)
target_link_libraries(tritonrl_test_main PUBLIC GTest::gtest tritonrl_test_paths PRIVATE tritonrl_flags)
target_precompile_headers(tritonrl_test_main REUSE_FROM tritonrl_test_headers)

# tritonrl_test(NAME LABEL MODULE file.cpp ... [LINKS target ...] [NEEDS target ...] [TORCH] [ALONE]): the entry NAME runs the tests of the given
# files, and not those of other entries in the same program. LINKS are further libraries, NEEDS programs that must be built. TORCH: they
# use its libraries and headers, which other tests of that folder had better not load. ALONE: their files are not joined with others, whose
# names they have.
# Cases are not split into processes of their own: many share a warm zygote, which takes seconds to start.
function(tritonrl_test NAME LABEL MODULE)
  cmake_parse_arguments(PARSE_ARGV 3 _test "TORCH;ALONE" "" "LINKS;NEEDS")
  file(RELATIVE_PATH _folder ${PROJECT_SOURCE_DIR}/tests ${CMAKE_CURRENT_SOURCE_DIR})
  string(REGEX REPLACE "/.*" "" _folder ${_folder})
  set(_torch "")
  if(_test_TORCH)
    set(_torch torch_)
  endif()
  set(_program ${_folder}_${LABEL}_${_torch}tests)
  if(NOT TARGET ${_program})
    add_executable(${_program})
    set_target_properties(${_program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
    target_link_libraries(${_program} PRIVATE tritonrl_flags tritonrl_test_main)
    target_precompile_headers(${_program} REUSE_FROM tritonrl_test_${_torch}headers)
    tritonrl_joined(${_program})
  endif()
  set(_tested "")
  get_target_property(_sources ${_program} SOURCES)
  foreach(_file IN LISTS _test_UNPARSED_ARGUMENTS)
    get_filename_component(_path ${_file} ABSOLUTE)
    if(NOT _path IN_LIST _sources)
      target_sources(${_program} PRIVATE ${_path})
      set_source_files_properties(${_path} TARGET_DIRECTORY ${_program} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ${_test_ALONE})
    endif()
    if(_file MATCHES "_test\\.cpp$")
      file(RELATIVE_PATH _path ${PROJECT_SOURCE_DIR} ${_path})
      list(APPEND _tested ${_path})
    endif()
  endforeach()
  target_link_libraries(${_program} PRIVATE tritonrl_${MODULE} ${_test_LINKS})
  if(_test_NEEDS)
    add_dependencies(${_program} ${_test_NEEDS})
  endif()
  add_test(NAME ${NAME} COMMAND ${_program} --files ${_tested} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${NAME} PROPERTIES LABELS ${LABEL} TIMEOUT 1500)  # ends what hangs, on a busy machine too
  if(LABEL STREQUAL slow)
    set_tests_properties(${NAME} PROPERTIES COST 10)  # begun first, so that none is left to run alone at the end
  endif()
  if(LABEL STREQUAL slow OR (LABEL STREQUAL fast AND "${_test_LINKS}" MATCHES "tritonrl_test_re|tritonrl_test_runner"))
    set_tests_properties(${NAME} PROPERTIES FIXTURES_REQUIRED nursery ENVIRONMENT ${_nursery})
  endif()
  set(TRITONRL_COMMAND_${NAME} ${_program} --files ${_tested} PARENT_SCOPE)
endfunction()

# tritonrl_device_test(NAME OF): the tests of the entry OF again, with a GPU.
function(tritonrl_device_test NAME OF)
  add_test(NAME ${NAME} COMMAND ${TRITONRL_COMMAND_${OF}} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${NAME} PROPERTIES LABELS gpu TIMEOUT 600 ENVIRONMENT TRITONRL_TEST_DEVICE=cuda)
endfunction()

# A small program that tests or scripts start: tritonrl_test_tool(NAME file.cpp ... LINKS target ...).
function(tritonrl_test_tool NAME)
  cmake_parse_arguments(PARSE_ARGV 1 _tool "" "" LINKS)
  add_executable(${NAME} ${_tool_UNPARSED_ARGUMENTS})
  set_target_properties(${NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  target_include_directories(${NAME} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${NAME} PRIVATE tritonrl_flags ${_tool_LINKS})
endfunction()

# tritonrl_test_library(NAME file.cpp ... LINKS target ...): what several tests share.
function(tritonrl_test_library NAME)
  cmake_parse_arguments(PARSE_ARGV 1 _library "" "" LINKS)
  add_library(${NAME} STATIC ${_library_UNPARSED_ARGUMENTS})
  target_link_libraries(${NAME} PUBLIC tritonrl_test_paths ${_library_LINKS} PRIVATE tritonrl_flags)
endfunction()

# tritonrl_python_test(NAME LABEL TIMEOUT script argument ...): a script that is a test, run by the interpreter with torch.
function(tritonrl_python_test NAME LABEL TIMEOUT SCRIPT)
  if(TRITONRL_PYTHON)
    add_test(NAME ${NAME} COMMAND ${TRITONRL_PYTHON} -B ${SCRIPT} ${ARGN})
    set_tests_properties(${NAME} PROPERTIES LABELS ${LABEL} TIMEOUT ${TIMEOUT} FIXTURES_REQUIRED nursery ENVIRONMENT ${_nursery})
  endif()
endfunction()
