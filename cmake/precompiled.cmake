# Headers of others that take seconds a file are parsed once. Modules that use JSON in several files share one parse:
# tritonrl_precompiled_json(TARGET).
file(WRITE ${PROJECT_BINARY_DIR}/nothing.cpp "")
add_library(tritonrl_json_headers OBJECT ${PROJECT_BINARY_DIR}/nothing.cpp)
target_link_libraries(tritonrl_json_headers PRIVATE nlohmann_json::nlohmann_json)
target_precompile_headers(tritonrl_json_headers PRIVATE <nlohmann/json.hpp>)

function(tritonrl_precompiled_json TARGET)
  target_precompile_headers(${TARGET} REUSE_FROM tritonrl_json_headers)
endfunction()

# tritonrl_joined(TARGET): its files are compiled several at a time, so that what they all make of JSON's, CLI11's or torch's templates is
# made once; a build from nothing takes half the time for it. Only where the files' own names do not collide, and not in `dev` and the
# builds with sanitizers, where one file changes at a time and each must stand on its own.
option(TRITONRL_JOIN "Compile files of some modules together" OFF)
function(tritonrl_joined TARGET)
  set_target_properties(${TARGET} PROPERTIES UNITY_BUILD ${TRITONRL_JOIN} UNITY_BUILD_BATCH_SIZE 6)
endfunction()
