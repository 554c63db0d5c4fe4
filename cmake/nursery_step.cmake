# Script mode: begins or ends the nursery of the tests, where its program has been built.
if(EXISTS ${PROGRAM})
  if(STEP STREQUAL begin)
    set(_how --minutes 10)
  else()
    set(_how --stop)
  endif()
  execute_process(COMMAND ${PROGRAM} warm ${_how} COMMAND_ERROR_IS_FATAL ANY)
endif()
