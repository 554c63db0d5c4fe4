#include "text/code_hash.h"

#include <cstdint>
#include <cstdio>

#include "base/hash64.h"
#include "text/python_tokens.h"

namespace tritonrl::text {

std::string code_hash(std::string_view code) {
  if (code.empty()) return "";
  std::uint64_t hash = 0;
  for (const PythonToken& token : python_tokens(code)) hash = base::hash64(token.text, hash);
  char digits[17];
  std::snprintf(digits, sizeof(digits), "%016llx", static_cast<unsigned long long>(hash));
  return digits;
}

}  // namespace tritonrl::text
