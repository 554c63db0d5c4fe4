# Script mode: writes OUT with the commit of SOURCE, and whether files differ from it, where that changed.
find_program(_git git)
set(_commit "")
set(_changed false)
if(_git AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${_git} rev-parse --short=12 HEAD WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE _commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(COMMAND ${_git} status --porcelain --untracked-files=no WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE _changes OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT _changes STREQUAL "")
    set(_changed true)
  endif()
endif()
set(_text "#include \"cli/build_facts.h\"
namespace tritonrl::cli {
const BuildCommit kBuildCommit = {.commit = \"${_commit}\", .changed = ${_changed}};
}  // namespace tritonrl::cli
")
set(_before "")
if(EXISTS ${OUT})
  file(READ ${OUT} _before)
endif()
if(NOT _text STREQUAL _before)
  file(WRITE ${OUT} "${_text}")
endif()
