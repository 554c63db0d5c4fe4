#include "text/code_hash.h"

#include <cstdint>
#include <cstdio>

#include "base/hash64.h"
#include "text/python_tokens.h"

namespace tritonrl::text {
namespace {

// Of the line that a token begins, from 1; 0: it begins none.
std::uint64_t indentation_of(std::string_view token, std::string_view code) {
  const auto begin = static_cast<std::size_t>(token.data() - code.data());
  std::size_t at = begin;
  while (at > 0 && (code[at - 1] == ' ' || code[at - 1] == '\t')) --at;
  return at == 0 || code[at - 1] == '\n' ? begin - at + 1 : 0;
}

}  // namespace

std::string code_hash(std::string_view code) {
  if (code.empty()) return "";
  std::uint64_t hash = 0;
  for (const PythonToken& token : python_tokens(code))
    hash = base::hash64(token.text, hash + indentation_of(token.text, code));
  char digits[17];
  std::snprintf(digits, sizeof(digits), "%016llx", static_cast<unsigned long long>(hash));
  return digits;
}

}  // namespace tritonrl::text
