# The target `tritonrl_torch`: libtorch as it lies in the interpreter's wheel, CPU or CUDA. Not torch's own CMake package: with a
# CUDA wheel that one wants nvcc.
if(TRITONRL_PYTHON)
  execute_process(
    COMMAND ${TRITONRL_PYTHON} -c "import importlib.util as u, os; print(os.path.dirname(u.find_spec('torch').origin))"
    OUTPUT_VARIABLE TRITONRL_TORCH_DIR OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(TRITONRL_TORCH_DIR AND EXISTS ${TRITONRL_TORCH_DIR}/include/ATen/ATen.h)
  add_library(tritonrl_torch INTERFACE)
  target_include_directories(tritonrl_torch SYSTEM INTERFACE ${TRITONRL_TORCH_DIR}/include)
  target_link_directories(tritonrl_torch INTERFACE ${TRITONRL_TORCH_DIR}/lib)
  # The C++ library first: CUDA wheels export an older std::filesystem of their own, which must not be the one we get.
  target_link_libraries(tritonrl_torch INTERFACE stdc++ torch_cpu c10)
  # Of the build tree: an installed program is told when it is started (src/cli/interpreter_libraries.h).
  list(APPEND CMAKE_BUILD_RPATH ${TRITONRL_TORCH_DIR}/lib)

  # For programs that may use a GPU. A CUDA wheel's library registers itself when it is loaded, though nothing names it;
  # the others are spared the second that this takes.
  add_library(tritonrl_torch_device INTERFACE)
  target_link_libraries(tritonrl_torch_device INTERFACE tritonrl_torch)
  if(EXISTS ${TRITONRL_TORCH_DIR}/lib/libtorch_cuda.so)
    target_link_options(tritonrl_torch_device INTERFACE -Wl,--no-as-needed,${TRITONRL_TORCH_DIR}/lib/libtorch_cuda.so,--as-needed)
  endif()
else()
  message(STATUS "no torch in TRITONRL_PYTHON: tests that replay programs through its dispatcher are left out")
endif()
