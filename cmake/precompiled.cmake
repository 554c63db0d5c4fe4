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

# tritonrl_joined(TARGET): its files are compiled as one, so that what they all make of the same templates and headers is made once: half
# the time of a build from nothing. Names of their own must not collide then (a file that cannot help it gets SKIP_UNITY_BUILD_INCLUSION).
# Not in `dev` and the builds with sanitizers, where one file changes at a time and each must stand on its own.
function(tritonrl_joined TARGET)
  set_target_properties(${TARGET} PROPERTIES UNITY_BUILD ${TRITONRL_JOIN} UNITY_BUILD_BATCH_SIZE 0)
endfunction()

# tritonrl_cold(TARGET): nothing in it is executed often enough to be worth the time that more optimisation takes.
function(tritonrl_cold TARGET)
  target_compile_options(${TARGET} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)
endfunction()
