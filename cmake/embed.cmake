# tritonrl_embed(TARGET HEADER NAMESPACE FUNCTION FILES...): text files as constants of the program, so that the binary can be moved.
# Generates HEADER with `std::span<const EmbeddedFile> FUNCTION()` in NAMESPACE.

function(tritonrl_embed TARGET NAMESPACE FUNCTION)
  set(_out ${CMAKE_CURRENT_BINARY_DIR}/${FUNCTION}.cpp)
  add_custom_command(
    OUTPUT ${_out}
    COMMAND ${CMAKE_COMMAND} -DOUT=${_out} -DNAMESPACE=${NAMESPACE} -DFUNCTION=${FUNCTION}
            "-DFILES=${ARGN}" -DROOT=${CMAKE_CURRENT_SOURCE_DIR} -P ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
    DEPENDS ${ARGN} ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
    VERBATIM)
  target_sources(${TARGET} PRIVATE ${_out})
endfunction()
