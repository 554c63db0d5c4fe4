# The target `tritonrl_arrow`: Arrow and Parquet as they lie in the interpreter's pyarrow wheel, headers and libraries. The wheel
# has no plain `.so` names, so the libraries are linked by their full ones.
if(TRITONRL_PYTHON)
  execute_process(
    COMMAND ${TRITONRL_PYTHON} -c "import importlib.util as u, os; print(os.path.dirname(u.find_spec('pyarrow').origin))"
    OUTPUT_VARIABLE TRITONRL_ARROW_DIR OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(TRITONRL_ARROW_DIR)
  file(GLOB TRITONRL_ARROW_LIBRARIES ${TRITONRL_ARROW_DIR}/libarrow.so.* ${TRITONRL_ARROW_DIR}/libparquet.so.*)
  list(LENGTH TRITONRL_ARROW_LIBRARIES _arrow_libraries)
endif()
if(TRITONRL_ARROW_DIR AND EXISTS ${TRITONRL_ARROW_DIR}/include/parquet/arrow/reader.h AND _arrow_libraries EQUAL 2)
  add_library(tritonrl_arrow INTERFACE)
  target_include_directories(tritonrl_arrow SYSTEM INTERFACE ${TRITONRL_ARROW_DIR}/include)
  # The C++ library first, as in torch.cmake.
  target_link_libraries(tritonrl_arrow INTERFACE stdc++ ${TRITONRL_ARROW_LIBRARIES})
  # Where programs look for the library that links it: beside them. Tests and benches lie one folder below.
  list(APPEND CMAKE_BUILD_RPATH $ORIGIN ${TRITONRL_ARROW_DIR})
else()
  message(STATUS "no pyarrow in TRITONRL_PYTHON: parquet files cannot be read; JSON can")
endif()
