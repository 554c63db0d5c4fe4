# Headers of others that take seconds a file are parsed once. Modules that use JSON in several files share one parse:
# tritonrl_precompiled_json(TARGET).
file(WRITE ${PROJECT_BINARY_DIR}/nothing.cpp "")
add_library(tritonrl_json_headers OBJECT ${PROJECT_BINARY_DIR}/nothing.cpp)
target_link_libraries(tritonrl_json_headers PRIVATE nlohmann_json::nlohmann_json)
target_precompile_headers(tritonrl_json_headers PRIVATE <nlohmann/json.hpp>)

function(tritonrl_precompiled_json TARGET)
  target_precompile_headers(${TARGET} REUSE_FROM tritonrl_json_headers)
endfunction()
