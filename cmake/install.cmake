# `cmake --install build/release --prefix P`: bin/tritonrl is a link to lib/tritonrl/tritonrl, and all that the programs look for lies
# there beside them, so that P may be moved.
set(_home lib/tritonrl)
install(TARGETS tritonrl tritonrl_sandbox_enter RUNTIME DESTINATION ${_home} LIBRARY DESTINATION ${_home})
foreach(_optional tritonrl-runner tritonrl-device tritonrl-model tritonrl_parquet)
  if(TARGET ${_optional})
    install(TARGETS ${_optional} RUNTIME DESTINATION ${_home} LIBRARY DESTINATION ${_home})
  endif()
endforeach()
install(DIRECTORY models/embedded DESTINATION ${_home}/models)
install(DIRECTORY examples DESTINATION share/tritonrl PATTERN __pycache__ EXCLUDE)
install(DIRECTORY clients/python DESTINATION share/tritonrl PATTERN __pycache__ EXCLUDE)
install(FILES LICENSE README.md DESTINATION share/doc/tritonrl)
install(CODE "
  file(MAKE_DIRECTORY \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/bin\")
  file(CREATE_LINK ../${_home}/tritonrl \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/bin/tritonrl\" SYMBOLIC)")
