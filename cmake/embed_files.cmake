# Script mode: writes one .cpp that holds FILES (below ROOT) as byte arrays. Bytes, not string literals: compilers limit the length of those.
set(_arrays "")
set(_rows "")
set(_index 0)
foreach(_file IN LISTS FILES)
  file(READ ${ROOT}/${_file} _hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," _bytes "${_hex}")
  string(APPEND _arrays "const unsigned char kFile${_index}[] = {${_bytes}0x00};\n")
  string(APPEND _rows "    {\"${_file}\", {reinterpret_cast<const char*>(kFile${_index}), sizeof(kFile${_index}) - 1}},\n")
  math(EXPR _index "${_index} + 1")
endforeach()
file(WRITE ${OUT} "#include <array>\n#include <span>\n\n#include \"base/embedded_file.h\"\n\nnamespace {\n${_arrays}"
  "const std::array<tritonrl::base::EmbeddedFile, ${_index}> kFiles = {{\n${_rows}}};\n}  // namespace\n\n"
  "namespace ${NAMESPACE} {\nstd::span<const tritonrl::base::EmbeddedFile> ${FUNCTION}() { return kFiles; }\n}  // namespace ${NAMESPACE}\n")
