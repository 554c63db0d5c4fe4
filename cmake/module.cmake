# tritonrl_module(NAME file.cpp ...): one static library per folder of src/, linked by src/include_rules.txt.

file(STRINGS ${PROJECT_SOURCE_DIR}/src/include_rules.txt _rules REGEX "^[a-z]")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/include_rules.txt)
foreach(_rule IN LISTS _rules)
  string(REGEX MATCH "^[a-z]+" _name "${_rule}")
  string(REGEX REPLACE "^[a-z]+:" "" _allowed "${_rule}")
  separate_arguments(_allowed)
  set(TRITONRL_ALLOWED_${_name} ${_allowed})
endforeach()

function(tritonrl_module NAME)
  add_library(tritonrl_${NAME} STATIC ${ARGN})
  target_include_directories(tritonrl_${NAME} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(tritonrl_${NAME} PRIVATE tritonrl_flags)
  foreach(_module IN LISTS TRITONRL_ALLOWED_${NAME})
    target_link_libraries(tritonrl_${NAME} PUBLIC tritonrl_${_module})
  endforeach()
endfunction()
