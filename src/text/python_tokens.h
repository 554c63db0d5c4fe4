#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tritonrl::text {

struct PythonToken {
  enum class Kind : std::uint8_t { kName, kNumber, kString, kSymbol };
  Kind kind = Kind::kSymbol;
  std::string_view text;  // of the source; a string with its quotes and prefix
  bool operator==(const PythonToken&) const = default;
};

// The words and symbols of Python source, without comments, blanks and line ends: what is left when two texts differ
// in layout alone is the same. Total: any bytes have tokens.
std::vector<PythonToken> python_tokens(std::string_view code);

}  // namespace tritonrl::text
