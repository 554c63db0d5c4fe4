# Headers of others that take seconds a file are parsed once, and files that need the same ones are compiled together.
file(WRITE ${PROJECT_BINARY_DIR}/nothing.cpp "")

# tritonrl_uses_torch(TARGET): for what includes torch's headers. They take four to ten seconds a file, and at::parallel_for is a template
# over OpenMP, so that all who share the precompiled ones are compiled with it; the library itself comes with torch.
if(TARGET tritonrl_torch)
  add_library(tritonrl_torch_headers OBJECT ${PROJECT_BINARY_DIR}/nothing.cpp)
  target_link_libraries(tritonrl_torch_headers PRIVATE tritonrl_torch)
  target_compile_options(tritonrl_torch_headers PRIVATE -fopenmp)
  target_precompile_headers(tritonrl_torch_headers PRIVATE
    <ATen/core/Tensor.h> <ATen/TensorOperators.h> <ATen/Context.h> <ATen/Parallel.h> <ATen/core/dispatch/Dispatcher.h> <ATen/core/grad_mode.h>)
  function(tritonrl_uses_torch TARGET)
    target_link_libraries(${TARGET} PUBLIC tritonrl_torch)
    target_compile_options(${TARGET} PRIVATE -fopenmp)
    target_precompile_headers(${TARGET} REUSE_FROM tritonrl_torch_headers)
  endfunction()
endif()

# The standard library's, for all others: as most of the code is compiled, and as busy folders are, since precompiled headers bring along
# how they were optimised.
function(tritonrl_standard_headers NAME)
  add_library(${NAME} OBJECT ${PROJECT_BINARY_DIR}/nothing.cpp)
  target_compile_options(${NAME} PRIVATE ${ARGN})
  target_precompile_headers(${NAME} PRIVATE
    <algorithm> <array> <atomic> <chrono> <cmath> <condition_variable> <cstdint> <cstring> <filesystem> <fstream> <functional> <iostream> <map>
    <memory> <mutex> <numeric> <optional> <random> <set> <span> <sstream> <stdexcept> <string> <string_view> <thread> <tuple> <unordered_map>
    <unordered_set> <utility> <variant> <vector>)
endfunction()
set(TRITONRL_BUSY $<$<CONFIG:RelWithDebInfo>:-O1>)
tritonrl_standard_headers(tritonrl_standard_headers)
tritonrl_standard_headers(tritonrl_busy_headers ${TRITONRL_BUSY})
set(TRITONRL_STANDARD_HEADERS tritonrl_standard_headers)

# tritonrl_busy_folder(): what lies in it works on every one of thousands of pairs a second, without waiting for anybody.
macro(tritonrl_busy_folder)
  add_compile_options(${TRITONRL_BUSY})
  set(TRITONRL_STANDARD_HEADERS tritonrl_busy_headers)
endmacro()

# tritonrl_joined(TARGET): its files are compiled as one, so that what they all make of the same templates and headers is made once: half
# the time of a build from nothing. Names of their own must not collide then (a file that cannot help it gets SKIP_UNITY_BUILD_INCLUSION).
# Not in `dev` and the builds with sanitizers, where one file changes at a time and each must stand on its own.
function(tritonrl_joined TARGET)
  set_target_properties(${TARGET} PROPERTIES UNITY_BUILD ${TRITONRL_JOIN} UNITY_BUILD_BATCH_SIZE 0)
  get_target_property(_precompiled ${TARGET} PRECOMPILE_HEADERS_REUSE_FROM)
  if(TRITONRL_JOIN AND NOT _precompiled)
    target_precompile_headers(${TARGET} REUSE_FROM ${TRITONRL_STANDARD_HEADERS})
  endif()
endfunction()

# tritonrl_hot(TARGET): its own loops take the time, not what it calls or waits for. The others' code is optimised less, in two thirds of
# the time.
function(tritonrl_hot TARGET)
  target_compile_options(${TARGET} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O2>)
  set_target_properties(${TARGET} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
endfunction()

# tritonrl_loops(file ...): the same for single files of a module whose other code is not hot. They are compiled apart.
function(tritonrl_loops)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS $<$<CONFIG:RelWithDebInfo>:-O2> SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
