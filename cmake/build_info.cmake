# tritonrl_build_info(TARGET): what a program says of its own build (src/cli/build_info.h). In files of their own, so that all others are
# the same bytes in every checkout and come out of ccache.
set(TRITONRL_COMMIT_FILE ${PROJECT_BINARY_DIR}/build_commit.cpp)

if(TRITONRL_PYTHON)
  execute_process(
    COMMAND ${TRITONRL_PYTHON} -c "
import importlib.metadata as m
for name in ('torch', 'triton', 'pyarrow'):
    try: print(m.version(name))
    except m.PackageNotFoundError: print()"
    OUTPUT_VARIABLE _versions OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  string(REPLACE "\n" ";" _versions "${_versions};;;")
  list(GET _versions 0 TRITONRL_BUILT_FOR_TORCH)
  list(GET _versions 1 TRITONRL_BUILT_FOR_TRITON)
  list(GET _versions 2 TRITONRL_BUILT_FOR_ARROW)
endif()
if(NOT TARGET tritonrl_torch)
  set(TRITONRL_BUILT_FOR_TORCH "")
endif()
if(NOT TARGET tritonrl_arrow)
  set(TRITONRL_BUILT_FOR_ARROW "")
endif()

# The commit is looked up by every build and written where it changed.
add_custom_target(tritonrl_commit
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DOUT=${TRITONRL_COMMIT_FILE} -P ${PROJECT_SOURCE_DIR}/cmake/write_commit.cmake
  BYPRODUCTS ${TRITONRL_COMMIT_FILE} VERBATIM)

function(tritonrl_build_info TARGET)
  set(_facts ${CMAKE_CURRENT_BINARY_DIR}/build_facts.cpp)
  file(CONFIGURE OUTPUT ${_facts} CONTENT "#include \"cli/build_facts.h\"
namespace tritonrl::cli {
const BuildFacts kBuildFacts = {
    .version = \"@PROJECT_VERSION@\",
    .build_type = \"@CMAKE_BUILD_TYPE@\",
    .compiler = \"@CMAKE_CXX_COMPILER_ID@ @CMAKE_CXX_COMPILER_VERSION@\",
    .machine = \"@CMAKE_SYSTEM_NAME@ @CMAKE_SYSTEM_PROCESSOR@\",
    .torch = \"@TRITONRL_BUILT_FOR_TORCH@\",
    .triton = \"@TRITONRL_BUILT_FOR_TRITON@\",
    .arrow = \"@TRITONRL_BUILT_FOR_ARROW@\",
    .python = \"@TRITONRL_PYTHON@\",
    .torch_folder = \"@TRITONRL_TORCH_DIR@\",
    .arrow_folder = \"@TRITONRL_ARROW_DIR@\",
};
}  // namespace tritonrl::cli
" @ONLY)
  target_sources(${TARGET} PRIVATE ${_facts} ${TRITONRL_COMMIT_FILE})
  set_source_files_properties(${_facts} ${TRITONRL_COMMIT_FILE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  add_dependencies(${TARGET} tritonrl_commit)
endfunction()
