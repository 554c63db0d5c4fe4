// Python's text of any bytes is parsed or refused. What is read can be written, and what was written, where it can be
// read, is written the same again.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "syntax/parse.h"
#include "syntax/unparse.h"

using namespace tritonrl;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static syntax::SyntaxArena arena, second;
  arena.clear();
  const syntax::Parsed parsed = syntax::parse(std::string_view(reinterpret_cast<const char*>(data), size), arena);
  TRL_CHECK((parsed.module == nullptr) != parsed.error.empty(), "a tree or a reason");
  if (parsed.module == nullptr) return 0;
  const std::string text = syntax::unparse(*parsed.module);
  second.clear();
  const syntax::Parsed repeated = syntax::parse(text, second);  // refused: f-strings that only escapes could spell
  if (repeated.module == nullptr) return 0;
  TRL_CHECK(syntax::unparse(*repeated.module) == text, "a normal form");
  return 0;
}
