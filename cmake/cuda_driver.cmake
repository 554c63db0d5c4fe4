# The target `tritonrl_cuda_driver`: the header of CUDA's driver, from a toolkit, from the wheel that torch's CUDA build brings along, or
# from that wheel alone (scripts/setup.sh). Without it there is no tritonrl-device, and `tritonrl verify --device cuda` says so.
if(TRITONRL_TORCH_DIR)
  get_filename_component(_site ${TRITONRL_TORCH_DIR} DIRECTORY)
  file(GLOB _wheels ${_site}/nvidia/cu*/include ${_site}/nvidia/cuda_runtime/include)
endif()
find_path(CUDA_DRIVER_INCLUDE_DIR cuda.h PATHS /usr/local/cuda/include ${_wheels})
if(CUDA_DRIVER_INCLUDE_DIR)
  add_library(tritonrl_cuda_driver INTERFACE)
  target_include_directories(tritonrl_cuda_driver SYSTEM INTERFACE ${CUDA_DRIVER_INCLUDE_DIR})
  target_link_libraries(tritonrl_cuda_driver INTERFACE ${CMAKE_DL_LIBS})
else()
  message(STATUS "no cuda.h: the program that holds a GPU is left out")
endif()
